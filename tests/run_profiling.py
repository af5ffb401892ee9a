#!/usr/bin/env python3
"""Links a wrapper of every MPI function in front of a program, as tools make them from the header, and counts its calls.

The wrappers are made of the prototypes in mpi.h, so no function can lack its PMPI form. They are linked as a source
file, and from an archive behind a second library that has wrappers of its own.

    run_profiling.py --orrery build/release/bin/orrery
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size, got, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; i++)
        MPI_Allreduce(&got, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Pcontrol(1);
    MPI_Finalize();
    return sum != 1;
}
"""
# A wrapper of some functions, as mpiP has them: all ways of starting, what it measures, what it prints at the end.
TOOL = """
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
static double seconds;
static int calls, level = -1;
int MPI_Init(int *argc, char ***argv) { int result = PMPI_Init(argc, argv); seconds = -PMPI_Wtime(); return result; }
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{ int result = PMPI_Init_thread(argc, argv, required, provided); seconds = -PMPI_Wtime(); return result; }
int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{ calls++; return PMPI_Allreduce(in, out, n, type, op, comm); }
int MPI_Pcontrol(const int to, ...) { level = to; return PMPI_Pcontrol(to); }
int MPI_Finalize(void)
{
    int rank, all;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Reduce(&calls, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!rank)
        printf("tool: %d calls, level %d, time %s\\n", all, level, seconds + PMPI_Wtime() > 0 ? "goes by" : "stands");
    return PMPI_Finalize();
}
"""
SKIPPED = {"MPI_Pcontrol"}  # variable arguments are passed on by hand
TOOLS_OWN = {"MPI_Init", "MPI_Init_thread", "MPI_Allreduce", "MPI_Finalize"}


def wrappers(header, without):
    names, lines = [], ["#include <mpi.h>", "#include <stdio.h>", "static long counts[2000];"]
    pattern = r"^([A-Za-z_]+(?: [A-Za-z_]+)*) (MPIX?_\w+)\(([^;]*?)\)( ORRERY_ABSENT\(\"[\d.]+\"\))?;"
    for result, name, parameters, absent in re.findall(pattern, header, re.M):
        if absent or result.startswith("typedef") or name in without:
            continue
        each = [] if parameters.strip() == "void" else re.split(r", (?![^(]*\))", parameters)
        arguments = ", ".join(re.search(r"(\w+)(\[\d*\])*$", parameter).group(1) for parameter in each)
        lines.append("%s %s(%s) { counts[%d]++; return P%s(%s); }" %
                     (result, name, parameters, len(names), name, arguments))
        names.append(name)
    lines.append("static const char *names[] = {%s};" % ", ".join('"%s"' % name for name in names))
    lines.append("__attribute__((destructor)) static void tell(void) { for (int i = 0; i < %d; i++) if (counts[i]) "
                 'printf("%%s %%ld\\n", names[i], counts[i]); }' % len(names))
    return "\n".join(lines) + "\n", len(names)


def run(command, folder):
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit("%s: status %d\n%s" % (" ".join(command), result.returncode, result.stderr))
    return sorted(set(result.stdout.splitlines()))


def check(what, lines, wanted):
    if lines != sorted(wanted):
        sys.exit("%s: %s instead of %s" % (what, lines, sorted(wanted)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--orrery", required=True)
    orrery = os.path.abspath(parser.parse_args().orrery)
    share = os.path.join(os.path.dirname(orrery), "..", "share", "orrery", "include")
    with open(os.path.join(share, "mpi.h"), encoding="utf-8") as file:
        header = file.read()
    with tempfile.TemporaryDirectory() as folder:
        every, n = wrappers(header, SKIPPED)
        others, _ = wrappers(header, SKIPPED | TOOLS_OWN)
        for name, text in (("program", PROGRAM), ("tool", TOOL), ("every", every), ("others", others)):
            with open(os.path.join(folder, name + ".c"), "w", encoding="utf-8") as file:
                file.write(text)
            run([orrery, "cc", "-w", "-c", name + ".c"], folder)
        run(["ar", "rcs", "libtool.a", "tool.o"], folder)
        run(["ar", "rcs", "libothers.a", "others.o"], folder)
        counts = ["MPI_Comm_rank 1", "MPI_Comm_size 1", "MPI_Sendrecv 1"]
        all_counts = counts + ["MPI_Init 1", "MPI_Finalize 1", "MPI_Allreduce 3"]
        check("all functions", run([orrery, "run", "-n", "2", "program.o", "every.o"], folder), all_counts)
        run([orrery, "cc", "-o", "linked", "program.o", "-L.", "-ltool", "-lothers"], folder)
        told = "tool: 6 calls, level 1, time goes by"
        check("two libraries", run([orrery, "run", "-n", "2", "linked"], folder), counts + [told])
    print("%d functions wrapped" % n)


main()
