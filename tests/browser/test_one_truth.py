"""What the views say of odd models: no two of them contradict each other."""

import pytest
from browser.acts import experts
from browser.reports import REPORTS

# Every label of the money chart beside the row of its model, as [name, cost in the chart, cost in the table].
COSTS = """() => {
  document.querySelector('.isocost').isocost.settle();
  const rows = [...document.querySelectorAll('.thresholds > tbody > tr:not(.more)')].map((row) => [
    row.querySelector('.expand').textContent,
    row.querySelectorAll('td')[5].firstChild.textContent,
  ]);
  const labels = [...document.querySelectorAll('.money-chart text')].map((text) => text.textContent);
  return rows.flatMap(([name, cost]) =>
    labels.filter((text) => text.startsWith(`${name} `)).map((text) => [name, text.slice(name.length + 1), cost]),
  );
}"""


@pytest.fixture(params=["inverted", "identical", "perfect", "useless"])
def kind(request, opened, tmp_path):
    """The page of odd models, with its kind."""
    return request.param, opened(REPORTS[request.param]().save(tmp_path / "r.html"), reduced_motion="reduce")


def test_views_agree_about_odd_models(kind):
    """The chart has the costs of the table, wherever one moves; strip and drawer have one grade."""
    _, page = kind
    experts(page)
    for miss in (5, 0.3, 2.6, 14):
        page.evaluate(f"document.querySelector('.isocost').isocost.moveSituation({{ miss: {miss} }})")
        found = page.evaluate(COSTS)
        assert all(drawn == listed for _, drawn, listed in found), found
        assert page.locator(".decision .badge").text_content() == page.locator(".answer .word").text_content()
    assert found


def test_what_to_do_knows_what_is_odd(kind):
    """Scores that run the wrong way are not offered; a model without an error is to be checked first."""
    name, page = kind
    said = page.locator(".answer .todo").first.text_content()
    expected = {
        "inverted": "Either deploy weak or flag everybody: ",
        "identical": "first copy and second copy cost the same here. ",
        "perfect": "First check that no column gives the answer away, then go ahead. ",
        "useless": "A model pays once a miss costs more than ",
    }
    assert said.startswith(expected[name])
    graded = page.locator(".answer").get_attribute("data-grade")
    assert not (graded == "clear" and "would settle it" in page.locator(".settle").inner_text())
