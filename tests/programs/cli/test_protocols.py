#!/usr/bin/env python3
"""Protocols under every kind of progress. See command.py."""
import os

from command import Command, main

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "mpi")


class Protocols(Command):
    """A program sees the same by every protocol, whoever handles messages, on any number of cores. (As ranks do:
    tests/programs/mpi.)"""
    LIMITS = ["daemon-soft-limit=2 KiB", "daemon-hard-limit=4 KiB"]
    PROTOCOLS = ([], ["credits=2 KiB"], ["pool=2 KiB"], ["all=rendezvous"], ["all=receiver-post", "chunk=1 KiB"],
                 ["all=put", "threshold=256 B", "registration-slots=3"], ["all=daemon", *LIMITS],
                 ["all=daemon", "daemon-core=shared", *LIMITS],
                 ["core=receiver-post", "node=put", "cluster=daemon", "wan-credits=2 KiB", "cluster-nodes=2", *LIMITS])
    # the cores that it takes from each node with n ranks, keys
    PROGRESS = ((0, []), (1, ["progress=thread"]), (0, ["progress=thread", "progress-core=shared"]),
                (0, ["progress=offload", "background=inline", "one-sided=inline"]))

    def matrix(self, some):
        """All, or some: one kind of progress for each protocol."""
        for turn, protocol in enumerate(self.PROTOCOLS):
            own = any("daemon" in key for key in protocol) and "daemon-core=shared" not in protocol
            for number, (threads, progress) in enumerate(self.PROGRESS):
                ranks = 1 + number % 2
                if some and number != turn % len(self.PROGRESS):
                    continue
                keys = ["node.cores=%d" % (ranks * (1 + threads) + own), "mpi.eager-limit=900 B"]
                keys += ["mapping.ranks=" + ("block", "cyclic")[number // 2]]
                keys += ["protocol." + key for key in protocol] + ["mpi." + key for key in progress]
                yield sum((["--set", key] for key in keys), [])

    def same(self, source, arguments=(), options=(), ranks=4, column=0, some=False):
        """Runs the program on all of them and returns its output, from a column on."""
        answers = {}
        self.good("cc", os.path.join(PROGRAMS, source), "-o", "program.vc")
        for keys in self.matrix(some):
            out, _ = self.good("run", "-q", "-n", str(ranks), "-m", "crossbar-16", *keys, *options, "program.vc", *arguments)
            answers.setdefault(out[column:], keys)
        self.assertEqual(len(answers), 1, (source, arguments, answers))
        return next(iter(answers))

    def test_all_together(self):
        self.assertIn("0 wrong", self.same("protocols.c", some=True))

    def test_random_programs(self):
        for seed in range(1, 4): # a failure says which
            self.same("random_messages.c", [str(seed)])

    def test_processes_fail(self):
        """Messages that wait for room, posts and pieces when a process ends, or is killed with its node."""
        self.assertIn("3 processes", self.same("protocols_failures.c", ["3", "13"], ranks=6))
        self.assertIn("5 processes", self.same("protocols_failures.c", ["5", "0"], ["--kill", "2@1 ms"], ranks=6))
        self.same("protocols_failures.c", ["1", "0"], ["--kill", "node0@2 ms"], ranks=6, column=1) # how many are there


if __name__ == "__main__":
    main()
