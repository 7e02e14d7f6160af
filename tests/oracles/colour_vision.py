"""How colours look to people who see colours otherwise, and how far apart they look.

Matrices: Machado, Oliveira & Fernandes (2009), A physiologically-based model for simulation of color vision deficiency, IEEE
TVCG 15:1291-1298, doi:10.1109/TVCG.2009.113; severity 1, on linear RGB. OKLab: Ottosson (2020).
"""

import numpy as np

VISION = {
    "normal": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
_TO_CONES = np.array([
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
])  # fmt: skip
_TO_LAB = np.array([
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
])  # fmt: skip


def linear(colour):
    """Linear RGB of a colour such as "#ff4411"."""
    value = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def contrast(colour, other="#ffffff"):
    """WCAG contrast of two colours, from 1 to 21."""
    low, high = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (colour, other))
    return (high + 0.05) / (low + 0.05)


def distance(colour, other, vision):
    """Distance in OKLab, in units of a hundredth of the way from black to white."""
    one, two = (_TO_LAB @ np.cbrt(_TO_CONES @ np.clip(VISION[vision] @ linear(c), 0, 1)) for c in (colour, other))
    return 100 * float(np.linalg.norm(one - two))
