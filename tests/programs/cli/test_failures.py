#!/usr/bin/env python3
"""Random programs under random kills: those who are left agree, shrink and go on, and all of them have the same story,
whatever the quantum. See command.py."""
import random
import re

from command import Command, main

SURVIVOR = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned state;

static unsigned draw(unsigned n)
{
    state = state * 1103515245u + 12345u;
    return (state >> 16) % n;
}

/* One step of the program, on all members. Returns the first error. */
static int step(MPI_Comm comm, int rank, int size, unsigned what, int *result)
{
    static int large[40000], in[40000];
    int error = MPI_SUCCESS, one = 1, i, left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Request request, requests[2];
    MPI_Status status;
    MPI_Comm made;
    *result = size;
    switch (what) {
    case 0: return MPI_Allreduce(&one, result, 1, MPI_INT, MPI_SUM, comm);
    case 1: return MPI_Bcast(large, 1 + draw(40000), MPI_INT, draw(size), comm);
    case 2:
        error = MPI_Ibarrier(comm, &request);
        return error ? error : MPI_Wait(&request, &status);
    case 3: return MPI_Sendrecv(&one, 1, MPI_INT, right, 0, &i, 1, MPI_INT, left, 0, comm, &status);
    case 4: /* all to one, from any source */
        for (i = 0; rank == 0 && i < size - 1 && !error; i++)
            error = MPI_Recv(in, 1, MPI_INT, MPI_ANY_SOURCE, 1, comm, &status);
        return rank ? MPI_Send(&one, 1, MPI_INT, 0, 1, comm) : error;
    case 5: /* probes, and messages by rendezvous */
        MPI_Isend(large, 40000, MPI_INT, right, 2, comm, &requests[0]);
        error = MPI_Probe(left, 2, comm, &status);
        if (!error)
            error = MPI_Recv(in, 40000, MPI_INT, left, 2, comm, &status);
        if (error)
            MPIX_Comm_revoke(comm);
        i = MPI_Wait(&requests[0], &status);
        return error ? error : i;
    case 6:
        error = MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, 3, comm, &requests[0]);
        if (!error)
            error = MPI_Send(&one, 1, MPI_INT, left, 3, comm);
        return error ? error : MPI_Wait(&requests[0], &status);
    case 7:
        error = MPI_Comm_dup(comm, &made);
        return error ? error : MPI_Comm_free(&made);
    case 8: return MPI_Alltoall(large, 64, MPI_INT, in, 64, MPI_INT, comm);
    default: return MPI_Reduce_scatter_block(large, in, 8, MPI_INT, MPI_SUM, comm);
    }
}

int main(int argc, char **argv)
{
    int rank, size, error, result, flag, agreed, turn, self, failures = 0;
    unsigned story = 17;
    MPI_Comm comm, left;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &self);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_SELF, &left);
    MPI_Comm_free(&left);
    comm = MPI_COMM_WORLD;
    for (turn = 0; turn < 30; turn++) {
        state = atoi(argv[1]) * 7919u + turn;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        for (volatile int i = 0; i < (int)draw(20000); i++)
            ;
        error = step(comm, rank, size, draw(10), &result);
        if (error)
            MPIX_Comm_revoke(comm);
        flag = !error;
        if (turn % 2) {
            MPIX_Comm_iagree(comm, &flag, &request);
            agreed = MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            agreed = MPIX_Comm_agree(comm, &flag);
        }
        if (flag && !agreed) {
            story = story * 31 + (unsigned)result;
            continue;
        }
        failures++;
        MPIX_Comm_revoke(comm);
        error = MPIX_Comm_shrink(comm, &left);
        if (error) {
            printf("rank %d cannot shrink: %d\\n", self, error);
            return 1;
        }
        MPI_Comm_set_errhandler(left, MPI_ERRORS_RETURN);
        if (comm != MPI_COMM_WORLD)
            MPI_Comm_free(&comm);
        comm = left;
        story = story * 31 + 7;
    }
    MPI_Comm_size(comm, &size);
    printf("%d left, story %u\\n", size, story);
    MPI_Finalize();
    return 0;
}
"""

# Nothing but agreements, in both forms, two of them at a time: what everybody hears must be the same, and no flag may
# be heard that somebody who is left did not bring.
AGREEING = """#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, turn, first, second, codes[3];
    unsigned story = 17;
    MPI_Comm comm, left;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (turn = 0; turn < 12; turn++) {
        first = ~(1 << rank);
        second = 1 << turn | 1 << (rank + 16);
        if (turn % 3 == 0) {
            codes[0] = MPIX_Comm_agree(comm, &first);
            MPIX_Comm_iagree(comm, &second, &requests[1]);
            codes[1] = MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        } else {
            MPIX_Comm_iagree(comm, &first, &requests[0]);
            MPIX_Comm_iagree(comm, &second, &requests[1]);
            codes[1] = MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
            codes[0] = MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        }
        if (first & 1 << rank)
            printf("rank %d: turn %d: its own flag is there\\n", rank, turn);
        if ((second & 0xffff) != 1 << turn)
            printf("rank %d: turn %d: %x\\n", rank, turn, second);
        story = story * 31 + (unsigned)first;
        story = story * 31 + (unsigned)second;
        MPIX_Comm_failure_ack(comm);
    }
    codes[2] = MPIX_Comm_shrink(comm, &left);
    MPI_Comm_size(left, &size);
    printf("%d left (%d), story %u\\n", size, codes[2], story);
    MPI_Comm_set_errhandler(left, MPI_ERRORS_RETURN);
    MPI_Comm_free(&left);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
"""


class Failures(Command):
    def setUp(self):
        super().setUp()
        self.make("survivor.c", SURVIVOR)
        self.make("agreeing.c", AGREEING)
        for name in ("survivor", "agreeing"):
            self.good("cc", "-w", "-o", name, name + ".c")

    def survive(self, seed):
        chance = random.Random(seed)
        ranks = chance.randint(2, 9)
        dead = chance.sample(range(ranks), chance.randint(1, min(3, ranks - 1)))
        at = chance.randint(1, 4000)
        kills = []
        for rank in dead:  # several at one instant, or apart
            kills += ["--kill", "%d@%dus" % (rank, at)]
            at += chance.choice((0, 0, 1, 500, 1100))
        machine = ["--set", "mpi.failure-detection=%dus" % chance.choice((1, 50, 1000))]
        outs = set()
        for quantum in ("1", "1000", "100000000"):
            out, _ = self.good("run", "-n", str(ranks), "--quantum", quantum, *kills, *machine, "./survivor", str(seed))
            outs.add(out)
        self.assertEqual(len(outs), 1, (seed, ranks, kills, outs))
        lines = outs.pop().splitlines()
        self.assertEqual(len(set(lines)), 1, (seed, ranks, kills, lines))
        left = int(re.match(r"(\d+) left", lines[0])[1])
        self.assertLessEqual(ranks - len(dead), len(lines))
        self.assertLessEqual(len(lines), left)

    def test_random_kills(self):
        for seed in range(24):
            with self.subTest(seed=seed):
                self.survive(seed)

    def agree(self, seed):
        """Kills in the middle of agreements: the first of the living, who decides, is often among them."""
        chance = random.Random(seed)
        ranks = chance.randint(2, 11)
        dead = chance.sample(range(ranks), chance.randint(1, ranks - 1))
        if seed % 3 == 0 and 0 not in dead:
            dead[0] = 0
        kills = []
        at = chance.randint(2000, 60000)
        for rank in dead:
            kills += ["--kill", "%d@%dns" % (rank, at)]
            at += chance.choice((0, 1, 300, 2000, 20000))
        options = ["--set", "node.cores=16"] # the kills are to come behind MPI_Comm_dup
        options += ["--set", "mpi.failure-detection=%dns" % chance.choice((1, 500, 3000, 100000))]
        options += ["--set", "collectives.agreement=" + chance.choice(("tree", "star"))]
        options += ["--set", "mpi.eager-limit=%d B" % chance.choice((0, 4096))]
        outs = set()
        for quantum in ("1", "100000000"):
            out, _ = self.good("run", "-n", str(ranks), "--quantum", quantum, *kills, *options, "./agreeing")
            outs.add(out)
        self.assertEqual(len(outs), 1, (seed, ranks, kills, options, outs))
        lines = outs.pop().splitlines()
        self.assertEqual(len(set(lines)), 1, (seed, ranks, kills, options, lines))
        self.assertLessEqual(ranks - len(dead), len(lines))

    def test_kills_in_agreements(self):
        for seed in range(60):
            with self.subTest(seed=seed):
                self.agree(seed)


main()
