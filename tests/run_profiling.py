#!/usr/bin/env python3
"""Links a wrapper of every MPI function in front of programs, as tools make them from the header.

The wrappers are made of the prototypes in mpi.h, so no function can lack its PMPI form. They are linked as a source
file, and from an archive behind a second library that has wrappers of its own; then calls are counted. With --programs a
profiler like mpiP, which keeps counts, times and bytes by function, is linked in front of the programs of some chapters
of tests/programs: they print what they print without it, and it has seen their calls; with --share one in so many.

    run_profiling.py --orrery build/release/bin/orrery [--programs [CHAPTER...]] [--share N]
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import zlib

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
# What the profiler does round each call. It tells at the end of each process, so it needs nothing of MPI there.
PROFILER = """#include <mpi.h>
#include <stdio.h>
typedef struct Site { const char *name; long calls; double seconds; long long bytes; } Site;
static Site sites[2000];
static int n_sites, level = 1;
static double begin(void)
{
    int running, over;
    PMPI_Initialized(&running);
    PMPI_Finalized(&over);
    return running && !over ? PMPI_Wtime() : -1;
}
static void end(Site *site, double began)
{
    double ended = begin();
    if (!level)
        return;
    site->calls++;
    if (began >= 0 && ended >= 0)
        site->seconds += ended - began;
}
static void sized(Site *site, long long count, MPI_Datatype type)
{
    int size;
    if (level && type != MPI_DATATYPE_NULL && count > 0 && PMPI_Type_size(type, &size) == MPI_SUCCESS)
        site->bytes += count * size;
}
int MPI_Pcontrol(const int to, ...) { level = to; return PMPI_Pcontrol(to); }
__attribute__((destructor)) static void tell(void)
{
    for (int i = 0; i < 2000; i++)
        if (sites[i].calls)
            fprintf(stderr, "profile: %s %ld %.9f %lld\\n", sites[i].name, sites[i].calls, sites[i].seconds, sites[i].bytes);
}
"""
LEFT_OUT = {"mpi.profiling",        # it is such a tool itself
            "mpi.threads_polling"}  # five million polls, none of which can be skipped when a tool sees them
CHAPTERS = ["mpi", "mpi4", "rma"]
SKIPPED = {"MPI_Pcontrol"}  # variable arguments are passed on by hand
TOOLS_OWN = {"MPI_Init", "MPI_Init_thread", "MPI_Allreduce", "MPI_Finalize"}


def prototypes(header, without):
    pattern = r"^([A-Za-z_]+(?: [A-Za-z_]+)*) (MPIX?_\w+)\(([^;]*?)\)( ORRERY_ABSENT\(\"[\d.]+\"\))?;"
    for result, name, parameters, absent in re.findall(pattern, header, re.M):
        if not absent and not result.startswith("typedef") and name not in without:
            yield result, name, parameters


def names_of(parameters):
    each = [] if parameters.strip() == "void" else re.split(r", (?![^(]*\))", parameters)
    return [re.search(r"(\w+)(\[\d*\])*$", parameter).group(1) for parameter in each]


def wrappers(header, without):
    names, lines = [], ["#include <mpi.h>", "#include <stdio.h>", "static long counts[2000];"]
    for result, name, parameters in prototypes(header, without):
        lines.append("%s %s(%s) { counts[%d]++; return P%s(%s); }" %
                     (result, name, parameters, len(names), name, ", ".join(names_of(parameters))))
        names.append(name)
    lines.append("static const char *names[] = {%s};" % ", ".join('"%s"' % name for name in names))
    lines.append("__attribute__((destructor)) static void tell(void) { for (int i = 0; i < %d; i++) if (counts[i]) "
                 'printf("%%s %%ld\\n", names[i], counts[i]); }' % len(names))
    return "\n".join(lines) + "\n", len(names)


def profiler(header):
    """The source of the profiler: point-to-point calls and their like know their bytes."""
    lines, n = [PROFILER], 0
    for result, name, parameters in prototypes(header, SKIPPED | {"MPI_Abort"}):
        arguments = names_of(parameters)
        call = "P%s(%s)" % (name, ", ".join(arguments))
        size = "sized(site, count, datatype); " if {"count", "datatype"} <= set(arguments) and \
            re.search(r"(int|MPI_Count) count\b", parameters) and re.search(r"MPI_Datatype datatype\b", parameters) else ""
        keep = ("%s result_ = " % result, "return result_; ") if result != "void" else ("", "")
        lines.append('%s %s(%s) { Site *site = &sites[%d]; double began_ = begin(); site->name = "%s"; %s%s%s; end(site, began_); '
                     '%s}' % (result, name, parameters, n, name, size, keep[0], call, keep[1]))
        n += 1
    return "\n".join(lines) + "\n", n


def text_of(path, otherwise=""):
    if not os.path.exists(path):
        return otherwise
    with open(path, encoding="utf-8") as file:
        return file.read()


def run_case(orrery, base, tool, folder):
    """Returns what differs with the tool in front, or None."""
    ranks = text_of(base + ".ranks", "4" if os.path.basename(os.path.dirname(base)) == "mpi" else "1").split()[0]
    wanted = base + "-%s.out" % ranks if os.path.exists(base + "-%s.out" % ranks) else base + ".out"
    machine = text_of(base + ".machine").split()
    command = [orrery, "run", "-n", ranks] + (["--machine", machine[0]] if machine else []) + [base + ".c", tool]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, errors="replace")
    same = sorted(result.stdout.splitlines()) == sorted(text_of(wanted).splitlines()) # the tool's time moves the ranks
    if not same or result.returncode != int(text_of(base + ".status", "0")):
        return "status %d\n%s%s" % (result.returncode, result.stdout[-500:], result.stderr[-500:])
    return None if "profile: MPI_" in result.stderr else "the profiler has seen nothing"


def check_programs(orrery, header, chapters, share):
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
    failures = tried = 0
    with tempfile.TemporaryDirectory() as folder:
        source, n = profiler(header)
        with open(os.path.join(folder, "profiler.c"), "w", encoding="utf-8") as file:
            file.write(source)
        run([orrery, "cc", "-w", "-O2", "-c", "profiler.c"], folder)
        for chapter in chapters:
            for name in sorted(os.listdir(os.path.join(root, chapter))):
                base = os.path.join(root, chapter, name[:-2])
                others = [ending for ending in (".flags", ".in", ".args", ".says", ".err") if os.path.exists(base + ending)]
                if not name.endswith(".c") or others or chapter + "." + name[:-2] in LEFT_OUT or \
                        zlib.crc32(name.encode()) % share:
                    continue
                tried += 1
                what = run_case(orrery, base, "profiler.o", folder)
                if what:
                    failures += 1
                    print("%s.%s: %s" % (chapter, name[:-2], what))
    print("%d functions wrapped, %d programs, %d failures" % (n, tried, failures))
    sys.exit(1 if failures or not tried else 0)


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
    parser.add_argument("--programs", nargs="*", metavar="CHAPTER")
    parser.add_argument("--share", type=int, default=1, metavar="N")
    options = parser.parse_args()
    orrery = os.path.abspath(options.orrery)
    share = os.path.join(os.path.dirname(orrery), "..", "share", "orrery", "include")
    with open(os.path.join(share, "mpi.h"), encoding="utf-8") as file:
        header = file.read()
    if options.programs is not None:
        check_programs(orrery, header, options.programs or CHAPTERS, options.share)
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
