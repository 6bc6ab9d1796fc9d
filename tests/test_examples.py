"""The examples find under fastnp what they find under NumPy."""

import ast
import importlib.util
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.fixture(scope="module")
def demo():
    """Return the demo as a module, with its folder on the path as when it runs."""
    sys.path.insert(0, str(EXAMPLES))
    spec = importlib.util.spec_from_file_location("demo", EXAMPLES / "demo.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.path.remove(str(EXAMPLES))


PROGRAMS = sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem not in ("demo", "picture"))


def test_demo_runs_every_program(demo):
    assert sorted(demo.PROGRAMS) == PROGRAMS


@pytest.mark.parametrize("program", PROGRAMS)
def test_program_agrees(demo, monkeypatch, tmp_path, program):
    monkeypatch.setattr(demo, "OUTPUT", tmp_path)
    expected = demo.run("NumPy", program, 1)
    ours = demo.run("fastnp", program, 1)
    assert demo.differences(ours[:2], expected[:2]) == []


@pytest.mark.parametrize("program", PROGRAMS)
def test_program_knows_only_numpy(program):
    text = (EXAMPLES / f"{program}.py").read_text()
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import)]
    imported = {alias.name for node in imports for alias in node.names}
    assert "numpy" in imported
    assert "fastnp" not in text
    assert "torch" not in text
    assert 50 <= len(text.splitlines()) <= 200
