"""The code of docs/extending.md runs as it stands."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "extending.md"
EXAMPLES = re.findall(r"^##+ (.*?)\n(?:.*?)```python\n(.*?)```", PAGE.read_text(), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("title, code", EXAMPLES, ids=[title for title, _ in EXAMPLES])
def test_example_of_the_page(title, code):
    exec(compile(code, f"{PAGE.name}: {title}", "exec"), {"__name__": "example"})


def test_page_shows_five_ways_and_the_logging_example():
    assert len(EXAMPLES) == 6
