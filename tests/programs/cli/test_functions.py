#!/usr/bin/env python3
"""Functions that programs may call, and those that they may not. See command.py."""
import json

from command import Command, main


class Functions(Command):
    def test_functions_are_explained(self):
        out = self.good("mpi", "--explain", "MPI_Send", "iallreduce_c")[0]
        self.assertIn("int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm\n    comm)\n\nSends", out)
        self.assertIn("\n  dest      rank of the receiver in the communicator, or MPI_PROC_NULL\n", out)
        self.assertRegex(out, r"\nint MPI_Iallreduce_c\([^;]*\)\n\nBegins an operation")
        self.assertTrue(all(len(line) <= 100 for line in out.splitlines()))
        for words in (("MPI_Wtime",), ("MPI_T_event_read", "MPIX_Comm_shrink", "MPI_Pcontrol")):
            self.good("mpi", "--explain", *words)
        self.refused("do you mean MPI_Send?", "mpi", "--explain", "sned")
        self.refused("needs the name of a function", "mpi", "--explain")
        self.refused("MPI_Abi_get_version is no function", "mpi", "--explain", "MPI_Abi_get_version")

    def test_mpi_list(self):
        out, _ = self.good("mpi", "--list")
        self.assertRegex(out, r"(?m)^MPI_Send +MPI-1.0 +provided +communicates$")
        self.assertRegex(out, r"(?m)^MPI_Comm_rank +MPI-1.0 +provided +local$")
        self.assertRegex(out, r"(?m)^MPI_Abi_get_version +MPI-5.0 +missing$")
        rows = [line for line in out.splitlines() if line.startswith("MPI_")]
        self.assertGreater(len(rows), 600)
        self.assertEqual(len(rows), len({line.split()[0] for line in rows}), "a function is listed twice")
        self.assertEqual(len({line.index(" MPI-") for line in rows}), 1, "columns are not aligned")
        self.assertEqual(self.good("mpi", "--list", "cart_SHIFT", "graph_map")[0].split()[::4][:2], ["MPI_Cart_shift", "MPI_Graph_map"])
        out = self.good("mpi", "--list", "--state", "missing", "MPI_Abi_*")[0]
        self.assertTrue(all(line.split()[0].startswith("MPI_Abi_") and line.split()[2] == "missing"
                            for line in out.splitlines()[:-1]), out)
        self.assertEqual(self.good("mpi", "--list", "nothing like it")[0],
                         "0 functions provided, each also under its PMPI_ name; 0 missing\n")
        self.good("mpi", "--json", "mpi.json", "type_size")
        self.assertEqual(json.loads(self.read("mpi.json"))["functions"][0],
                         {"name": "MPI_Type_size", "standard": "1.0", "state": "provided", "local": True})
        self.refused("elsewhere", "mpi", "--state", "elsewhere")

    def test_mpi_functions_that_are_missing(self):
        self.make("put.c", "#include <mpi.h>\nint main(void) { MPI_Abi_get_version(0, 0); PMPI_Abi_get_info(0); return 0; }\n")
        status, _, err = self.orrery("cc", "-c", "-Wall", "-Werror", "put.c")
        self.assertEqual(status, 0, err)
        self.assertIn("'MPI_Abi_get_version': Orrery does not have this function of MPI 5.0", err)
        self.assertIn("'PMPI_Abi_get_info': Orrery does not have this function of MPI 5.0", err)
        self.assertEqual(self.orrery("cc", "-c", "-Werror=attribute-warning", "put.c")[0], 1)
        self.assertEqual(self.good("cc", "-c", "-w", "put.c"), ("", ""))
        self.assertEqual(self.good("cc", "-c", "-Wno-attribute-warning", "put.c"), ("", ""))
        status, _, err = self.orrery("run", "put.c")
        self.assertEqual(status, 134)
        self.assertIn("put.c:2", err)
        self.assertIn("MPI_Abi_get_version cannot be called: Orrery does not have this function of MPI 5.0", err)
        self.make("declared.c", "int MPI_Abi_get_info(int);\nint main(void) { return MPI_Abi_get_info(0); }\n")
        self.good("cc", "declared.c", "-o", "declared")
        status, _, err = self.orrery("run", "declared")
        self.assertEqual(status, 134)
        self.assertIn("MPI_Abi_get_info cannot be called: Orrery does not have this function of MPI 5.0", err)

    def test_calls_that_a_rank_cannot_make(self):
        """The linker warns where they stand, by name and with the reason; the program runs as long as it does without."""
        calls = (("fork()", "cannot start processes"), ('execl("/bin/true", "true", (char *)0)', "cannot start processes"),
                 ("waitpid(-1, &n, 0)", "no child processes"), ('popen("ls", "r")', "cannot start processes"),
                 ('dlopen("libm.so", RTLD_NOW)', "linked as a whole"),
                 ("socket(AF_INET, SOCK_STREAM, 0)", "ranks talk through MPI"), ("connect(n, 0, 0)", "ranks talk through MPI"),
                 ('gethostbyname("localhost")', "ranks talk through MPI"), ('shm_open("/x", 0, 0)', "share no memory"),
                 ("shmget(IPC_PRIVATE, 10, 0)", "share no memory"), ("epoll_create(10)", "has no network"),
                 ("ptrace(PTRACE_TRACEME)", "no such devices"),
                 ("sbrk(0)", "belongs to malloc"))
        headers = ("dlfcn.h", "netdb.h", "stdio.h", "stdlib.h", "sys/ioctl.h", "sys/mman.h", "sys/ptrace.h",
                   "sys/shm.h", "sys/socket.h", "sys/wait.h", "unistd.h")
        text = "".join("#include <%s>\n" % header for header in headers)
        text += ("int main(int argc, char **argv) { int n = argc > 1 ? atoi(argv[1]) : 0;\n"
                 'puts("runs"); fflush(stdout);\n')
        first = text.count("\n") + 1
        text += "".join("if (n == %d) %s;\n" % (i + 1, call) for i, (call, _) in enumerate(calls)) + "return 0; }\n"
        self.make("calls.c", text)
        _, err = self.good("cc", "calls.c", "-o", "calls")
        for i, (call, reason) in enumerate(calls):
            name = call.split("(")[0]
            self.assertRegex(err, r"calls\.c:%d: warning: '%s' ends the run if it is called: .*%s" % (first + i, name, reason))
        self.assertEqual(self.good("cc", "-w", "calls.c", "-o", "calls"), ("", ""))
        self.assertEqual(self.good("run", "calls"), ("runs\n", ""))
        for i, (call, reason) in enumerate(calls):
            status, out, err = self.orrery("run", "calls", str(i + 1))
            self.assertEqual((status, out), (134, "runs\n"))
            self.assertRegex(err, r"calls\.c:%d .*%s cannot be called: .*%s" % (first + i, call.split("(")[0], reason))

    def test_functions_that_are_only_mentioned(self):
        """What never runs does no harm; only what the unit can reach is warned of, once; weak references are null."""
        self.make("helpers.h", "#include <mpi.h>\n#include <pthread.h>\n#include <stdio.h>\n#include <unistd.h>\n"
                  "static inline void tell(int *n) { MPI_Abi_get_version(n, n); }\n"
                  "static void __attribute__((unused)) ask(MPI_Info *i) { PMPI_Abi_get_fortran_info(i); }\n")
        self.make("quiet.c", '#include "helpers.h"\nint main(void) { puts("ok"); return 0; }\n')
        self.assertEqual(self.good("run", "quiet.c"), ("ok\n", ""))
        self.make("mention.c", '#include "helpers.h"\n'
                  "static int later(int n) { return n > 9 ? MPI_Abi_get_info(0) : n; }\n"
                  "static int (*const table[])(int *, int *) = {MPI_Abi_get_version};\n"
                  "extern int MPI_Abi_get_fortran_info(MPI_Info *) __attribute__((weak));\n"
                  "extern int epoll_create(int) __attribute__((weak));\n"
                  'int main(int argc, char **argv) { MPIO_Request r = MPI_REQUEST_NULL; MPI_T_enum e = MPI_T_ENUM_NULL;\n'
                  '  if (argc > 7) table[0](0, 0); if (argc > 8) fork(); if (argc > 8) fork();\n'
                  '  printf("%d %d %d\\n", later(argc), MPI_Abi_get_fortran_info != 0, epoll_create != 0);\n'
                  '  return r != MPI_REQUEST_NULL || e; }\n')
        out, err = self.good("run", "mention.c")
        self.assertEqual(out, "1 0 0\n")
        names = ("'MPI_Abi_get_info':", "'MPI_Abi_get_version':", "'fork' ends", "PMPI_Abi_get_fortran_info", "epoll_create")
        self.assertEqual([err.count(name) for name in names], [1, 1, 1, 0, 0], err)
        status, _, err = self.orrery("run", "mention.c", *7 * ["x"])
        self.assertEqual(status, 134)
        self.assertIn("MPI_Abi_get_version cannot be called", err)
        self.make("forks.c", "#include <unistd.h>\nint main(void) { return fork(); }\n")
        status, _, err = self.orrery("run", "forks.c")
        self.assertEqual(status, 134)
        self.assertIn("fork cannot be called: a simulated rank cannot start processes", err)
        self.make("nowhere.c", "int nowhere(int);\nint main(int argc, char **argv) { return argc > 1 ? nowhere(1) : 0; }\n")
        self.refused("undefined reference to 'nowhere'", "cc", "nowhere.c", "-o", "nowhere", status=1)
        self.good("cc", "nowhere.c", "-Wl,--warn-unresolved-symbols", "-o", "nowhere")
        self.good("run", "nowhere")
        status, _, err = self.orrery("run", "nowhere", "x")
        self.assertEqual(status, 134)
        self.assertIn("nowhere cannot be called: neither the program nor Orrery has this function", err)


if __name__ == "__main__":
    main()
