#!/usr/bin/env python3
"""Protocols under every kind of progress. See command.py."""
import json
import os
import re

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
                ranks = 1 + 2 * (number % 2)
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
        self.same(os.path.join("..", "mpi4", "buffers.c"), ranks=2, some=True) # buffered sends and flushes

    def test_random_programs(self):
        for seed in range(1, 4): # a failure says which
            self.same("random_messages.c", [str(seed)])

    def test_processes_fail(self):
        """Messages that wait for room, posts and pieces when a process ends, or is killed with its node."""
        self.assertIn("3 processes", self.same("protocols_failures.c", ["3", "13"], ranks=6))
        self.assertIn("5 processes", self.same("protocols_failures.c", ["5", "0"], ["--kill", "2@1 ms"], ranks=6))
        self.same("protocols_failures.c", ["1", "0"], ["--kill", "node0@2 ms"], ranks=6, column=1) # how many are there

    def test_a_node_of_four(self):
        """Room that a call of one rank makes at the daemon of its node lets others there go on, and not within that call."""
        options = ["-m", "crossbar-16", "--set", "node.cores=5", "--set", "protocol.all=daemon", "--set", "mpi.eager-limit=900 B"]
        options += sum((["--set", "protocol." + key] for key in self.LIMITS), [])
        for source, ranks, text in (("protocols_failures.c", 6, "1 processes"), ("long_messages_passed_on.c", 23, "not found")):
            out, _ = self.good("run", "-q", "-n", str(ranks), *options, os.path.join(PROGRAMS, source))
            self.assertIn(text, out)

    def test_machines(self):
        """Each protocol has a machine, on which a program sees the same, and which does what its description says."""
        self.good("cc", os.path.join(PROGRAMS, "random_messages.c"), "-o", "program.vc")
        self.make("short.c", SHORT)
        outputs, held, controls = set(), {}, {}
        for machine in ("credits-16", "pool-16", "rendezvous-16", "receiver-post-16", "workstations-8", "put-16", "two-sites-16"):
            outputs.add(self.good("run", "-q", "-n", "4", "-m", machine, "program.vc", "5")[0])
            self.good("run", "-q", "-n", "2", "-m", machine, "--json", "j", "short.c")
            ranks = json.loads(self.read("j"))["ranks"]
            held[machine], controls[machine] = ranks[0]["sends_held"], sum(rank["controls_sent"] for rank in ranks)
        self.assertEqual(len(outputs), 1, outputs)
        self.assertEqual([name for name in held if held[name]], ["credits-16", "pool-16"], held)
        self.assertEqual((controls["rendezvous-16"], controls["put-16"], controls["two-sites-16"]), (200, 0, 0))
        self.assertEqual(controls["receiver-post-16"], 200) # each asks and is answered: the receiver comes late

    def test_wrong_keys(self):
        """What contradicts the machine is refused, with the line if it has one; what has no effect is remarked."""
        refused = ((["--set", "protocol.credits=1 B"], "protocol.credits = 1 B: there must be room for two messages"),
                   (["--set", "protocol.wan=daemon"], "protocol.wan = daemon: there are no messages between clusters"),
                   (["--set", "protocol.wan-pool=1 MiB"], "protocol.wan-pool = 1 MiB: there are no messages between clusters"),
                   (["-m", "credits-16", "--set", "protocol.all=rendezvous"],
                    "credits-16.machine:51:1: error: protocol.credits = 64 KiB: no messages go by a protocol that has this"),
                   (["-m", "pool-16", "--set", "protocol.credits=1 MiB"], "pool-16.machine:51:1: error: protocol.pool = 256 KiB: "
                    "protocol.credits = 1 MiB limits the same buffers"),
                   (["-m", "receiver-post-16", "--set", "protocol.credits=1 MiB"], "protocol.credits = 1 MiB: no messages go by"),
                   (["-m", "two-sites-16", "--set", "protocol.cluster-credits=1 MiB"],
                    "protocol.cluster-credits = 1 MiB: messages of cluster go by put (protocol.cluster), which does not have this"),
                   (["-m", "workstations-8", "--set", "node.cores=1"],
                    "workstations-8.machine:41:1: error: all: node 0 has 1 core, but 1 rank and a daemon, which need one each"),
                   (["--set", "protocol.all=daemon", "--set", "node.cores=2", "--set", "protocol.daemon-hard-limit=1 B"],
                    "protocol.daemon-soft-limit = 1 MiB: it is beyond protocol.daemon-hard-limit"))
        for options, text in refused:
            status, out, err = self.orrery("run", "-n", "2", "-m", "crossbar-16", *options, "hello.c")
            self.assertEqual((status, out), (2, ""), err)
            self.assertIn(text, err)
            self.assertEqual(err.count("\n"), 1, err)
        remarked = (("credits=0", "0 is no limit"), ("pool=0", "0 is no limit"), ("node=put", "nodes have one core each"),
                    ("registration-slots=5", "it is read where protocol.all is put"))
        for key, text in remarked:
            _, err = self.good("run", "-n", "2", "-m", "crossbar-16", "--set", "protocol." + key, "hello.c")
            self.assertRegex(err, "protocol.* (changes nothing|has no effect): " + text)
        _, err = self.good("run", "-n", "2", "-m", "credits-16", "--set", "protocol.credits=0", "hello.c")
        self.assertEqual(err, "")

    def said(self, program, options, arguments=(), status=0):
        """Yields what is said on standard error by each protocol and kind of progress, with the protocol."""
        self.good("cc", program, "-o", "program.vc")
        for (keys, progress) in ((keys, progress) for keys in self.PROTOCOLS[:-1] for _, progress in self.PROGRESS):
            sets = ["node.cores=5", "mpi.eager-limit=900 B"]
            sets += ["protocol." + key for key in keys] + ["mpi." + key for key in progress]
            sets = sum((["--set", key] for key in sets), [])
            name = next((key for key in keys if not key.startswith("chunk")), "plain").split(" ")[0]
            yield name, self.orrery("run", "-q", "-n", "2", "-m", "crossbar-16", *sets, *options, "program.vc", *arguments)

    def test_deadlocks(self):
        """Which call waits, where, and what for: its receive, credits, a pool, a daemon."""
        why = {"credits=2": "(no credits: 1820 of the 2048 bytes that rank 1 buffers for this one are in use)",
               "pool=2": "(the pool of 2048 bytes of rank 1 has no room)",
               "all=rendezvous": "(rendezvous: every message waits for its receive)",
               "all=receiver-post": "(receiver-post: every message waits for its receive)",
               "all=put": "(put: longer than 256 bytes)",
               "all=daemon": "(the daemon of its node has no room: 2184 bytes are stored, the soft limit is 2048)"}
        room = {"credits=2": "rank 0 has sent rank 1 more than it receives: protocol.credits lets it buffer 2048 bytes",
                "pool=2": "others have sent rank 1 more than it receives: protocol.pool lets it buffer 2048 bytes",
                "all=daemon": "bytes of messages for its ranks that they do not receive: protocol.daemon-soft-limit is 2048"}
        self.make("backwards.c", BACKWARDS)
        for name, (status, out, err) in self.said("backwards.c", ["--check=buffering"]):
            if name == "plain":
                self.assertEqual(status, 0, err)
                self.assertIn("rank 0: MPI_Send at backwards.c:8 would wait for ever if standard sends did not buffer", err)
                continue
            self.assertEqual(status, 1, err)
            self.assertRegex(err, r"  rank 0: backwards.c:8: MPI_Send waits for rank 1 to receive tag \d+, 300 bytes " +
                             re.escape(why[name]).replace("2184", r"\d+"))
            self.assertIn("  rank 1: backwards.c:11: MPI_Recv waits for a message from rank 0, tag 39", err)
            self.assertIn("  cycle: 0 -> 1 -> 0\n", err)
            self.assertIn(room.get(name, "unreceived message from rank 0 with tag 0, sent at backwards.c:8"), err)

    def test_buffering_is_found(self):
        """Both send first: --check=buffering says so where it goes well, in threads, too; elsewhere it is a deadlock."""
        self.make("both.c", BOTH)
        for arguments in ([], ["threads"]):
            for name, (status, out, err) in self.said("both.c", ["--check=buffering,deadlock"], arguments):
                if name in ("all=rendezvous", "all=receiver-post"):
                    self.assertEqual(status, 1, err)
                    self.assertRegex(err, "rank 1: (thread 2: )?both.c:10: MPI_Send waits for rank 0 to receive tag 0, 100 bytes "
                                     "\\(" + name[4:] + ": every message waits for its receive\\)")
                    self.assertRegex(err, "cycle: 0( .thread 2.)? -> 1( .thread 2.)? -> 0")
                    self.assertIn("all of them send before they receive", err)
                    continue
                self.assertEqual(status, 0, err)
                self.assertIn("ranks 0, 1: MPI_Send at both.c:10 would wait for ever if standard sends did not buffer: "
                              "MPI_Recv at both.c:11,", err)
                self.assertEqual("--eager-limit 0 shows" in err, name == "plain", err)

    def test_explore(self):
        """Orders are explored under each protocol, and a deadlock is found in those that have it."""
        self.make("wild.c", WILD)
        for name, keys in ((keys[0] if keys else "", keys) for keys in self.PROTOCOLS):
            for progress in ([], ["progress=offload"]):
                sets = ["node.cores=5", "mpi.eager-limit=900 B"]
                sets += ["protocol." + key for key in keys] + ["mpi." + key for key in progress]
                status, out, err = self.orrery("explore", "-n", "3", "-m", "crossbar-16",
                                               *sum((["--set", key] for key in sets), []), "wild.c")
                self.assertEqual(status, 3, (name, out, err))
                self.assertIn("wild.c:11: MPI_Recv waits for a message from rank 1", out + err, name)


SHORT = """#include <mpi.h>
static char data[1000];
int main(void)
{
    int rank;
    MPI_Init(0, 0), MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (double from = MPI_Wtime(); rank && MPI_Wtime() < from + 0.05;)
        ;
    for (int i = 0; i < 100; i++)
        if (rank)
            MPI_Recv(data, 1000, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Send(data, 1000, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
"""

BACKWARDS = """#include <mpi.h>
static char data[300];
int main(void)
{
    int rank;
    MPI_Init(0, 0), MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; rank == 0 && i < 40; i++)
        MPI_Send(data, 300, MPI_CHAR, 1, i, MPI_COMM_WORLD);
    if (rank == 1)
        for (int i = 40; i-- > 0;)
            MPI_Recv(data, 300, MPI_CHAR, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
"""

BOTH = """#include <mpi.h>
#include <pthread.h>
static int rank;
static char out[2][100], in[2][100];

static void *exchange(void *number)
{
    long t = (long)number;
    int other = 1 - rank;
    MPI_Send(out[t], 100, MPI_CHAR, other, (int)t, MPI_COMM_WORLD);
    MPI_Recv(in[t], 100, MPI_CHAR, other, (int)t, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    int level;
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc == 1)
        exchange(0);
    for (long i = 0; argc > 1 && i < 2; i++)
        pthread_create(&threads[i], NULL, exchange, (void *)i);
    for (long i = 0; argc > 1 && i < 2; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
}
"""

WILD = """#include <mpi.h>
int main(void)
{
    int rank, x = 0;
    MPI_Init(0, 0), MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank)
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        /* the other one is to be rank 1 */
        MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
}
"""

if __name__ == "__main__":
    main()
