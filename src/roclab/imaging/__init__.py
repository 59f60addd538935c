"""Images: detectors of lesions, and how good they are. Research use, not a medical device.

``volumes`` (arrays with their geometry, files through SimpleITK; ``nifti_gaps``, ``hounsfield``), ``distances`` in mm;
``phantoms/`` (a chest CT painted on a ``canvas``, with ``trees`` of vessels and ``nodules``); ``lungs/`` (``segment``
finds each lung, ``candidates`` regions in them, cut apart by ``watershed``, measured by ``features``, or ``marked`` by
another program); ``volumes_in_time`` and ``dicom`` files of series; ``phantoms/breast`` a DCE-MRI by the
pharmacokinetics of ``dce/kinetics``, scanned by ``dynamic`` under ``protocols``, with ``lesions``; ``dce/``
(``series`` checks frames, ``masks``, ``motion``, ``signal_space`` is the named T with its grid, ``subtraction``,
``labels`` draws voxels by an expert's label, ``network`` and ``model`` are plain arrays, ``model_file`` keeps them,
``confidence`` maps slab by slab); ``programs/`` reads what others write of the same scans; detectors of lesions:
``free_response/`` matches marks with lesions by the rules of LUNA16 (``matching``) and counts curves and areas
(``curve``).
"""

from roclab._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
