"""Robust fuzzy c-means beside scikit-fuzzy's plain one, which does less; lungs, regions, CAD, viewer and DICOM.

"processor s then" and "GB then" are those of the same work at the commit before it was changed, in turns with it on the
same two shared cores: where the machine is another, only what stands in one run may be compared.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from measure import best_of_each, peak_extra_memory
from roclab.fuzzy.robust import robust_cmeans

CLUSTERS, STEPS = 4, 5
# 512 x 512 pixels of 0.7 mm; 300 slices are a scan of the Italian thesis
SCANS = {120: {"limit s": 120.0, "limit GB": None}, 300: {"limit s": 300.0, "limit GB": 1.5}}
THEN = {  # of 300 slices
    "lungs": {"processor s then": 19.8, "GB then": 1.41},
    "regions": {"processor s then": 14.5, "GB then": 1.21},
    "cad": {"processor s then": 34.8, "GB then": 1.51},
}
_SLICES = 100


def rows() -> list[dict[str, Any]]:
    found = [_step((512, 512)), _step((32, 512, 512)), _memory((32, 512, 512)), _phantom()]
    for slices, limits in SCANS.items():
        found += _scan(slices, limits)
    return [*found, *_registrations(), *_dicom()]


def _image(shape: tuple[int, ...]) -> Any:
    rng = np.random.default_rng(0)
    return (rng.integers(0, CLUSTERS, size=shape) * 100 + rng.normal(size=shape) * 30).astype(np.float32)


def _step(shape: tuple[int, ...]) -> dict[str, Any]:
    """Nanoseconds of a step for one pixel, in turns with the peer on as many pixels as it can hold."""
    image = _image(shape)
    start = np.random.default_rng(1).random((CLUSTERS, *shape), dtype=np.float32)
    start /= start.sum(axis=0)
    few = image.ravel()[: 512 * 512][None]

    def ours() -> None:
        robust_cmeans(
            image, CLUSTERS, beta=1000.0, update="synchronous", max_iterations=STEPS, memberships=start, stop=0.0
        )

    functions = [ours]
    peer = _peer(few)
    if peer is not None:
        functions.append(peer)
    times = best_of_each(functions)
    per = 1e9 * times[0] / STEPS / image.size
    other = 1e9 * times[1] / STEPS / few.size if peer is not None else None
    words = " x ".join(map(str, shape))
    return {
        "what": f"one step of robust_cmeans on {words}, {CLUSTERS} classes, ns a pixel",
        "ns": per,
        "peer": "scikit-fuzzy cmeans, without neighbours",
        "peer ns": other,
        "peer / ours": None if other is None else other / per,
        "target": 3.0,
    }


def _peer(values: Any) -> Any:
    """Plain fuzzy c-means of as many steps; None where scikit-fuzzy is not installed."""
    try:
        from skfuzzy import cmeans
    except ImportError:
        return None
    return lambda: cmeans(values, CLUSTERS, 2, error=0, maxiter=STEPS, seed=0)


def _memory(shape: tuple[int, ...]) -> dict[str, Any]:
    """Largest allocation of a run, the memberships themselves among it."""
    image = _image(shape)
    extra = peak_extra_memory(
        lambda: robust_cmeans(image, CLUSTERS, beta=1000.0, update="synchronous", max_iterations=2, stop=0.0)
    )
    words = " x ".join(map(str, shape))
    return {
        "what": f"most memory of robust_cmeans on {words}, in copies of the memberships",
        "copies": extra / (CLUSTERS * image.nbytes),
        "limit copies": 2.5,
    }


_RUN = """
import json, resource, sys, time
import numpy as np
import roclab as rl
what, file, slices = sys.argv[1], sys.argv[2], int(sys.argv[3])
if what == "small phantom":
    work = lambda: rl.imaging.phantom(rng=1)
elif what == "phantom":
    work = lambda: rl.imaging.phantom(size=(slices, 512, 512), spacing=(300 / slices, 0.7, 0.7), rng=1)
else:
    volume = rl.results.Volume(array=np.load(file + ".npy"), spacing=(300 / slices, 0.7, 0.7))
    if what == "lungs":
        work = lambda: rl.imaging.segment(volume)
    elif what == "classes":
        work = lambda: rl.imaging.segment(volume, classes=4)
    else:
        lungs = np.load(file + ".lungs.npy")
        if what == "regions":
            work = lambda: rl.imaging.nodules(volume, lungs=lungs)
        elif what == "cad":
            work = lambda: rl.imaging.cad_apply("phantoms", volume, name="scan")
        elif what == "page":
            marks = rl.imaging.cad_apply("phantoms", volume, name="scan", lungs=lungs)
            work = lambda: marks.write_report(file + ".html")
        else:
            from roclab.analysis.viewing.scans import scene_of
            if what == "viewer":
                work = lambda: scene_of(volume, "scan")
            else:
                scene = scene_of(volume, "scan")
                plane, size = what.split()[0], scene.facts()["planes"][what.split()[0]]["slices"]
                work = lambda: [scene.slice("scan", plane, at * size // 100).tobytes() for at in range(100)]
begun, busy = time.perf_counter(), time.process_time()
made = work()
took = {"s": time.perf_counter() - begun, "processor s": time.process_time() - busy}
took["GB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
if what == "phantom":
    np.save(file + ".npy", made.volume.array)
if what == "lungs":
    np.save(file + ".lungs.npy", made.labels.array)
if what == "page":
    took["MB"] = made.stat().st_size / 1e6
print(json.dumps(took))
"""


def _measured(what: str, file: Path, slices: int) -> dict[str, Any]:
    """In a process of its own, whose largest memory is that of the work."""
    asked = [sys.executable, "-c", _RUN, what, str(file), str(slices)]
    return json.loads(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)


def _phantom() -> dict[str, Any]:
    return {"what": "phantom of 64 x 256 x 256", **_measured("small phantom", Path("none"), 64), "limit s": 10.0}


def _scan(slices: int, limits: dict[str, Any]) -> list[dict[str, Any]]:
    import tempfile

    words = {
        "phantom": "phantom",
        "lungs": "lungs",
        "classes": "4 classes by robust_cmeans",
        "regions": "regions of interest",
        "cad": "lung CAD, lungs and regions among it",
        "page": "page of a scan with its viewer",
        "viewer": "a scan made ready for the viewer",
        "axial": f"{_SLICES} axial slices for the viewer",
        "sagittal": f"{_SLICES} sagittal slices for the viewer",
    }
    out = []
    with tempfile.TemporaryDirectory() as folder:
        for what, said in words.items():
            took = _measured(what, Path(folder, "scan"), slices)
            then = THEN.get(what, {}) if slices == 300 else {}
            out.append(
                {"what": f"{said} of {slices} x 512 x 512", **took, **then, **({} if what == "phantom" else limits)}
            )
    return out


def _registrations() -> list[dict[str, Any]]:
    """Seconds of processor time for a frame of 16 x 96 x 128 voxels."""
    import time

    import roclab as rl

    made = rl.imaging.phantom_breast(size=(16, 96, 128), rng=1).series
    frames = [made.frame(at) for at in range(2)]
    out = []
    for name in ("translation", "bspline", "demons"):
        begun, busy = time.perf_counter(), time.process_time()
        rl.imaging.dce_series(frames, times=made.times[:2], arrival=made.arrival, registration=name)
        took = {"s": time.perf_counter() - begun, "processor s": time.process_time() - busy}
        out.append({"what": f"registration of a frame of 16 x 96 x 128, {name}", **took, "limit s": 60.0})
    return out


def _dicom() -> list[dict[str, Any]]:
    """Series, segments and contours of 120 x 256 x 256 voxels, written and read again."""
    import tempfile
    import time

    import roclab as rl

    try:
        import highdicom
    except ImportError:
        return []
    made = rl.imaging.phantom(size=(120, 256, 256), rng=1)
    out = []

    def timed(what: str, work: Any) -> Any:
        begun, busy = time.perf_counter(), time.process_time()
        found = work()
        took = {"s": time.perf_counter() - begun, "processor s": time.process_time() - busy}
        out.append({"what": f"DICOM of 120 x 256 x 256: {what}", **took, "limit s": 60.0})
        return found

    with tempfile.TemporaryDirectory() as folder:
        series, seg, contours = (Path(folder, name) for name in ("ct", "seg.dcm", "rt.dcm"))
        timed("series written", lambda: rl.imaging.write_dicom(made.volume, series))
        back = timed("series read", lambda: rl.imaging.read_volume(series))
        assert np.array_equal(back.array, made.volume.array)
        names = {"right lung": 1, "left lung": 2}
        timed("SEG written", lambda: rl.imaging.write_dicom_seg(made.lungs, series, seg, names=names))
        timed("SEG read by highdicom", lambda: highdicom.seg.segread(seg))
        timed(
            "RTSTRUCT written",
            lambda: rl.imaging.write_dicom_rtstruct(made.lungs, series, contours, names=names),
        )
    return out


if __name__ == "__main__":
    from roclab._core.text import text_table

    print(text_table(rows()))
