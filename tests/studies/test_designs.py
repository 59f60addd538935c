"""Designs: solved parameters against the oracle, the tables' shape, and files of one's own."""

from __future__ import annotations

import pytest

from roclab.errors import FileError, InputError
from roclab.studies.design_file import read_design
from roclab.studies.designs import SEVEN, TABLES, Design, Scenario, table_design
from roclab.studies.distributions import Gamma, Mixture, NormalModel, PowerNormal, area_between
from tests.conftest import oracle

SOLVED = oracle("simulation_scenarios")["expected"]["mu"] | oracle("simulation_scenarios_h")["expected"]["mu"]


def free_value(condition, table):
    if table == "III":
        return condition.negative.mean
    positive = condition.positive
    if isinstance(positive, Gamma):
        return positive.scale / condition.negative.scale
    return positive.shift if isinstance(positive, Mixture) else positive.mean


@pytest.mark.parametrize("table", SOLVED)
def test_solved_parameters_oracle(table):
    for cell in table_design(table).cells():
        wanted = SOLVED[table][f"{cell.condition.area:g}"]
        assert free_value(cell.condition, table) == pytest.approx(wanted, abs=1e-6)


def test_tables_have_the_printed_shape():
    sizes = {name: len(list(design.cells())) for name, design in TABLES.items()}
    assert sizes == {"V": 4, "X": 4} | dict.fromkeys(["I", "II", "III", "IV", "VI", "VII", "VIII", "IX"], 6)
    assert sum(sizes.values()) - sizes["X"] == 52
    assert all(design.estimators == SEVEN for name, design in TABLES.items() if name != "X")


def test_areas_hold_for_every_cell_property():
    for design in TABLES.values():
        for cell in design.cells():
            found = area_between(cell.condition.positive, cell.condition.negative)
            assert found == pytest.approx(cell.condition.area, abs=1e-9)


def test_any_areas_and_sizes():
    design = table_design("V").changed(areas=[0.6, 0.95], sizes=[(5, 50)], estimators=["MW"])
    cells = list(design.cells())
    assert [cell.condition.label for cell in cells] == [
        f"lambda_Y={scale} AUC={area}" for scale in ("0.5", "1") for area in ("0.6", "0.95")
    ]
    assert {(cell.n_pos, cell.n_neg) for cell in cells} == {(5, 50)}


def test_unknown_table_names_the_closest():
    with pytest.raises(InputError, match="design must be one of 'I', 'II'.*got 'XI'; did you mean"):
        table_design("XI")


FILE = """
name = "skewed"
sizes = [20, [30, 90]]
areas = [0.7, 0.9]
estimators = ["MW", "NT"]

[positive]
distribution = "lognormal"
mean = "solve"
variance = 0.09

[negative]
distribution = "lognormal"
mean = 2.5
variance = 0.25
"""


@pytest.fixture
def written(tmp_path):
    def write(text):
        path = tmp_path / "design.toml"
        path.write_text(text)
        return path

    return write


def test_a_file_gives_the_design_of_the_table(written):
    design = read_design(written(FILE))
    assert (design.name, design.sizes, design.estimators) == ("skewed", ((20, 20), (30, 90)), ("MW", "NT"))
    ours = [cell.condition.positive.mean for cell in design.cells()][:2]
    assert ours == pytest.approx([SOLVED["IV"]["0.7"], SOLVED["IV"]["0.9"]], abs=1e-6)


def test_a_file_without_a_free_parameter_has_the_area_of_its_distributions(written):
    text = """
    [positive]
    distribution = "mixture"
    means = [0, 3]
    variances = [1, 1]
    weights = [0.5, 0.5]
    [negative]
    distribution = "normal"
    mean = 0
    variance = 1
    """
    design = read_design(written(text))
    cells = list(design.cells())
    assert design.name == "design"
    assert cells[0].condition.area == pytest.approx(0.5 * 0.5 + 0.5 * 0.98305, abs=1e-5)
    assert cells[0].condition.label == "AUC=0.7415"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("sizes =", "size =", "in design.toml: the design knows the keys .*got 'size'; did you mean 'sizes'"),
        ('"lognormal"\nmean = 2.5', '"lognormale"\nmean = 2.5', "got 'lognormale'; did you mean 'lognormal'"),
        ("mean = 2.5", "median = 2.5", r"\[negative\], a lognormal distribution, knows the keys .* got 'median'"),
        ("mean = 2.5", "", r"mean of \[negative\] must be given"),
        ("mean = 2.5", 'mean = "solve"', "one class only, got it in both"),
        ("mean = 2.5\nvariance = 0.25", 'mean = 2.5\nvariance = "solve"', "one class only|may stand for the mean"),
        ("mean = 2.5", 'mean = "two"', "mean of .negative. must be a number or .solve., got 'two'"),
        ('mean = "solve"', "mean = 3", "areas need a parameter to solve for, got none"),
        ("areas = [0.7, 0.9]", "areas = [0.7, 1.0]", "areas must lie strictly between 0 and 1, got 1.0"),
        ("areas = [0.7, 0.9]", "areas = 0.7", "areas must be a list that is not empty, got 0.7"),
        ("sizes = [20,", "sizes = [1,", "sizes must be a whole number of at least 2, got 1"),
        ("[30, 90]", "[30, 90, 5]", r"sizes must hold whole numbers or pairs"),
        ('["MW", "NT"]', '["MW", "KT"]', "estimators must be one of .* got 'KT'"),
        ("[negative]", "[negativ]", "knows the keys .* got 'negativ'; did you mean 'negative'"),
        ("name =", "name", "design must be a TOML file"),
    ],
)
def test_wrong_files_are_errors_in_one_sentence(written, old, new, message):
    assert old in FILE
    with pytest.raises(InputError, match=message):
        read_design(written(FILE.replace(old, new, 1)))


def test_missing_class_and_file(written, tmp_path):
    with pytest.raises(InputError, match=r"\[negative\] must be a table .*got None"):
        read_design(written(FILE.partition("[negative]")[0]))
    with pytest.raises(FileError, match="design must be a file that can be read, got .*No such file"):
        read_design(tmp_path / "none.toml")


def test_area_out_of_reach_says_what_can_be_reached():
    cubes = Scenario(
        positive=PowerNormal(mean=2.5, variance=0.09, power=-3),
        negative=PowerNormal(mean=2.5, variance=0.25, power=-3),
        free="negative",
        areas=(1e-12,),
    )
    with pytest.raises(InputError, match="areas must be within reach of the mean of the negative class, got 1e-12"):
        list(Design(name="cubes", scenarios=(cubes,)).cells())


def test_areas_for_a_design_without_a_free_parameter():
    normal = NormalModel(mean=0, variance=1)
    design = Design(name="fixed", scenarios=(Scenario(positive=normal, negative=normal, free=None),))
    with pytest.raises(InputError, match="areas need a parameter to solve for, and design fixed has none"):
        design.changed(areas=[0.8])
    with pytest.raises(InputError, match="must have sizes and estimators, got none"):
        Design(name="empty", scenarios=())
