"""Help: examples that run, options that mean the same everywhere, and nothing heavy imported for it."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import click
import pytest

from roclab import __version__
from roclab.cli.cad import STEPS as CAD_STEPS
from roclab.cli.dce import STEPS
from roclab.cli.fit import MODELS
from roclab.cli.main import COMMANDS, TOPICS, cli
from roclab.cli.shared.lazy import LazyCommands

# What can be run, by all words of its name, with the first line of its help.
GROUPS = {"cad": CAD_STEPS, "dce": STEPS, "fit": MODELS}
RUNS = {name: line for name, line in COMMANDS.items() if name not in GROUPS} | {
    f"{group} {name}": line for group, members in GROUPS.items() for name, line in members.items()
}


def commands():
    found = {}
    for name in RUNS:
        command = cli
        for word in name.split():
            command = command.get_command(click.Context(command), word)
        found[name] = command
    return found


def test_groups_are_written_out():
    context = click.Context(cli)
    groups = {name for name in COMMANDS if isinstance(cli.get_command(context, name), LazyCommands)}
    assert groups == set(GROUPS)


def examples():
    """Every line of every help text that starts with roclab, continued lines joined."""
    texts = {"roclab": cli.help, **{name: command.help for name, command in commands().items()}}
    for text in texts.values():
        for line in text.replace("\\\n", " ").splitlines():
            if line.strip().startswith("roclab "):
                yield " ".join(shlex.split(line, comments=True))


def test_help_has_examples_for_every_command():
    found = {example.split()[1] for example in examples()}
    assert found == set(COMMANDS)


@pytest.mark.parametrize("line", [line for line in examples() if line.split()[1] != "app"])  # it serves until Ctrl-C
def test_help_examples_run(shell, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = shell(*shlex.split(line)[1:])
    assert done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("name", RUNS)
def test_help_of_each_command(shell, name):
    text = shell(*name.split(), "--help").stdout
    assert text == shell(*name.split(), "-h").stdout
    assert " ".join(text.split()).startswith(f"Usage: roclab {name}")
    assert RUNS[name] in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 100
    assert "\\b" not in text
    assert "Output:" in text


def test_help_lists_commands_and_exit_codes(shell):
    text = shell("--help").stdout
    for name in COMMANDS:
        assert re.search(rf"^  {name} ", text, re.MULTILINE)
    for code in ("0  done", "2  something given", "130  stopped"):
        assert code in text
    assert shell(code=2).stderr.startswith("Usage: roclab")


@pytest.mark.parametrize("group", GROUPS)
def test_help_of_a_group_lists_its_commands(shell, group):
    text = shell(group, "--help").stdout
    assert text == shell(group, "-h").stdout
    assert COMMANDS[group] in " ".join(text.split())
    for name, line in GROUPS[group].items():
        assert re.search(rf"^  {name} +{re.escape(line)}", text, re.MULTILINE)
    assert shell(group, code=2).stderr.startswith(f"Usage: roclab {group}")
    assert shell.error(group, "probit").startswith("there is no command 'probit'")


def test_version(shell):
    assert shell("--version").stdout == f"roclab {__version__}\n"


def test_shared_options_mean_the_same_everywhere():
    seen = {}
    for name, command in commands().items():
        for parameter in command.params:
            if isinstance(parameter, click.Option) and parameter.heading in ("Data", "Resampling", "Output"):
                told = (parameter.help, parameter.opts, parameter.type.name)
                assert seen.setdefault(parameter.name, told) == told, f"{name} {parameter.name}"
    assert {"label", "pos_label", "score", "seed", "replicates", "as_json", "out"} <= set(seen)
    level = {name for name, command in commands().items() if any(p.name == "level" for p in command.params)}
    assert level == set(RUNS) - {
        "app", "completion", "dce apply", "dce montage", "dce phantom", "dce train", "doctor", "example", "hull",
        "marks", "match-classes", "nodules", "phantom", "reproduce", "segment", "simulate", "tally",
    }  # fmt: skip


# -- start-up --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", ["--help", "--version", *(f"{group} --help" for group in GROUPS), *(f"{name} --help" for name in RUNS)]
)
def test_help_imports_nothing_heavy(words):
    code = (
        "import sys\nfrom roclab.cli.main import main\n"
        f"sys.argv = ['roclab', *{words.split()!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'numpy', 'scipy', 'narwhals', 'pandas', 'pyarrow'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_command_stands_under_one_topic():
    assert sorted(name for names in TOPICS.values() for name in names) == sorted(COMMANDS)
