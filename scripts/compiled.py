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
        """Compile for a wheel; an editable installation runs the sources.

        Raises:
            setuptools.errors.CompileError: there is no compiler, or it fails.
        """
        if version == "editable":
            return
        from mypyc.build import mypycify  # noqa: PLC0415 - only where this is wanted
        from setuptools import Distribution  # noqa: PLC0415

        self.folder = TemporaryDirectory()
        home = Path(self.folder.name)
        checked = ["--config-file", "pyproject.toml", "--cache-dir", str(home / "types"), *MODULES]
        parts = mypycify(
            checked, only_compile_paths=MODULES, target_dir=str(home / "c"), group_name="scoring", debug_level="0"
        )
        command = Distribution({"name": "scoring", "ext_modules": parts}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = str(home / "made"), str(home / "objects")
        command.ensure_finalized()
        command.run()
        made = sorted(path for path in (home / "made").rglob("*") if path.is_file())
        build_data.update(pure_python=False, infer_tag=True)
        build_data["force_include"].update({str(path): path.relative_to(home / "made").as_posix() for path in made})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled: it is in the wheel now."""
        if version != "editable":
            self.folder.cleanup()
