"""measure.py - what a command costs: CPU time, wall time and peak memory, of it and of all that it started.

The child is made by posix_spawn (which does not copy this process), its costs come from wait4 and so are its own. CPU
time is what benchmarks compare, least of several turns, since other work on the machine stretches wall time at will.
"""
import collections
import os
import shutil
import sys
import tempfile
import time

Cost = collections.namedtuple("Cost", "output cpu wall peak_mib")


def run(command, may_fail=False):
    """Runs a command to its end. Exits with what it said where it fails, unless it may: then its cost is None."""
    command = [str(word) for word in command]
    program = shutil.which(command[0])
    if not program:
        sys.exit(f"{command[0]}: not found")
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        actions = [(os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, err.fileno(), 2)]
        start = time.monotonic()
        pid = os.posix_spawn(program, command, os.environ, file_actions=actions)
        _, status, usage = os.wait4(pid, 0)
        wall = time.monotonic() - start
        out.seek(0)
        err.seek(0)
        if status == 0:
            return Cost(out.read(), usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)
        if may_fail:
            return None
        sys.exit(f"{' '.join(command)} failed:\n{err.read().decode(errors='replace')}")


def verdict(good):
    return "ok" if good else "MISSED"
