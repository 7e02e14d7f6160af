"""Write delong_cases.csv: labels and tied scores of five models, for delong.R and test_delong.py."""

from pathlib import Path

import numpy as np


def main() -> None:
    """Draw 137 cases; fine and twin are almost the same model, backwards ranks the wrong way."""
    rng = np.random.default_rng(20240)
    y = (rng.random(137) < 0.35).astype(int)
    latent = rng.normal(size=137) + 1.2 * y
    columns = {
        "y": y,
        "coarse": np.round(latent + rng.normal(size=137)).astype(int),
        "fine": np.round(latent, 1),
        "binary": (latent > 0.6).astype(int),
        "backwards": np.round(-latent + rng.normal(size=137), 1),
        "twin": np.round(latent + 0.05 * rng.normal(size=137), 1),
    }
    lines = [",".join(columns)] + [
        ",".join(str(v) for v in row) for row in zip(*(c.tolist() for c in columns.values()), strict=True)
    ]
    Path(__file__).with_name("delong_cases.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
