#!/usr/bin/env python3
"""What programs see of the host: nothing. See command.py."""
import fcntl
import json
import os
import subprocess

from command import Command, ORRERY, main


class Host(Command):
    """Nothing of the host shows in a program, and nothing of the simulator is in its reach."""

    MODES = r"""
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
static void show(const char *name)
{
    struct stat s;
    if (stat(name, &s))
        perror(name);
    else
        printf("%s %o %ld %d %d %ld\n", name, s.st_mode, (long)s.st_nlink, (int)s.st_uid, (int)s.st_dev, (long)s.st_mtime);
    remove(name);
}
int main(void)
{
    fclose(fopen("made", "w"));
    show("made");
    close(open("opened", O_CREAT | O_WRONLY, 0666));
    show("opened");
    close(open("closed", O_CREAT | O_WRONLY | O_EXCL, 0400));
    show("closed");
    mkdir("folder", 0777);
    show("folder");
    printf("%o\n", umask(0027));
    close(creat("masked", 0777));
    show("masked");
    char name[] = "tempXXXXXX";
    close(mkstemp(name));
    show(name);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    printf("%ld %ld\n", (long)limit.rlim_cur, sysconf(_SC_OPEN_MAX));
    printf("%s %s\n", getenv("HOME"), getenv("PATH"));
    return 0;
}
"""
    MANY = r"""
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, n = 0, most = atoi(argv[1]), last = -1, fd;
    char name[40];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sprintf(name, "file%d", rank);
    while (n < most && (fd = open(name, O_CREAT | O_RDWR, 0600)) >= 0)
        n++, last = fd;
    printf("%d: %d %d %s\n", rank, n, last, n < most ? strerror(errno) : "");
    if (n < most) {
        sprintf(name, "not%d", rank);
        printf("%d %d %d %d\n", open(name, O_CREAT | O_RDWR, 0600), access(name, F_OK), dup(0), fopen(name, "w") != 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""
    BURGLAR = r"""
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static int n;
static void try(int worked)
{
    n++;
    if (worked)
        printf("%d works\n", n);
}
int main(int argc, char **argv)
{
    char cache[500], orrery[500], entry[500], up[600];
    sprintf(cache, "%s/.cache", argv[1]), sprintf(orrery, "%s/orrery", cache), sprintf(entry, "%s/native/entry", orrery);
    sprintf(up, "%s/x/../.cache/orrery/native/entry", argv[1]);
    try(fopen(entry, "r") != 0);
    try(fopen(entry, "w") != 0);
    try(fopen(up, "r+") != 0);
    mkdir("x", 0777);
    try(fopen(up, "r+") != 0);
    try(unlink(entry) == 0);
    try(chmod(entry, 0777) == 0);
    try(truncate(entry, 0) == 0);
    try(rename(entry, "taken") == 0);
    try(link(entry, "taken") == 0);
    try(symlink(entry, "link") == 0 && fopen("link", "r") != 0);
    try(symlink(orrery, "way") == 0 && fopen("way/native/entry", "r+") != 0);
    try(symlink("nothing", "way/native/new") == 0);
    try(symlink(".cache/orrery/native/fresh", "dangling") == 0 && fopen("dangling", "w") != 0);
    try(rename(cache, "moved") == 0);
    try(rename(orrery, "moved") == 0);
    try(rename("x", cache) == 0);
    try(opendir(orrery) != 0);
    try(chdir(orrery) == 0);
    try(chdir(cache) == 0 && fopen("orrery/native/entry", "r") != 0);
    try(mkdir(orrery, 0777) == 0);
    try(rmdir(orrery) == 0);
    try(access(entry, F_OK) == 0);
    try(open("/proc/self/mem", O_RDWR) >= 0);
    try(open("/proc/self/maps", O_RDONLY) >= 0);
    printf("%d tried\n", n);
    return 0;
}
"""

    def test_modes_of_new_files(self):
        self.make("modes.c", self.MODES)
        first = None
        for mask in (0o022, 0, 0o077, 0o777):
            old = os.umask(mask)
            try:
                done = subprocess.run([ORRERY, "run", "modes.c"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      cwd=self.folder.name, text=True, timeout=100, check=False,
                                      env=dict(os.environ, HOME="/somewhere", TMPDIR=self.folder.name))
            finally:
                os.umask(old)
            first = first or done.stdout
            self.assertEqual(done.stdout, first, f"umask {mask:o}")
        for line in ("made 100644 1 1000 1 946684800", "opened 100644 ", "closed 100400 ", "folder 40755 2 ", "22",
                     "masked 100750 ", "1024 1024", "/ /usr/bin:/bin"):
            self.assertIn(line, first)

    def test_each_rank_has_its_descriptors(self):
        self.make("many.c", self.MANY)
        wanted = None
        for soft in (64, 300):
            done = subprocess.run(["sh", "-c", f"ulimit -S -n {soft}; exec {ORRERY} run -n 3 many.c 2000"],
                                  capture_output=True, cwd=self.folder.name, text=True, timeout=100, check=False)
            wanted = wanted or done.stdout
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout, wanted)
        for rank in range(3):
            self.assertIn(f"{rank}: 1021 1023 Too many open files", wanted)
        self.assertEqual(wanted.count("-1 -1 -1 0"), 3)

    def test_the_host_s_own_limit_is_told(self):
        self.make("many.c", self.MANY)
        done = subprocess.run(["sh", "-c", f"ulimit -n 128; exec {ORRERY} run -n 3 many.c 100"], capture_output=True,
                              cwd=self.folder.name, text=True, timeout=100, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("open: the simulator cannot open more files for all ranks together: this host allows it 128",
                      done.stderr)
        self.assertNotIn("Too many", done.stdout)

    HOG = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, x = 0, kind = argc > 1 ? atoi(argv[1]) : 0;
    static char block[5000];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("rank %d\n", rank);
    for (int i = 0; kind == 3 && i < 1000; i++) {
        char *p = malloc(1 << 20);
        memset(p, 1, 100);
        free(p);
    }
    while (kind == 0 && rank == 1) {
        char *p = malloc(100000);
        if (!p)
            puts("NULL");
        memset(p, 1, 100000);
    }
    while (kind == 1 && rank == 0)
        MPI_Send(block, sizeof block, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    while (kind == 2 && rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""

    def hog(self, *options):
        status, out, err = self.orrery("run", "-n", "3", "--json", "run.json", *options)
        return status, out, err, json.loads(self.read("run.json"))

    def test_memory_has_a_bound(self):
        self.make("hog.c", self.HOG)
        for kind, said in (("0", r"data and heaps of the ranks: 20\.0 MiB\n    rank 1: 20\.0 MiB"),
                           ("1", r"messages sent and not yet received: 20\.0 MiB\n    at rank 1: [34]... that"),
                           ("2", r"8.... messages sent and not yet received: 20\.0 MiB\n    at rank 1: 8")):
            first = self.hog("--memory", "20 MiB", "hog.c", kind)
            self.assertEqual(first[0], 1, first[2])
            self.assertEqual(first[1], "rank 0\nrank 1\nrank 2\n")
            self.assertRegex(first[2], r"stopped at virtual time .*: the program has taken more than the 20\.0 MiB of memory")
            self.assertRegex(first[2], said)
            for options in (["--quantum", "100"], ["--jobs", "2"], ["--check", "-q"], ["--stats"]):
                again = self.hog("--memory", "20 MiB", *options, "hog.c", kind)
                self.assertEqual((again[0], again[1], again[3]), (first[0], first[1], first[3]), options)
        status, _, err, _ = self.hog("--memory", "20 MiB", "hog.c", "3")
        self.assertEqual(status, 0, err)

    def test_memory_of_other_commands(self):
        self.make("hog.c", self.HOG)
        self.make("hog.sweep", "[sweep]\nprogram = hog.c\nranks = 2 3\nmachines = laptop\n")
        _, _, err = self.orrery("sweep", "--memory", "5 MiB", "hog.sweep")
        self.assertIn("run 2 has no result: stopped at virtual time", err)
        status, out, err = self.orrery("explore", "-n", "2", "--memory", "5 MiB", "hog.c")
        self.assertEqual(status, 3, err)
        self.assertIn("uses up its memory", out + err)
        _, out, err = self.orrery("debug", "-n", "2", "--memory", "5 MiB", "hog.c", stdin="run\nquit\n")
        self.assertIn("has taken more than the 5.0 MiB", out + err)
        self.refused("--memory 0: nothing could run", "run", "--memory", "0", "hello.c")
        self.refused("--memory: ", "run", "--memory", "much", "hello.c")

    def test_the_cache_is_out_of_reach(self):
        self.make("burglar.c", self.BURGLAR)
        for fs in ("cwd", "all"):
            for where in ("HOME", "ORRERY_CACHE"):
                home = os.path.join(self.folder.name, f"{where}-{fs}")
                os.makedirs(os.path.join(home, ".cache/orrery/native"))
                self.make(os.path.join(home, ".cache/orrery/native/entry"), "secret")
                environment = {k: v for k, v in os.environ.items() if k not in ("ORRERY_CACHE", "XDG_CACHE_HOME")}
                environment["HOME"] = home
                if where == "ORRERY_CACHE":
                    environment.update(HOME="/nowhere", ORRERY_CACHE=os.path.join(home, ".cache/orrery"))
                done = subprocess.run([ORRERY, "run", "--fs", fs, "--tier", "interp", "../burglar.c", home],
                                      capture_output=True, cwd=home, text=True, timeout=100, env=environment, check=False)
                self.assertEqual(done.stdout, "24 tried\n", f"--fs {fs}, {where}: {done.stderr}")
                with open(os.path.join(home, ".cache/orrery/native/entry"), encoding="utf-8") as file:
                    self.assertEqual(file.read(), "secret")


if __name__ == "__main__":
    main()
