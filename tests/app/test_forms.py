"""Forms: every option of the groups is a field of the page, says the same words, and is heard."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import roclab.app
from roclab.analysis.cutoff import CutoffStabilityKeywords
from roclab.app.asking import Asked
from roclab.app.forms import Form, draws
from roclab.app.questions import QUESTIONS
from roclab.app.shelf import Shelf
from roclab.app.wording import in_page
from roclab.errors import RoclabError
from roclab.options.group import first_paragraph, options_of

ROLES = {"label": "outcome", "positive": "deteriorated", "score": ["lactate", "concern"]}
FORMS = {name: question.form for name, question in QUESTIONS.items() if question.form.groups}
# What each question needs besides its form, and small draws.
BESIDE = {
    "band": {"kind": "simultaneous", "resampling": 40}, "region": {"fpr": [0, 0.3]},
    "cutoffs": {"score": "lactate"}, "requirement": {"score": "lactate", "require": {"tpr": 0.6}},
    "stability": {"score": "lactate", "resampling": 40, "rng": 3},
    "rates": {"fixed": {"lactate": 2, "concern": 3, "procalcitonin": 1.5}},
}  # fmt: skip
# Values that differ from the default, and what else must be said for them to be heard.
VALUES = {
    "resampling": (50, {"variance": "bootstrap"}), "rng": (7, {"variance": "bootstrap"}),
    "null": (0.6, {}), "margin": (0.05, {}),
    "fpr": ([0, 0.2], {}), "tpr": ([0.8, 1], {}), "contrast": ("lactate=1, concern=-1", {}),
    "at_specificity": (0.8, {"resampling": 40}), "at_sensitivity": (0.8, {"resampling": 40}),
    "beta": (2, {"criterion": "f_beta"}), "alpha": (0.3, {"criterion": "f_alpha"}),
    "max_fpr": (0.2, {"criterion": "neyman_pearson"}), "target": ("sensitivity = 0.8", {"criterion": "target"}),
    "trim": (0.49, {"criterion": "min_p"}), "prevalence": (0.1, {"criterion": "cost"}),
    "cost_fp": (5, {"criterion": "cost"}), "cost_fn": (5, {"criterion": "cost"}),
    "benefit_tp": (5, {"criterion": "cost"}), "benefit_tn": (2, {"criterion": "cost"}), "goal": ("min", {}),
    "criterion": ("product_ppv_npv", {}), "require": ("specificity=0.9", {}),
    "claim": ("equivalence", {"margin": 0.05}),
    "test": ("null", {"null": 0.5}), "alternative": ("greater", {"null": 0.5}), "standardize": ("mcclish", {}),
    "rule": ("midpoints", {}), "variance": ("hanley_mcneil", {}),
    "correlation": ("kendall", {"variance": "hanley_mcneil"}),
    "correlation_table": ("actual", {"variance": "hanley_mcneil"}), "interval": ("plain", {}), "side": ("lower", {}),
    "control": ("lactate", {}), "simultaneous": (True, {}),
    "conventions": ("SPSS", {}), "adjust": ("none", {}),
}  # fmt: skip

OF_QUESTION = {
    ("compare", "test"): ("normal", {}), ("region", "null"): (0.1, {}),
    ("region", "alternative"): ("greater", {"null": 0.1}),
    ("region", "test"): ("null", {"null": 0.1}),
}  # fmt: skip


@pytest.fixture(scope="module")
def item():
    shelf = Shelf(upload_limit=1)
    yield shelf.add_path("example")
    shelf.close()


def answer(item, question, options):
    roles = (
        {**ROLES, "score": [*ROLES["score"], "procalcitonin"]} if {"adjust", "simultaneous"} & set(options) else ROLES
    )
    try:
        return QUESTIONS[question].run(Asked(item=item, roles=roles, options={**BESIDE.get(question, {}), **options}))
    except RoclabError as error:
        return {"refused": in_page(error)}


@pytest.mark.parametrize(
    ("question", "name"), [(question, name) for question, form in FORMS.items() for name in form.options()]
)
def test_every_option_of_a_form_is_heard(item, question, name):
    value, beside = OF_QUESTION.get((question, name), VALUES[name])
    known = FORMS[question].options()
    beside = {word: one for word, one in beside.items() if word in known}
    if name in ("adjust", "simultaneous"):
        usual = answer(item, question, {"adjust": "holm"})
    else:
        usual = answer(item, question, beside)
    chosen = answer(item, question, {**beside, name: value})
    sentence = chosen.get("refused")
    if isinstance(sentence, str):  # in the words of the page
        assert sentence.endswith(".")
        assert "bug" not in sentence
    without_code = [{part: one for part, one in found.items() if part != "code"} for found in (usual, chosen)]
    assert json.dumps(without_code[0]) != json.dumps(without_code[1])


@pytest.mark.parametrize("question", FORMS)
def test_fields_say_what_the_options_say(question):
    options = FORMS[question].options()
    fields = FORMS[question].fields()
    assert {one["name"] for one in fields} == set(options)
    json.dumps(fields, allow_nan=False)
    for field in fields:
        option = options[field["name"]]
        assert field["words"]["about"].split(" ")[:3] == first_paragraph(option.words).split(" ")[:3]
        assert "`" not in json.dumps(field["words"])
        explained = {name for names, _ in field["words"]["values"] for name in names}
        assert explained <= {*re.findall(r'"([^"]+)"', option.words)}
        assert bool(explained) == (option.words.count('\n- "') > 0)
        assert field["kind"] != "choice" or field["default"] in (*field["choices"], None)


def test_every_field_has_its_word_in_every_language():
    known = json.loads((Path(roclab.report.__file__).parent / "static" / "texts.json").read_text(encoding="utf-8"))
    assert sorted({field["label"] for form in FORMS.values() for field in form.fields()} - set(known)) == []


def test_the_parts_of_the_data_are_no_fields():
    assert {"label", "ids", "folds", "by", "level"} <= set(options_of(CutoffStabilityKeywords))
    assert not {"label", "ids", "folds", "by", "level"} & set(Form((CutoffStabilityKeywords,)).options())


def test_what_is_resampled_is_long_work():
    assert draws({"variance": "clustered_bootstrap"})
    assert draws({"interval": "bca"})
    assert draws({"at_specificity": 0.9})
    assert not draws({"variance": "delong", "interval": "score", "at_specificity": None})
