import numpy as np
from matplotlib.figure import Figure

from isocost.plots.labels import Tag, name_lines, place
from isocost.plots.style import looks


def axes_of(width=5.0, height=4.0):
    """Axes from 0 to 1 both ways."""
    axes = Figure(figsize=(width, height)).add_subplot()
    axes.set(xlim=(0, 1), ylim=(0, 1))
    return axes


def boxes(axes):
    """The texts' boxes in pixels."""
    return [text.get_window_extent() for text in axes.texts]


def test_a_label_touches_neither_its_line_nor_another():
    """Two lines, two labels, no overlap, each nearer to its own line."""
    axes = axes_of()
    x = np.linspace(0, 1, 50)
    lines = [(x, x**2), (x, 0.2 + 0.6 * x)]
    name_lines(axes, ["square", "straight"], lines, looks([0, 1]))
    assert [text.get_text() for text in axes.texts] == ["square", "straight"]
    one, two = boxes(axes)
    assert not one.overlaps(two)
    for i, box in enumerate((one, two)):
        gaps = []
        for a, b in lines:
            points = axes.transData.transform(np.column_stack([a, b]))
            assert not any(box.contains(*point) for point in points)
            middle = [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2]
            gaps.append(np.min(np.linalg.norm(points - middle, axis=1)))
        assert gaps[i] == min(gaps)


def test_a_crowded_label_gets_a_leader_to_its_line():
    """The dot at the leader's end lies on the line."""
    axes = axes_of()
    x = np.linspace(0, 1, 200)
    lines = [(x, 0.5 + 0.012 * k + 0 * x) for k in range(3)]
    name_lines(axes, ["low", "middle", "high"], lines, looks([0, 1, 2]))
    assert axes.get_legend() is None
    dots = [float(line.get_ydata()[0]) for line in axes.lines if line.get_gid() == "leader"]
    assert len(dots) == sum(text.arrow_patch is not None for text in axes.texts) >= 1
    assert min(abs(dot - 0.512) for dot in dots) < 1e-9


def test_lines_on_top_of_each_other_have_a_legend():
    """Where no place tells them apart, dashes and colours must."""
    axes = axes_of()
    line = (np.array([0.0, 1.0]), np.array([0.2, 0.9]))
    name_lines(axes, ["one", "other"], [line, line], looks([0, 1]))
    assert len(axes.texts) == 0
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["one", "other"]


def test_a_text_too_large_for_the_axes_is_returned():
    """The caller decides what to do about it."""
    axes = axes_of(1.0, 1.0)
    tag = Tag("a text that is far too long for an inch", ([0.0, 1.0], [0.0, 1.0]), "#000000")
    assert place(axes, [tag], []) == [tag]
    assert len(axes.texts) == 0


def test_a_legend_leaves_nothing_of_labels_that_did_not_fit():
    """Dots of leaders go with their texts."""
    axes = axes_of()
    x = np.linspace(0, 1, 200)
    lines = [(x, 0.5 + 0.012 * k + 0 * x) for k in range(3)]
    twice = [*lines, (x, 0.8 + 0 * x), (x, 0.8 + 0 * x)]
    name_lines(axes, ["a", "b", "c", "d", "e"], twice, looks(range(5)))
    assert axes.get_legend() is not None
    assert not axes.lines
    assert not axes.texts
