"""Regions of the page's map: whole cells where one is cheapest, and cells cut along equal cost."""

import json

import pytest
from report.javascript import evaluated

# Costs at the corners travel as pairs; a third, dearer everywhere, never wins.
GRID = """(() => {
  const grid = [];
  for (let j = 0; j <= 4; j++) {
    for (let i = 0; i <= 4; i++) {
      const costs = new Map([[0, SLOPE], [1, 2.5], ['nobody', 9]]);
      grid.push({ who: costs.get(0) < 2.5 ? 0 : 1, costs });
    }
  }
  return [...regionsOf(grid, 4)];
})()"""


def area(polygon):
    """The area of a polygon, by the shoelace formula."""
    pairs = zip(polygon, [*polygon[1:], polygon[0]], strict=True)
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairs)) / 2


@pytest.mark.parametrize(("slope", "first"), [("i", 10), ("i + 0.5 * j", 6), ("j - i", 14.875)])
def test_regions_part_the_map_along_equal_cost(slope, first):
    """Their areas add up to the whole, and a straight line of equal cost is met exactly, not in steps."""
    found = dict(evaluated(GRID.replace("SLOPE", slope)))
    areas = {who: sum(area(polygon) for polygon in polygons) for who, polygons in found.items()}
    assert sum(areas.values()) == pytest.approx(16, abs=1e-12)
    assert areas[0] == pytest.approx(first, abs=1e-12)


def test_a_cost_that_is_unknown_beyond_a_corner_ends_half_way():
    """Where limits rule a model out, its region ends between the corners."""
    costs = [[0, 1], [0, None], [0, None], [0, 1]]
    grid = f"""{json.dumps(costs)}.map(([a, b]) => (
      {{ who: b === null ? 0 : 1, costs: new Map([[0, 2], [1, b ?? Infinity]]) }}))"""
    found = dict(evaluated(f"[...regionsOf([({grid})[0], ({grid})[1], ({grid})[3], ({grid})[2]], 1)]"))
    assert {who: sum(map(area, polygons)) for who, polygons in found.items()} == {0: 0.5, 1: 0.5}
