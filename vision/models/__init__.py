"""Which weights there are and whether they are whole; labels and sizes come from their metadata."""

from __future__ import annotations

from vision.models.zoo import Model, default_threads, describe_models, list_models, load_graph, models_folder

__all__ = ["Model", "default_threads", "describe_models", "list_models", "load_graph", "models_folder"]
