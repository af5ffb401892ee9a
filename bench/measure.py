"""measure.py - what a command costs: CPU time, wall time and peak memory, of it and of all that it started.

Its costs come from wait4 and so are its own; spawn.py starts it, so that its memory is, too. CPU time is what benchmarks
compare, least of several turns, since other work on the machine stretches wall time at will.
"""
import collections
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SPAWN = pathlib.Path(__file__).resolve().parent / "spawn.py"
Cost = collections.namedtuple("Cost", "output cpu wall peak_mib")


def run(command, may_fail=False):
    """Runs a command to its end. Exits with what it said where it fails, unless it may: then its cost is None."""
    command = [str(word) for word in command]
    program = shutil.which(command[0])
    if not program:
        sys.exit(f"{command[0]}: not found")
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        files = (out.fileno(), err.fileno())
        spawn = [sys.executable, "-I", "-S", SPAWN, *map(str, files), program, *command[1:]]
        told = subprocess.run(spawn, pass_fds=files, check=True, stdout=subprocess.PIPE, env=os.environ).stdout.split()
        status, cpu, wall, peak_kib = int(told[0]), float(told[1]), float(told[2]), int(told[3])
        out.seek(0)
        err.seek(0)
        if status == 0:
            return Cost(out.read(), cpu, wall, peak_kib / 1024)
        if may_fail:
            return None
        sys.exit(f"{' '.join(command)} failed:\n{err.read().decode(errors='replace')}")


def verdict(good):
    return "ok" if good else "MISSED"
