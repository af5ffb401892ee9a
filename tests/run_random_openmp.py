#!/usr/bin/env python3
"""run_random_openmp.py - random programs with OpenMP, whose output does not depend on the order of threads: the host's
compiler and threads, and Orrery under several quanta, tiers and numbers of threads, must print the same.

    run_random_openmp.py --orrery build/release/bin/orrery [--seeds FROM,TO] [--print SEED]

A program is a row of blocks, each with a result of its own; a difference names the seed and the block's line.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

HEAD = """#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long Word;

static Word own = 3;
#pragma omp threadprivate(own)

typedef struct Pair {
    Word low, sum;
} Pair;
#pragma omp declare reduction(join : Pair : omp_out.sum += omp_in.sum, \\
    omp_out.low = omp_in.low < omp_out.low ? omp_in.low : omp_out.low) initializer(omp_priv = {~0UL, 0})

static Word mix(Word x)
{
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15UL;
    return x ^ x >> 27;
}

static Word tree(Word seed, int depth)
{
    Word left = 0, right = 0;
    if (depth == 0)
        return mix(seed);
#pragma omp task shared(left) if (depth > 2) firstprivate(seed)
    left = tree(seed * 3 + 1, depth - 1);
#pragma omp task shared(right) final(depth < 2) mergeable
    right = tree(seed ^ (Word)depth, depth - 1);
#pragma omp taskwait
    return left + mix(right);
}
"""

SCHEDULES = ["", "schedule(static)", "schedule(static, %d)", "schedule(dynamic)", "schedule(dynamic, %d)",
             "schedule(guided)", "schedule(guided, %d)", "schedule(auto)", "schedule(runtime)",
             "schedule(nonmonotonic: dynamic, %d)", "schedule(monotonic: static, %d)", "schedule(simd: guided, %d)"]
OPERATORS = [("+", "r += v"), ("-", "r -= v"), ("*", "r *= v | 1"), ("^", "r ^= v"), ("|", "r |= v & v >> 3"),
             ("&", "r &= v | v << 5"), ("max", "r = v > r ? v : r"), ("min", "r = v < r ? v : r"),
             ("&&", "r = r && v % 977"), ("||", "r = r || v % 977 == 5")]
LOOPS = [("int i = 0; i < %(n)d; i++", "i"), ("int i = %(n)d; i > 0; i -= %(s)d", "i"),
         ("unsigned i = 3; i <= %(n)d; i += %(s)d", "i"), ("long i = -%(n)d; i < %(n)d; i += %(s)d", "i"),
         ("short i = 0; i < %(n)d; i = i + %(s)d", "i"), ("unsigned char *i = base; i < base + %(n)d; i += %(s)d", "i - base")]


def schedule(draw):
    text = draw.choice(SCHEDULES)
    return text % draw.randint(1, 9) if "%d" in text else text


def reduction_loop(draw):
    operator, step = draw.choice(OPERATORS)
    loop, index = draw.choice(LOOPS)
    loop = loop % {"n": draw.randint(1, 120), "s": draw.randint(1, 7)}
    simd = draw.choice(["", " simd"])
    plan = schedule(draw) if simd == "" else draw.choice(["", "schedule(static, 4)"])
    return """static unsigned char base[128];
        Word r = %(k)d;
#pragma omp parallel for%(simd)s reduction(%(o)s : r) %(plan)s %(threads)s
        for (%(loop)s) {
            Word v = mix((Word)(%(index)s) + %(k)d);
            %(step)s;
        }
        result = r;""" % {"k": draw.randint(1, 99), "o": operator, "plan": plan, "loop": loop, "index": index,
                          "step": step, "simd": simd, "threads": draw.choice(["", "num_threads(3)", "if (0)"])}


def array_reduction(draw):
    return """Word bins[8] = {0}, rows[2][3] = {{0}};
#pragma omp parallel
        {
#pragma omp for reduction(+ : bins, rows) %(plan)s nowait
            for (int i = 0; i < %(n)d; i++) {
                bins[mix((Word)i) %% 8] += (Word)i;
                rows[i %% 2][i %% 3] += mix((Word)i);
            }
        }
        for (int i = 0; i < 8; i++)
            result = mix(result + bins[i]);
        result += rows[0][0] ^ rows[0][1] ^ rows[1][2];""" % {"plan": schedule(draw), "n": draw.randint(1, 200)}


def ordered_loop(draw):
    return """Word h = 1, last = 0;
        int a = %(a)d;
#pragma omp parallel for ordered %(plan)s firstprivate(a) lastprivate(last)
        for (int i = 0; i < %(n)d; i++) {
            Word v = mix((Word)(i + a));
            last = v;
#pragma omp ordered
            h = h * 31 + v;
        }
        result = h ^ last;""" % {"plan": draw.choice(["", "schedule(dynamic)", "schedule(dynamic, 3)",
                                                      "schedule(static, 2)", "schedule(guided)"]),
                                  "n": draw.randint(1, 60), "a": draw.randint(0, 50)}


def doacross(draw):
    return """Word cell[12][12];
        memset(cell, 1, sizeof cell);
#pragma omp parallel for ordered(2) %(plan)s
        for (int i = 1; i < %(n)d; i++)
            for (int k = 1; k < %(m)d; k++) {
#pragma omp ordered depend(sink : i - 1, k) depend(sink : i, k - 1)
                cell[i][k] = mix(cell[i - 1][k] + 3 * cell[i][k - 1]);
#pragma omp ordered depend(source)
            }
        for (int i = 0; i < 144; i++)
            result = result * 7 + ((Word *)cell)[i];""" % {"plan": draw.choice(["", "schedule(static, 1)",
                                                                               "schedule(dynamic)"]),
                                                             "n": draw.randint(2, 12), "m": draw.randint(2, 12)}


def collapsed(draw):
    return """Word sum = 0;
        int x = -1, y = -1;
#pragma omp parallel for collapse(%(c)d) %(plan)s reduction(+ : sum) lastprivate(x, y)
        for (x = 0; x < %(n)d; x++)
            for (y = %(m)d; y >= 0; y -= 2)
                for (int z = 0; z < 3; z++)
                    sum += mix((Word)(x * 1000 + y * 10 + z));
        result = sum + (Word)(%(ends)s);""" % (lambda c: {
            "c": c, "plan": schedule(draw), "n": draw.randint(1, 9), "m": draw.randint(0, 9),
            "ends": "x * 100" if c == 1 else "x * 100 + y"})(draw.choice([2]))


def sections(draw):
    parts = "\n".join("#pragma omp section\n            { r += mix(%dUL); last = %d; }" % (draw.randrange(999), i)
                      for i in range(draw.randint(1, 6)))
    return """Word r = 0;
        int last = -1;
#pragma omp parallel sections reduction(+ : r) lastprivate(last)
        {
%s
        }
        result = r * 8 + (Word)last;""" % parts


def singles(draw):
    return """Word seen = 0;
#pragma omp parallel reduction(+ : seen) num_threads(%(t)d)
        {
            Word mine = own, got;
#pragma omp single copyprivate(got)
            got = mix(%(k)dUL);
#pragma omp barrier
            seen += got == mix(%(k)dUL);
#pragma omp master
            own = mine;
#pragma omp single nowait
            seen += 100;
        }
        result = seen;""" % {"t": draw.randint(1, 6), "k": draw.randrange(999)}


def threadprivate(draw):
    t = draw.randint(1, 5)
    return """Word sum = 0;
        omp_set_dynamic(0);
        own = %(k)d;
#pragma omp parallel copyin(own) num_threads(%(t)d)
        own += (Word)omp_get_thread_num();
#pragma omp parallel num_threads(%(t)d) reduction(+ : sum)
        sum += mix(own);
        result = sum;""" % {"k": draw.randrange(99), "t": t}


def tasks_tree(draw):
    return """#pragma omp parallel num_threads(%d)
#pragma omp single nowait
        result = tree(%dUL, %d);""" % (draw.randint(1, 5), draw.randrange(999), draw.randint(1, 7))


def tasks_depend(draw):
    steps = []
    for _ in range(draw.randint(3, 14)):
        one, two = draw.randrange(4), draw.randrange(4)
        steps.append(draw.choice([
            "#pragma omp task depend(inout : v[%(a)d]) priority(%(p)d)\n            v[%(a)d] = mix(v[%(a)d] + %(k)d);",
            "#pragma omp task depend(in : v[%(a)d]) depend(out : w[%(b)d])\n            w[%(b)d] = mix(v[%(a)d] ^ %(k)d);",
            "#pragma omp task depend(in : w[%(b)d]) depend(inout : v[%(a)d])\n            v[%(a)d] += w[%(b)d];",
            "#pragma omp task if (0) depend(in : v[%(a)d], w[%(b)d])\n            seen += mix(v[%(a)d] + w[%(b)d]);",
            "#pragma omp taskgroup\n            {\n#pragma omp task depend(out : w[%(b)d])\n"
            "            w[%(b)d] = %(k)d;\n#pragma omp task depend(in : w[%(b)d])\n            w[%(b)d] = w[%(b)d];\n"
            "            }",
            "#pragma omp taskwait\n            seen += v[%(a)d];",
        ]) % {"a": one, "b": two, "k": draw.randint(1, 99), "p": draw.randrange(3)})
    return """Word v[4] = {1, 2, 3, 4}, w[4] = {5, 6, 7, 8}, seen = 0;
#pragma omp parallel num_threads(%d)
#pragma omp single
        {
            %s
        }
        for (int i = 0; i < 4; i++)
            result = mix(result + v[i]) + w[i];
        result += seen;""" % (draw.randint(1, 5), "\n            ".join(steps).replace(
            "            w[", "            w[").replace("\n            #", "\n#"))


def taskloops(draw):
    return """Word sum = 0, last = 0, table[64] = {0};
#pragma omp parallel num_threads(%(t)d)
#pragma omp single
        {
#pragma omp taskloop %(how)s shared(table) lastprivate(last)
            for (int i = 0; i < %(n)d; i++) {
                table[i] = mix((Word)i + %(k)d);
                last = (Word)i;
            }
#pragma omp taskloop nogroup shared(sum) grainsize(3)
            for (int i = 0; i < %(n)d; i += 2)
#pragma omp atomic
                sum += table[i];
#pragma omp taskwait
        }
        result = sum + last;""" % {"t": draw.randint(1, 5), "n": draw.randint(1, 64), "k": draw.randrange(99),
                                    "how": draw.choice(["", "grainsize(4)", "num_tasks(5)", "final(1)", "if (0)"])}


def nested(draw):
    return """Word sum = 0;
        omp_set_max_active_levels(%(l)d);
        omp_set_dynamic(0);
#pragma omp parallel num_threads(%(a)d)
        {
            Word part = 0;
            int outer = omp_get_thread_num();
#pragma omp parallel for num_threads(%(b)d) reduction(+ : part) %(plan)s
            for (int i = 0; i < %(n)d; i++)
                part += mix((Word)(i * 7 + outer + omp_get_level() + omp_get_ancestor_thread_num(1)));
#pragma omp critical(adding)
            sum += mix(part);
        }
        result = sum;""" % {"l": draw.choice([1, 2, 3]), "a": draw.randint(1, 4), "b": draw.randint(1, 4),
                            "n": draw.randint(1, 40), "plan": schedule(draw)}


def slots(draw):
    kind = draw.choice(["capture", "lock", "nest", "critical", "swap"])
    take = {
        "capture": "#pragma omp atomic capture\n                at = next++;",
        "swap": "#pragma omp atomic capture\n                { at = next; next += 1; }",
        "critical": "#pragma omp critical\n                at = next++;",
        "lock": "omp_set_lock(&lock);\n                at = next++;\n                omp_unset_lock(&lock);",
        "nest": "omp_set_nest_lock(&nest);\n                omp_set_nest_lock(&nest);\n                at = next++;\n"
                "                omp_unset_nest_lock(&nest);\n                omp_unset_nest_lock(&nest);",
    }[kind]
    return """Word taken[128] = {0};
        int next = 0;
        omp_lock_t lock;
        omp_nest_lock_t nest;
        omp_init_lock(&lock);
        omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(%(t)d)
        {
#pragma omp for %(plan)s
            for (int i = 0; i < %(n)d; i++) {
                int at;
                %(take)s
                taken[at] = 1;
            }
        }
        for (int i = 0; i < 128; i++)
            result = result * 2 + taken[i] + (Word)next;
        omp_destroy_lock(&lock);
        omp_destroy_nest_lock(&nest);""" % {"t": draw.randint(1, 6), "plan": schedule(draw), "take": take,
                                            "n": draw.randint(1, 128)}


def declared(draw):
    return """Pair p = {~0UL, 5};
#pragma omp parallel for reduction(join : p) %s
        for (int i = 0; i < %d; i++) {
            Word v = mix((Word)i + %d);
            p.sum += v;
            p.low = v < p.low ? v : p.low;
        }
        result = p.sum ^ p.low;""" % (schedule(draw), draw.randint(1, 90), draw.randrange(99))


def cancelled(draw):
    return draw.choice([
        """int found = 0;
#pragma omp parallel num_threads(%(t)d)
        {
#pragma omp for %(plan)s
            for (int i = 0; i < 200; i++) {
                if (i == %(k)d) {
#pragma omp atomic write
                    found = 1;
#pragma omp cancel for
                }
#pragma omp cancellation point for
            }
#pragma omp barrier
#pragma omp atomic
            result += (Word)found;
        }
        result = result == (Word)%(t)d;""",
        """int found = 0;
#pragma omp parallel num_threads(%(t)d)
#pragma omp single
#pragma omp taskgroup
        for (int i = 0; i < 40; i++)
#pragma omp task firstprivate(i) shared(found)
        {
            if (i == %(k)d %% 40) {
#pragma omp atomic write
                found = 1;
#pragma omp cancel taskgroup
            }
#pragma omp cancellation point taskgroup
        }
        result = (Word)found;""",
        """int before = 0;
#pragma omp parallel num_threads(%(t)d) reduction(+ : result)
        {
#pragma omp atomic
            before++;
#pragma omp barrier
            result += (Word)before;
#pragma omp cancel parallel if (omp_get_thread_num() == 0 && %(k)d < 0)
#pragma omp barrier
        }"""]) % {"t": draw.randint(1, 5), "k": draw.randrange(200),
                   "plan": draw.choice(["", "schedule(dynamic)", "schedule(static, 7)"])}


BLOCKS = [reduction_loop, reduction_loop, array_reduction, ordered_loop, doacross, collapsed, sections, singles,
          threadprivate, tasks_tree, tasks_depend, tasks_depend, taskloops, nested, slots, declared, cancelled]


def program(seed):
    draw = random.Random(seed)
    blocks = "".join("    {\n        Word result = 0;\n        %s\n        printf(\"line %%d: %%016lx\\n\", __LINE__, result);\n"
                     "    }\n" % draw.choice(BLOCKS)(draw) for _ in range(draw.randint(5, 10)))
    return HEAD + "\nint main(void)\n{\n" + blocks + "    return 0;\n}\n"


def output(*command, env=None):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=env, check=False)
    return done.stdout if done.returncode == 0 else "%sstatus %d: %s" % (done.stdout, done.returncode, done.stderr)


def first_difference(got, expected):
    for one, other in zip(got.splitlines() + [""], expected.splitlines() + [""]):
        if one != other:
            return "%r instead of %r" % (one, other)
    return "more or less than expected"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orrery")
    parser.add_argument("--seeds", default="1,8")
    parser.add_argument("--print", type=int, metavar="SEED")
    options = parser.parse_args()
    if options.print is not None:
        print(program(options.print), end="")
        return 0
    first, last = map(int, options.seeds.split(","))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        source, binary, code = (os.path.join(folder, name) for name in ("openmp.c", "openmp", "openmp.vco"))
        for seed in range(first, last + 1):
            with open(source, "w", encoding="utf-8") as file:
                file.write(program(seed))
            subprocess.run(["cc", "-w", "-O1", "-fopenmp", source, "-o", binary], check=True)
            subprocess.run([options.orrery, "cc", "-fopenmp", source, "-o", code], check=True)
            values = {"OMP_NUM_THREADS": str(1 + seed % 5), "OMP_CANCELLATION": "true" if seed % 2 else "false",
                      "OMP_SCHEDULE": ("dynamic", "static,3", "guided,2")[seed % 3]}
            expected = output(binary, env=dict(os.environ, **values))
            env = [word for name, value in values.items() for word in ("--env", name + "=" + value)]
            ways = [("--quantum", "1000"), ("--set", "node.cores=2", "--quantum", "77777")]
            if seed % 4 == 0: # the host's compiler takes its time
                ways.append(("--tier", "native"))
            for how in ways:
                got = output(options.orrery, "run", "-n", "1", "-q", *env, *how, code)
                if got != expected:
                    failed += 1
                    print("seed %d, %s: %s" % (seed, " ".join(how), first_difference(got, expected)))
    print("%d runs differ" % failed if failed else "all agree")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
