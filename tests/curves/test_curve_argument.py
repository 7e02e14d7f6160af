import inspect

import pytest

import isocost as ic
from isocost.errors import InputError

Y, S = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]
ROOMS = (ic, ic.measures, ic.curves, ic.decide, ic.curves, ic.inference, ic.metrics)
TAKERS = {
    name: getattr(module, name)
    for module in ROOMS
    for name in module.__all__
    if inspect.isfunction(getattr(module, name))
    and next(iter(inspect.signature(getattr(module, name)).parameters), "") == "curve"
}


@pytest.mark.parametrize("name", sorted(TAKERS))
def test_a_function_that_takes_a_curve_says_how_to_make_one(name):
    """Given labels and scores, as other libraries take them: by position or by name."""
    needed = [p.name for p in inspect.signature(TAKERS[name]).parameters.values() if p.default is p.empty][1:]
    rest = dict.fromkeys(needed, 0.5)
    for given in (Y, None, 0.5, {"a": S}):
        with pytest.raises(
            InputError, match=rf"^the curve that \w+ takes must be a RocCurve, as in .*, got {type(given).__name__}"
        ):
            TAKERS[name](given, **rest)
    with pytest.raises(InputError, match=r"must be a RocCurve, as in .*, got list"):
        TAKERS[name](curve=Y, **rest)
