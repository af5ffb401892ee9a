"""spawn.py OUT ERR PROGRAM ARGUMENTS... - runs a program and prints its status, CPU time, wall time, peak memory in KiB
and how much of the CPU time was the user's.

For measure.py: a process begins with the peak memory of the one that started it, so whoever starts what is measured
must be small.
"""
import os
import sys
import time

out, err, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
start = time.monotonic()
pid = os.posix_spawn(command[0], command, os.environ,
                     file_actions=[(os.POSIX_SPAWN_DUP2, out, 1), (os.POSIX_SPAWN_DUP2, err, 2)])
_, status, usage = os.wait4(pid, 0)
print(status, usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss, usage.ru_utime)
