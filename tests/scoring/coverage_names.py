"""Whether what a checklist line names as covering it is there: tests as pytest collects them, worked hands, options.

Options are those of a rule system (``hongkong.table``) and those of a game's course (``course.rounds``).
"""

import ast
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

from hupai.ledger.course import Course
from scoring.options import describe, parse_options
from scoring.rules import MODULES, system_named

ROOT = Path(__file__).resolve().parents[2]


@cache
def collected(files):
    """The tests of these files, with and without their parameters; files that are not there have none."""
    there = [file for file in sorted(files) if (ROOT / file).is_file()]
    if not there:
        return frozenset()
    quiet = ("--collect-only", "-q", "-o", "addopts=--import-mode=importlib", "-p", "no:cacheprovider")
    told = [sys.executable, "-m", "pytest", *quiet, *there]
    names = subprocess.run(told, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    names = [name for name in names if "::" in name]
    return frozenset(names) | {name.partition("[")[0] for name in names}


@cache
def worked_hands():
    files = [ROOT / "tests" / "golden" / f"{name}.json" for name in MODULES]
    return frozenset(case["id"] for file in files for case in json.loads(file.read_text(encoding="utf-8")))


@cache
def read_in(room):
    """The names of attributes that the code of a room looks up."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in sorted((ROOT / room).rglob("*.py"))]
    return frozenset(node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute))


def faults_of(names):
    """What is wrong with names of ``covered``."""
    tests = collected(frozenset(name.partition("::")[0] for name in names if "::" in name))
    return [fault for name in names if (fault := _fault(name, tests))]


def _fault(name, tests):
    kind, colon, rest = name.partition(":")
    if kind == "hand" and colon:
        return None if rest in worked_hands() else f"{name}: there is no such worked hand"
    if kind == "option" and colon:
        return _option_fault(name, rest)
    return None if name in tests else f"{name}: pytest collects no such test"


def _option_fault(name, told):
    path, equals, value = told.partition("=")
    rules, _, option = path.partition(".")
    if rules not in (*MODULES, "course"):
        return f"{name}: there is no such system"
    kind, rooms = (Course, ()) if rules == "course" else (system_named(rules).option_class, (f"scoring/rules/{rules}",))
    if option not in {o.name for o in describe(kind)}:
        return f"{name}: {rules} has no such option"
    if not any(option in read_in(room) for room in (*rooms, "hupai/ledger")):
        return f"{name}: nothing reads it"
    given = {"true": True, "false": False}.get(value, int(value) if value.isdecimal() else value)
    faults = parse_options(kind, {option: given}, rules)[1] if equals else []
    return f"{name}: {faults[0].message}" if faults else None
