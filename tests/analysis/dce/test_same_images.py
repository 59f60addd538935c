"""Cases are known by their images: names may collide, and the same patient may have two."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError

SIZE = (8, 48, 64)


def case(seed, name):
    return rl.imaging.phantom_breast(size=SIZE, rng=seed).as_case(name)


def test_evaluation_knows_cases_by_content(tmp_path):
    model = rl.imaging.dce_train([case(1, "phantom01"), case(2, "phantom02")], classifier="logistic", rng=1)
    rl.imaging.write_dce_model(model, tmp_path / "m.npz")
    again = rl.imaging.read_dce_model(tmp_path / "m.npz")
    assert again.cases == model.cases
    other = [case(3, "phantom01"), case(4, "phantom02")]  # another folder of phantoms
    assert rl.imaging.dce_evaluate(other, again, images=()).n_cases == 2
    with pytest.raises(InputError, match="must be trained on other cases .* got 'new', in training 'phantom02'"):
        rl.imaging.dce_evaluate([case(3, "a"), case(2, "new")], again, images=())
    old = replace(again, cases=tuple(replace(one, digest="") for one in again.cases))  # does not know their content
    with pytest.raises(InputError, match="got 'phantom01' in both"):
        rl.imaging.dce_evaluate(other, old, images=())


@pytest.mark.parametrize("rng", [7, np.random.SeedSequence(7).spawn(3)[2], np.random.SeedSequence(7)])
def test_a_printed_seed_makes_the_phantom_again(rng):
    if isinstance(rng, np.random.SeedSequence):
        rng.spawn(2)  # children that somebody else has
    one = rl.imaging.phantom_breast(size=SIZE, rng=rng)
    two = rl.imaging.phantom_breast(size=SIZE, rng=one.seed)
    assert (one.series.frames == two.series.frames).all()
    chest = rl.imaging.phantom_chest(size=(24, 64, 64), nodules=3, rng=rng)
    again = rl.imaging.phantom_chest(size=(24, 64, 64), nodules=3, rng=chest.seed)
    assert (chest.volume.array == again.volume.array).all()


def test_training_says_how_to_let_it_settle():
    short = rl.imaging.dce_train([case(1, "a")], passes=2, rng=1)
    assert short.notes == ("training stopped after 2 passes, before it had settled; 8 passes may let it",)
    assert rl.imaging.dce_train([case(1, "a")], passes=2000, rng=1).notes == ()
    with pytest.raises(InputError, match="passes must be a whole number"):
        rl.imaging.dce_train([case(1, "a")], passes=0, rng=1)
