"""measure.py - what a command costs: CPU time, wall time and peak memory, of it and of all that it started.

Its costs come from wait4 and so are its own; spawn.py starts it, so that its memory is, too. CPU time is what benchmarks
compare, least of several turns, since other work on the machine stretches wall time at will.
"""
import collections
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

SPAWN = pathlib.Path(__file__).resolve().parent / "spawn.py"
Cost = collections.namedtuple("Cost", "output cpu wall peak_mib user status errors")


class TookTooLong(Exception):
    """The command was ended at its time limit."""


def observe(command, cwd=None, stdin=None, env=None, seconds=None, memory=None):
    """Runs a command to its end, however that comes, and answers its cost; raises TookTooLong after so many seconds of the
    clock. Its status is as subprocess has it, negative after a signal; memory bounds its address space, in bytes."""
    command = [str(word) for word in command]
    place = os.path.join(cwd, command[0]) if cwd and "/" in command[0] else command[0]
    program = shutil.which(place)
    if not program:
        sys.exit(f"{place}: not found")

    def bound():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, open(stdin or os.devnull, "rb") as read:
        files = (out.fileno(), err.fileno())
        spawn = [sys.executable, "-I", "-S", SPAWN, *map(str, files), command[0] if place != command[0] else program,
                 *command[1:]]
        process = subprocess.Popen(spawn, pass_fds=files, stdin=read, stdout=subprocess.PIPE, env=env or os.environ,
                                   cwd=cwd, preexec_fn=bound, start_new_session=True)
        try:
            told = process.communicate(timeout=seconds)[0].split()
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise TookTooLong(f"{' '.join(command)}: more than {seconds:g} s") from None
        status, cpu, wall, peak_kib, user = int(told[0]), float(told[1]), float(told[2]), int(told[3]), float(told[4])
        out.seek(0)
        err.seek(0)
        return Cost(out.read(), cpu, wall, peak_kib / 1024, user, os.waitstatus_to_exitcode(status), err.read())


def run(command, may_fail=False):
    """Runs a command to its end. Exits with what it said where it fails, unless it may: then its cost is None."""
    cost = observe(command)
    if cost.status == 0:
        return cost
    if may_fail:
        return None
    sys.exit(f"{' '.join(map(str, command))} failed:\n{cost.errors.decode(errors='replace')}")


def verdict(good):
    return "ok" if good else "MISSED"
