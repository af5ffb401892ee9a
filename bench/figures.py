"""figures.py - the arithmetic of benchmarks: means of ratios, exponents of growth, halves of a list of names."""
import hashlib
import math


def geometric_mean(ratios):
    """None where there is nothing to take a mean of."""
    ratios = list(ratios)
    return math.exp(math.fsum(map(math.log, ratios)) / len(ratios)) if ratios else None


def half_of(name):
    """"tuned" or "held": which half of all programs one belongs to, by its name alone."""
    return "held" if hashlib.sha256(name.encode()).digest()[0] & 1 else "tuned"


def exponent(sizes, costs):
    """How the cost grows with the size, whatever it begins with: the slope of log(increment) over log(size) from each size
    to the next, by least squares. Sizes grow by a constant factor. What does not grow is left out; None where fewer than
    two increments remain."""
    points = [(math.log(to_size), math.log(to - of)) for to_size, of, to in zip(sizes[1:], costs, costs[1:]) if to > of]
    if len(points) < 2:
        return None
    mean_x, mean_y = (math.fsum(values) / len(points) for values in zip(*points))
    spread = math.fsum((x - mean_x) ** 2 for x, _ in points)
    return math.fsum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread > 0 else None
