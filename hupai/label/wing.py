"""What labelling adds to hupai."""

from __future__ import annotations

from typing import Final

from hupai.wing import Wing


def _check_parts() -> str:
    import watchfiles  # noqa: F401 - as below
    import yaml  # noqa: F401 - loaded to see that it does

    import hupai.batch.engines.labeller
    import hupai.batch.engines.run  # noqa: F401 - as above

    return "its parts load"


WING: Final = Wing(checks=(("labelling", _check_parts),))
