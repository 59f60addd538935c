"""Files of images, for faces that write them: where one may be written, and images in time."""

from __future__ import annotations

from roclab.imaging.dicom import check_dicom_place, write_dicom
from roclab.imaging.dicom_objects.rtstruct import write_dicom_rtstruct
from roclab.imaging.dicom_objects.seg import write_dicom_seg
from roclab.imaging.volumes import check_image_place, name_of_image
from roclab.imaging.volumes_in_time import write_in_time

__all__ = [
    "check_dicom_place",
    "check_image_place",
    "name_of_image",
    "write_dicom",
    "write_dicom_rtstruct",
    "write_dicom_seg",
    "write_in_time",
]
