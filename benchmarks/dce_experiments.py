"""The experiments of the guide's page on DCE-MRI, on phantoms and on one real series; ten minutes on two cores.

``python benchmarks/dce_experiments.py [folder with dce_invivo_davidssmith.npz]`` prints every table. Phantoms are
drawn by the seeds written here and by nothing else; nothing was chosen by looking at the results.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import roclab as rl
from roclab._core.text import text_table

GROUP_1 = range(1, 25)  # scanned by the reference protocol
OTHERS = range(101, 113)  # further cases of that group, for the experiments with five training cases
GROUP_2 = range(201, 225)  # the external protocol


def phantoms(seeds: Any, **options: Any) -> dict[str, Any]:
    return {f"case {seed}": rl.imaging.phantom_breast(rng=seed, **options) for seed in seeds}


def cases(made: dict[str, Any], **label: Any) -> list[Any]:
    return [one.as_case(name, rng=at, **label) for at, (name, one) in enumerate(made.items())]


def say(title: str, *parts: Any) -> None:
    print(f"\n## {title}\n")
    for part in parts:
        print(part if isinstance(part, str) else str(part))
        print()
    sys.stdout.flush()


def short(found: Any, images: Any, name: str) -> list[dict[str, Any]]:
    out = []
    for image in images:
        row: dict[str, Any] = {name: image}
        for quantity in found.quantities:
            one = found.measure(image, quantity)
            low, high = one.interval
            row[quantity] = f"{one.value:.3f} ({low:.3f} to {high:.3f})"
        out.append(row)
    return out


def groups(one: list[Any], two: list[Any]) -> None:
    begun = time.perf_counter()
    apart = {name: rl.imaging.dce_leave_one_out(one, classifier=kind, rng=1) for name, kind in
             (("network", "mlp"), ("logistic", "logistic"))}  # fmt: skip
    found = rl.imaging.dce_evaluate(one, apart, group="group 1, each case left out in turn")
    twelve = rl.imaging.dce_evaluate(one[:12], apart, group="group 1, the first twelve of them")
    say("group 1, twelve cases", twelve.compare("AUC", first="network"), twelve.compare("CNR", first="network"))
    say("group 1", found, found.compare("AUC", first="network"), found.compare("pAUC FPR<=0.05", first="network"),
        found.compare("CNR", first="network"), f"{time.perf_counter() - begun:.0f} s")  # fmt: skip
    for how in ("pooled", "vertical", "threshold"):
        rows = []
        for image in found.names:
            mean = found.average(image, how)
            rows.append({"image": image, "area of the average": mean.area_of_average, "mean of the areas":
                         mean.mean_of_areas, "sd": mean.sd_of_areas})  # fmt: skip
        say(f"group 1, {how} average", text_table(rows))
    plain = {name: rl.auc(found.voxels.label, found.voxels.scores[name]).standard_error for name in found.names}
    say("standard errors: by case, and as if every voxel were a patient of its own (never to be used)",
        text_table([{"image": name, "by case": found.measure(name).standard_error, "by voxel": plain[name],
                     "ratio": found.measure(name).standard_error / plain[name]} for name in found.names]))  # fmt: skip
    smooth = rl.imaging.dce_evaluate(one, apart, smoothing=3.0, group="group 1, all images smoothed by 3 mm")
    say("group 1, smoothed", smooth, smooth.compare("AUC", first="network"), smooth.compare("CNR", first="network"))
    absolute = rl.imaging.dce_evaluate(one, scale="absolute", group="group 1, absolute subtraction images")
    say("group 1, absolute", absolute)
    every = {name: rl.imaging.dce_train(one, classifier=kind, rng=1) for name, kind in
             (("network", "mlp"), ("logistic", "logistic"))}  # fmt: skip
    other = rl.imaging.dce_evaluate(two, every, group="group 2, another protocol, models of group 1")
    say("group 2", other, other.compare("AUC", first="network"), other.compare("CNR", first="network"))
    smooth_2 = rl.imaging.dce_evaluate(two, every, smoothing=3.0, group="group 2, smoothed by 3 mm")
    say(
        "group 2, smoothed",
        smooth_2,
        smooth_2.compare("AUC", first="network"),
        smooth_2.compare("CNR", first="network"),
    )
    for image in ("network", "maximum"):
        cut = smooth.threshold(image, sensitivity=0.8)
        say(f"threshold of {image} with sensitivity 0.8 in group 1 ({cut:.4f}), smoothed 3 mm, in group 2",
            smooth_2.regions(cut, image=image, smallest=100, rng=1))  # fmt: skip
    cut = smooth.threshold("network", cost_fp=1, cost_fn=10)
    say(f"threshold of the network at the least cost, FN 10 times FP ({cut:.4f})",
        smooth_2.regions(cut, image="network", smallest=100, rng=1))  # fmt: skip


def labels(five: dict[str, Any], test: list[Any]) -> None:
    kinds: dict[str, dict[str, Any]] = {
        "exact": {"label": "exact"}, "dilated 3 mm": {"label": "dilated", "mm": 3.0},
        "dilated 6 mm": {"label": "dilated", "mm": 6.0}, "shifted 4 mm": {"label": "shifted", "mm": 4.0},
        "one lesion, dilated": {"label": "dilated", "mm": 3.0, "one_lesion": True},
    }  # fmt: skip
    models = {name: rl.imaging.dce_train(cases(five, **kind), rng=1) for name, kind in kinds.items()}
    found = rl.imaging.dce_evaluate(test, models, images=("maximum",))
    say("labels: five training cases, twelve test cases", text_table(short(found, found.names, "label")),
        found.compare("AUC", first="exact"))  # fmt: skip
    spaces = {
        "relative": rl.imaging.dce_train(cases(five), rng=1),
        "unit norm": rl.imaging.dce_train(cases(five), transformation="unit_norm", rng=1),
        "pca 3": rl.imaging.dce_train(cases(five), transformation="pca", rng=1),
        "logistic": rl.imaging.dce_train(cases(five), classifier="logistic", rng=1),
    }  # fmt: skip
    found = rl.imaging.dce_evaluate(test, spaces, images=("maximum",))
    say("transformations", text_table(short(found, found.names, "transformation")))


def learning(train: list[Any], test: list[Any]) -> Any:
    found = rl.imaging.dce_learning_curve(train, test, sizes=(1, 2, 3, 5), repeats=4, rng=1)
    contrast = rl.imaging.dce_learning_curve(train, test, sizes=(1, 2, 3, 5), repeats=4, quantity="CNR", rng=1)
    say("learning curve", found, contrast)
    return found


def real_series(folder: Path) -> tuple[Any, Any, Any]:
    """The series, its breast mask and the polygon as truth."""
    from matplotlib.path import Path as Outline

    known = np.load(folder / "dce_invivo_davidssmith.npz")
    series = rl.imaging.dce_series(known["DCEdata"][:, None], times=known["t"].ravel())
    mask = rl.imaging.dce_mask(series, anterior="x-", skin=8.0)
    drawn = json.loads((Path(__file__).parent / "data" / "dce_invivo_polygon.json").read_text())["column_row"]
    rows, columns = np.mgrid[:192, :192]
    spots = np.column_stack([columns.ravel(), rows.ravel()])
    inside = Outline(drawn).contains_points(spots).reshape(1, 192, 192)
    return series, mask, series.place.with_array((101 * inside).astype(np.int16))


def one_patient(train: list[Any], folder: Path) -> None:
    series, mask, truth = real_series(folder)
    model = rl.imaging.dce_train(train, rng=1)
    case = rl.results.DceCase(name="one patient", series=series, mask=mask.mask, truth=truth)
    found = rl.imaging.dce_evaluate(
        case, {"network": model, "logistic": rl.imaging.dce_train(train, classifier="logistic", rng=1)}
    )
    say("one real case against a polygon of ours", str(rl.imaging.dce_motion(series)).splitlines()[-1], found,
        found.regions(0.5, resampling=20))  # fmt: skip
    wide = rl.imaging.dce_apply(model, series, mask=series.baseline > 0)
    say(
        "voxels above 0.5: in the breast, and wherever there is signal",
        f"{(found.cases[0].images['network'][mask.mask.array] > 0.5).sum()} and {(wide.volume.array > 0.5).sum()}",
    )


def main() -> None:
    begun = time.perf_counter()
    first, more, second = phantoms(GROUP_1), phantoms(OTHERS), phantoms(GROUP_2, protocol="external")
    say("cases", text_table([{"case": name, "background Ktrans": one.background, "lesions": len(one.lesions),
                              "voxels of lesions": int((one.truth.array > 0).sum())}
                             for made in (first, second) for name, one in made.items()]))  # fmt: skip
    five = dict(list(first.items())[:5])
    groups(cases(first), cases(second))
    labels(five, cases(more))
    learning(cases(dict(list(first.items())[:12])), cases(more))
    if len(sys.argv) > 1:
        one_patient(cases(first), Path(sys.argv[1]))
    print(f"\n{time.perf_counter() - begun:.0f} s in all")


if __name__ == "__main__":
    main()
