"""The coverage page is what the registry says."""

from pathlib import Path

from fastnp._coverage import page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "coverage.md"


def test_page_is_up_to_date():
    assert PAGE.read_text() == page(), "write it again: python -m fastnp._coverage > docs/coverage.md"
