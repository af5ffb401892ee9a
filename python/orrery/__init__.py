"""Reads what Orrery writes: traces of runs (`orrery run --trace`) and results (`--json`). Standard library only.

    import orrery
    trace = orrery.Trace("run.trace")
    for event in trace.events(kinds=["call"], ranks=[0]):
        print(event["time_ps"], event["function"], event["site"].line)
    pandas.DataFrame(trace.columns("message"))            # if you have pandas
    run = orrery.read_results("run.json")
    pandas.DataFrame(orrery.columns(run["ranks"]))
"""
from .results import columns, read_results
from .trace import Site, Trace, TraceError

__all__ = ["Site", "Trace", "TraceError", "columns", "read_results"]
