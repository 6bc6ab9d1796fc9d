"""The code of docs/performance_of_a_call.md runs as it stands, and explains what the page says."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "performance_of_a_call.md").read_text()


def test_example_of_the_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    (shown,) = re.findall(r"```text\n(.*?)```", PAGE, flags=re.DOTALL)
    exec(compile(code, "performance_of_a_call.md", "exec"), {"__name__": "example"})
    printed = capsys.readouterr().out
    assert (tmp_path / "calls.png").exists()
    assert re.sub(r" +[\d,]+ ns", " ns", printed).strip() == re.sub(r" +[\d,]+ ns", " ns", shown).strip()
