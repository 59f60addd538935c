"""What was found in a DICOM series, as DICOM objects that stay with the patient and the study.

``source`` are the images that were looked at; ``seg`` writes segments of voxels, ``sr`` a report of measured places,
``rtstruct`` the ``contours`` of regions.
"""
