"""``python -m hupai`` is the ``hupai`` command."""

from hupai.cli import main

main()
