"""What other programs write of the same scans: lungs, marks of detectors, outlines of readers.

``lung_labels`` (which numbers of an image of labels are lung), ``json_files`` (JSON that is refused in words),
``detections`` (boxes of MONAI and nnDetection), ``lidc`` (outlines of several readers become nodules), read from
``lidc_xml`` or from ``lidc_tables``. Nothing here opens a pickle: opening one can run programs.
"""
