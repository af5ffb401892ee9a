"""Results of runs in JSON."""
import json


def read_results(path):
    """Returns what `orrery run --json` has written, as dicts and lists."""
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def columns(rows):
    """Returns dicts of the same things as a dict of lists, one for each key: what pandas.DataFrame() takes. Keys stay
    in the order in which they come first; a row that has none of a name has None there."""
    rows = list(rows)
    names = {name: None for row in rows for name in row}
    return {name: [row.get(name) for row in rows] for name in names}
