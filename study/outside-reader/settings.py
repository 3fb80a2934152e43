"""How large networks are, how much is drawn, and how the minutes are shared out."""

LARGE = {
    **{"width": 512, "layers": 8, "heads": 8, "dropout": 0.1, "rate": 6e-4, "tokens": 16384, "answers": 8192},
    **{"pair_width": 256, "pair_layers": 4, "pair_rate": 3e-4, "pair_tokens": 16384, "checks": 8, "held": 1500},
    **{"seeds": 3, "hidden": 20000, "tried": 512, "tried_too": 128, "likelihood": 6000, "likelihood_tokens": 8192},
    **{"draws": 64, "releases": 32, "pairs": None, "seed": 1, "notes": None},
}
SMALL = {
    **LARGE,
    **{"width": 32, "layers": 1, "heads": 2, "tokens": 1024, "answers": 256, "pair_width": 32, "pair_layers": 1},
    **{"pair_tokens": 2048, "checks": 2, "held": 20, "seeds": 2, "hidden": 60, "tried": 12, "tried_too": 4},
    **{"likelihood": 20, "draws": 4, "releases": 2, "pairs": 60, "notes": 150, "likelihood_tokens": 2048},
}
# Of a representation that is attacked alone: its control is the same f with so much of its noises.
CONTROL_NOISE = 0.01
REFINEMENTS = (None, 0.95, 0.8, 0.6)
# Of the minutes for learning: readers and networks of pairs in the order in which they learn.
SHARES = {"language": 0.17, "reader": 0.41, "pairs": 0.16, "control reader": 0.18, "control pairs": 0.08}
# Seconds kept for what follows the learning of each.
MEASURING = {"language": 10, "reader": 45, "pairs": 15, "control reader": 35, "control pairs": 12}
