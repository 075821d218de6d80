"""A pinhole renderer: boxes seen, lit, shadowed and photographed."""
