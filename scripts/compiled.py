"""Compile the modules that every riichi hand goes through, their source unchanged, for machines like this one.

    HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 pip install .

This is the build hook that ``pyproject.toml`` names; without that variable nothing here runs, and the wheel is plain
Python. It needs a C compiler (gcc, clang or MSVC) and Python's headers; pip fetches mypyc, which comes with mypy.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODULES: Final = (
    "scoring/score.py",
    *(f"scoring/arrangements/{name}.py" for name in ("arrange", "splits")),
    *(f"scoring/rules/riichi/{name}.py" for name in ("faults", "system")),
    *(f"scoring/rules/riichi/hand/{name}.py" for name in ("fu", "whole", "yaku", "yakuman")),
    *(f"scoring/rules/riichi/payments/{name}.py" for name in ("ladder", "settle")),
)
"""Mostly functions. Modules with classes that others derive from, or that are made at run time, are left out."""


class Compiled(BuildHookInterface[Any]):
    """Puts compiled modules beside their sources, where Python takes them first."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile for a wheel; an editable installation runs the sources."""
        if version == "editable":
            return
        self.folder = TemporaryDirectory()
        made = build(Path(self.folder.name))
        build_data.update(pure_python=False, infer_tag=True)
        build_data["force_include"].update({str(made / name): name for name in sorted(_files(made))})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled: it is in the wheel now."""
        if version != "editable":
            self.folder.cleanup()


def build(folder: Path) -> Path:
    """Compile the modules, from the root of the repository.

    Args:
        folder: where everything goes, intermediate files included.

    Returns:
        A folder with the compiled modules as they lie in the wheel.

    Raises:
        setuptools.errors.CompileError: there is no compiler, or it fails.
    """
    from mypyc.build import mypycify  # noqa: PLC0415 - only where this is wanted
    from setuptools import Distribution  # noqa: PLC0415

    checked = ["--config-file", "pyproject.toml", "--cache-dir", str(folder / "types"), *MODULES]
    parts = mypycify(
        checked,
        only_compile_paths=MODULES,
        target_dir=str(folder / "c"),
        group_name="scoring",
        debug_level="0",
    )
    command = Distribution({"name": "scoring", "ext_modules": parts}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(folder / "made"), str(folder / "objects")
    command.ensure_finalized()
    command.run()
    return folder / "made"


def _files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
