#!/usr/bin/env python3
"""Protocols under every kind of progress. See command.py."""
import os

from command import Command, main

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "mpi", "protocols.c")


class Protocols(Command):
    """A program sees the same by every protocol, whoever handles messages. (As ranks do: tests/programs/mpi.)"""
    PROTOCOLS = ([], ["all=rendezvous"], ["all=receiver-post"], ["all=put"], ["credits=40 KiB"], ["pool=40 KiB"],
                 ["all=daemon", "daemon-core=shared"], ["all=daemon", "daemon-soft-limit=64 KiB", "daemon-hard-limit=128 KiB"])
    PROGRESS = ((3, ["progress=thread"]), (2, ["progress=offload"]), (1, ["progress=thread", "progress-core=shared"]))

    def sets(self, protocol, cores, progress):
        keys = ["node.cores=%d" % cores, "mapping.ranks=cyclic", "mpi.eager-limit=8 KiB"]
        keys += ["protocol." + key for key in protocol] + ["mpi." + key for key in progress]
        return sum((["--set", key] for key in keys), [])

    def test_all_together(self):
        self.good("cc", PROGRAM, "-o", "protocols.vc")
        answers = {}
        for protocol in self.PROTOCOLS:
            for cores, progress in self.PROGRESS:
                cores += 2 if "all=daemon" in protocol and "daemon-core=shared" not in protocol else 0
                options = self.sets(protocol, cores, progress)
                out, _ = self.good("run", "-q", "-n", "4", "-m", "crossbar-16", *options, "protocols.vc")
                answers.setdefault(out, options)
        self.assertEqual(len(answers), 1, answers)
        self.assertIn("0 wrong", next(iter(answers)))


if __name__ == "__main__":
    main()
