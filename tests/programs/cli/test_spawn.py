#!/usr/bin/env python3
"""Programs that start others during a run, and programs of one run that meet. See command.py."""
import json
import os

from command import Command, main

STARTS = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    MPI_Comm children;
    int codes[2], error;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    error = MPI_Comm_spawn(argv[1], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, codes);
    printf("%d %d\\n", error == MPI_ERR_SPAWN, codes[1] == MPI_ERR_SPAWN);
    if (!error)
        MPI_Comm_disconnect(&children);
    MPI_Finalize();
    return 0;
}
"""
STARTED = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    MPI_Comm parent;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("%s %d\\n", argv[0], rank);
    MPI_Comm_disconnect(&parent);
    MPI_Finalize();
    return 0;
}
"""
SERVER = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm own, clients;
    int number;
    MPI_Init(&argc, &argv);
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &own);
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Publish_name("numbers", MPI_INFO_NULL, port);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, own, &clients);
    MPI_Recv(&number, 1, MPI_INT, 1, 0, clients, MPI_STATUS_IGNORE);
    printf("server: %d\\n", number);
    MPI_Comm_disconnect(&clients);
    MPI_Unpublish_name("numbers", MPI_INFO_NULL, port);
    MPI_Close_port(port);
    MPI_Comm_free(&own);
    MPI_Finalize();
    return 0;
}
"""
CLIENT = """#include <mpi.h>
int main(int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm own, server;
    int rank, number = 42;
    MPI_Init(&argc, &argv);
    MPI_Comm_split(MPI_COMM_WORLD, 1, 0, &own);
    MPI_Comm_rank(own, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Lookup_name("numbers", MPI_INFO_NULL, port);
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, own, &server);
    if (rank == 1)
        MPI_Send(&number, 1, MPI_INT, 0, 0, server);
    MPI_Comm_disconnect(&server);
    MPI_Comm_free(&own);
    MPI_Finalize();
    return 0;
}
"""


class Spawn(Command):
    def setUp(self):
        super().setUp()
        self.make("starts.c", STARTS)
        self.make("started.c", STARTED)

    def test_sources_and_executables(self):
        for name in ("started", "./started", "started.c", os.path.join(self.folder.name, "started")):
            out, _ = self.good("run", "--label", "starts.c", "--", name)
            self.assertEqual(sorted(out.splitlines()), ["[0] 0 0", "[1] %s 0" % name, "[2] %s 1" % name])
        self.good("cc", "-o", "worker", "started.c")
        out, _ = self.good("run", "starts.c", "./worker")
        self.assertIn("./worker 1", out)
        self.good("cc", "-o", "manager", "starts.c")
        self.assertIn("worker 0", self.good("run", "-n", "3", "./manager", "worker")[0])

    def test_beside_the_program(self):
        os.mkdir(os.path.join(self.folder.name, "sub"))
        self.make("sub/starts.c", STARTS)
        self.make("sub/other.c", STARTED)
        self.assertIn("other 1", self.good("run", "sub/starts.c", "other")[0])

    def test_what_cannot_be_started(self):
        self.make("wrong.c", "int main(void) { return x; }\n")
        self.make("text", "no program\n")
        for name in ("nothing", "wrong", "text", "."):
            status, out, err = self.orrery("run", "starts.c", name)
            self.assertEqual((status, out), (0, "1 1\n"), err)
            if name == "wrong":
                self.assertIn("wrong.c:1:", err)
                self.assertIn("'x' undeclared", err)
        self.assertEqual(self.good("run", "--fs", "none", "starts.c", "started")[0], "1 1\n")

    def test_without_a_handler(self):
        self.make("fatal.c", STARTS.replace("MPI_ERRORS_RETURN", "MPI_ERRORS_ARE_FATAL"))
        status, _, err = self.orrery("run", "fatal.c", "nothing")
        self.assertEqual(status, 134)
        self.assertIn("MPI_Comm_spawn: nothing cannot be started: there is no program", err)

    def test_worlds_in_reports(self):
        _, err = self.good("run", "-n", "2", "--stats", "--json", "run.json", "--traffic", "run.traffic", "starts.c", "started")
        self.assertRegex(err, r"(?m)^worlds +1: ranks 2-3, started, started by rank 0 at ")
        run = json.loads(self.read("run.json"))
        self.assertEqual(run["ranks_total"], 4)
        self.assertEqual(len(run["ranks"]), 4)
        self.assertEqual([(w["first_rank"], w["ranks"], w["started_by"]) for w in run["worlds"]], [(2, 2, 0)])
        self.assertIn(b"ranks 4", self.read("run.traffic"))
        self.good("run", "-n", "2", "--json", "plain.json", "hello.c")
        self.assertNotIn("worlds", json.loads(self.read("plain.json")))

    def test_explore(self):
        out, _ = self.good("explore", "-n", "1", "starts.c", "started")
        self.assertIn("1", out)

    def test_two_programs_meet(self):
        self.make("server.c", SERVER)
        self.make("client.c", CLIENT)
        outs = {self.good("run", "--quantum", quantum, "-n", "1", "server.c", ":", "-n", "3", "client.c")[0]
                for quantum in ("1", "1000000")}
        self.assertEqual(outs, {"server: 42\n"})


main()
