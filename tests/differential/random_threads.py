#!/usr/bin/env python3
"""random_threads.py - random programs whose output does not depend on how their threads are scheduled: OpenMP, POSIX
threads, C11 threads, atomics.

A program is a handful of features, each a function that forks threads, joins them and prints what they computed. The
same seed is the same program, everywhere; it stands at the top.

    random_threads.py SEED [FEATURE]
"""
import sys

from random_core import Dice

HEAD = """/* random_threads.py %d */
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

typedef unsigned long Word;
static Word mix(Word x)
{
    x ^= x >> 29;
    x *= 0x9e3779b97f4a7c15;
    return x ^ x >> 32;
}
static Word digest(const Word *a, int n)
{
    Word h = 7;
    for (int i = 0; i < n; i++)
        h = mix(h + a[i]);
    return h;
}
"""


def schedule(dice):
    kind = dice.pick(["static", "static", "dynamic", "guided", "auto", "runtime", ""])
    if not kind:
        return ""
    chunk = ", %d" % dice.between(1, 9) if kind in ("static", "dynamic", "guided") and dice.chance(60) else ""
    modifier = dice.pick(["monotonic:", "nonmonotonic:"]) if kind in ("dynamic", "guided") and dice.chance(30) else ""
    return " schedule(%s%s%s)" % (modifier, kind, chunk)


def threads(dice):
    return " num_threads(%d)" % dice.between(1, 6)


def loops(dice, name):
    """Phases over two arrays: every loop reads what the loop before it wrote anywhere."""
    n = dice.between(1, 200)
    lines = ["static void %s(void)" % name, "{", "    static Word a[200], b[200];", "    Word sum = 3, most = 0, last = 0;",
             "    for (int i = 0; i < %d; i++)" % n, "        a[i] = mix(i + %d);" % dice.below(1000),
             "#pragma omp parallel%s" % threads(dice), "    {"]
    for _ in range(dice.between(1, 6)):
        form = dice.below(6)
        header = "for (int i = 0; i < %d; i++)" % n
        if dice.chance(30):
            header = "for (long i = %d; i >= 0; i--)" % (n - 1)
        if form < 2:
            shift = dice.between(1, 50)
            lines += ["#pragma omp for%s" % schedule(dice), "        " + header,
                      "            b[i] = mix(a[i] + a[(i + %d) %% %d]);" % (shift, n),
                      "#pragma omp for%s" % schedule(dice), "        " + header, "            a[i] ^= b[i] + i;"]
        elif form == 2:
            lines += ["#pragma omp for%s reduction(+ : sum) reduction(max : most)" % schedule(dice), "        " + header + " {",
                      "            sum += a[i] * (i + 1);", "            most = a[i] > most ? a[i] : most;", "        }"]
        elif form == 3:
            lines += ["#pragma omp for%s lastprivate(last)" % schedule(dice), "        " + header, "            last = a[i] + i;"]
        elif form == 4:
            lines += ["#pragma omp for collapse(2)%s" % schedule(dice), "        for (int i = 0; i < %d; i++)" % dice.between(1, 13),
                      "            for (int j = %d; j < 14; j += %d) {" % (dice.below(5), dice.between(1, 4)),
                      "#pragma omp atomic", "                sum += mix(i * 100 + j);", "            }"]
        else:
            lines += ["#pragma omp for ordered%s" % schedule(dice).replace("nonmonotonic:", ""), "        " + header + " {",
                      "            Word x = mix(a[i]);", "#pragma omp ordered", "            sum = mix(sum + x);", "        }"]
    lines += ["    }", '    printf("%%lx %%lx %%lx %%lx\\n", digest(a, %d), sum, most, last);' % n, "}", ""]
    return "\n".join(lines)


def tree(dice, name):
    """A tree of tasks, by taskwait or taskgroup, with final, if and untied here and there."""
    clauses = [dice.pick(["", " if(n > %d)" % dice.below(6), " final(n < %d)" % dice.below(6), " untied", " mergeable"])
               for _ in range(2)]
    group = dice.chance(40)
    depth = dice.between(3, 9)
    lines = ["static Word %s_node(int n, Word x)" % name, "{", "    Word left = 1, right = 2;", "    if (n == 0)", "        return mix(x);"]
    body = ["#pragma omp task shared(left)%s" % clauses[0], "    left = %s_node(n - 1, x * 3 + 1);" % name,
            "#pragma omp task shared(right) firstprivate(x)%s" % clauses[1],
            "    right = %s_node(n - 1 - (n > 1 && %d), x ^ n);" % (name, dice.below(2))]
    if group:
        lines += ["#pragma omp taskgroup", "    {"] + ["    " + line if line[0] != "#" else line for line in body] + ["    }"]
    else:
        lines += body + ["#pragma omp taskwait"]
    lines += ["    return mix(left + 5 * right);", "}", "static void %s(void)" % name, "{", "    Word result = 0;",
              "#pragma omp parallel%s" % threads(dice), "#pragma omp %s" % dice.pick(["single", "single nowait", "master"]),
              "    result = %s_node(%d, %d);" % (name, depth, dice.below(1000)), '    printf("%lx\\n", result);', "}", ""]
    return "\n".join(lines)


def depends(dice, name):
    """Tasks on a few variables; the dependences leave one result only."""
    n = dice.between(2, 6)
    lines = ["static void %s(void)" % name, "{", "    static Word v[6] = {1, 2, 3, 4, 5, 6};",
             "#pragma omp parallel%s" % threads(dice), "#pragma omp single", "    for (int i = 0; i < %d; i++) {" % dice.between(1, 12)]
    for _ in range(dice.between(2, 8)):
        to = dice.below(n)
        sources = sorted({dice.below(n) for _ in range(dice.between(0, 3))} - {to})
        reads = " depend(in : %s)" % ", ".join("v[%d]" % k for k in sources) if sources else ""
        value = " + ".join(["v[%d]" % k for k in sources] + ["i"])
        only = dice.chance(25)
        lines += ["#pragma omp task%s depend(%s : v[%d])%s" % (reads, "out" if only else "inout", to, dice.pick(["", "", "", " if(0)", " priority(2)"])),
                  "        v[%d] = mix(%s);" % (to, value if only else "v[%d] * 3 + " % to + value)]
        if dice.chance(10):
            lines.append("#pragma omp taskwait")
    lines += ["    }", '    printf("%lx\\n", digest(v, 6));', "}", ""]
    return "\n".join(lines)


def taskloops(dice, name):
    clause = dice.pick(["", " grainsize(%d)" % dice.between(1, 30), " num_tasks(%d)" % dice.between(1, 20)])
    n = dice.between(1, 150)
    return """static void %s(void)
{
    static Word a[150];
    Word sum = 0;
#pragma omp parallel%s
#pragma omp single
    {
#pragma omp taskloop%s%s
        for (int i = %d; i < %d; i += %d) {
            a[i] = mix(a[i] + i);
#pragma omp atomic
            sum += a[i];
        }
    }
    printf("%%lx %%lx\\n", digest(a, 150), sum);
}
""" % (name, threads(dice), clause, dice.pick(["", " if(0)", " priority(1)"]), dice.below(3), n, dice.between(1, 3))


def league(dice, name):
    """target, teams and distribute, combined and apart, on the host."""
    n = dice.between(1, 150)
    teams = dice.pick(["", " num_teams(%d)" % dice.between(1, 5)]) + dice.pick(["", " thread_limit(%d)" % dice.between(1, 4)])
    share = dice.pick(["", " dist_schedule(static)", " dist_schedule(static, %d)" % dice.between(1, 20)])
    fast = dice.pick(["", " simd"])
    return """static void %(name)s(void)
{
    static Word a[150], b[%(n)d];
    Word sum = 1, last = 0, base = %(base)d;
    int from = %(from)d, to = %(n)d;
#pragma omp target teams distribute parallel for%(fast)s map(tofrom : a, sum, last)%(teams)s%(share)s%(schedule)s reduction(+ : sum) lastprivate(last) firstprivate(from, to)
    for (int i = from; i < to; i += %(step)d) {
        a[i] = mix(i + base);
        sum += a[i];
        last = a[i] ^ i;
    }
#pragma omp target data map(tofrom : b)
    {
#pragma omp target map(tofrom : sum)
#pragma omp teams%(teams)s reduction(^ : sum)
        {
#pragma omp distribute%(share)s
            for (int i = 0; i < %(n)d; i++) {
#pragma omp parallel for num_threads(%(threads)d)
                for (int j = i; j < i + 1; j++)
                    b[j] = mix(a[j] * 3 + base);
            }
#pragma omp distribute parallel for%(fast)s%(share)s%(schedule)s collapse(2) reduction(^ : sum)
            for (int i = 0; i < %(n)d; i++)
                for (int j = 0; j < 3; j++)
                    sum ^= b[i] * (j + 1);
        }
        base++;
    }
    printf("%%lx %%lx %%lx %%lx %%lx\\n", digest(a, 150), digest(b, %(n)d), sum, last, base);
}
""" % {"name": name, "n": n, "base": dice.below(1000), "from": dice.below(3), "step": dice.between(1, 4), "teams": teams, "share": share,
       "fast": fast, "schedule": schedule(dice), "threads": dice.between(1, 4)}


def waves(dice, name):
    """Loops whose iterations wait for earlier ones, ordered(2) with sinks in both directions."""
    rows, columns = dice.between(2, 12), dice.between(2, 12)
    sinks = dice.pick([["i - 1, j"], ["i - 1, j - 1", "i, j - 1"], ["i - 1, j + 1"], ["i - 2, j", "i - 1, j - 2"]])
    reach = {"i - 1, j": "v[i - 1][j]", "i - 1, j - 1": "(j > 0 ? v[i - 1][j - 1] : 5)", "i, j - 1": "(j > 0 ? v[i][j - 1] : 6)",
             "i - 1, j + 1": "(j + 1 < %d ? v[i - 1][j + 1] : 7)" % columns, "i - 2, j": "(i > 1 ? v[i - 2][j] : 8)",
             "i - 1, j - 2": "(j > 1 ? v[i - 1][j - 2] : 9)"}
    return """static void %s(void)
{
    static Word v[13][12];
    for (int j = 0; j < 12; j++)
        v[0][j] = mix(j + %d);
#pragma omp parallel for ordered(2)%s%s
    for (int i = 1; i <= %d; i++)
        for (int j = 0; j < %d; j++) {
#pragma omp ordered %s
            v[i][j] = mix(%s);
#pragma omp ordered depend(source)
        }
    printf("%%lx\\n", digest(v[0], 13 * 12));
}
""" % (name, dice.below(1000), schedule(dice).replace("nonmonotonic:", ""), threads(dice), rows, columns,
       " ".join("depend(sink : %s)" % sink for sink in sinks), " + 3 * ".join(reach[sink] for sink in sinks))


def clauses(dice, name):
    """Private copies of all sorts: sections of arrays, own reductions, linear, first and last, variables that bounds use."""
    low, most = dice.below(3), dice.between(1, 3)
    return """#pragma omp declare reduction(%(name)s_join : Word : omp_out = omp_out ^ omp_in * 3) initializer(omp_priv = 0)
static void %(name)s(void)
{
    Word cube[4][3][5], flat[40] = {0}, joined = 1, first = %(seed)d, last = 0, grown = 7, n = %(n)d, *p = flat + 20;
    for (int i = 0; i < 60; i++)
        cube[0][0][i] = i;
#pragma omp parallel for reduction(+ : cube[%(low)d:%(most)d - %(low)d + 1][:][0:5], p[-%(back)d:%(wide)d])%(threads)s%(schedule)s
    for (int i = 0; i < 200; i++) {
        cube[%(low)d + i %% (%(most)d - %(low)d + 1)][i %% 3][i %% 5] += mix(i);
        p[i %% %(wide)d - %(back)d] += i;
    }
#pragma omp parallel%(threads)s
    {
#pragma omp for%(schedule)s firstprivate(first) lastprivate(last) linear(grown : %(step)d) reduction(%(name)s_join : joined)
        for (Word i = %(low)d; i < n; i += %(step)d) {
            joined ^= mix(i) & 0;
            last = mix(first + i + grown);
            grown += %(step)d;
        }
    }
    Word chained = first;
#pragma omp parallel%(threads)s
#pragma omp master
#pragma omp taskloop firstprivate(first) lastprivate(first, chained) num_tasks(%(most)d)
    for (Word i = 0; i < n; i++) {
        chained = mix(first + i);
        if (i == n - 1)
            first = i;
    }
    int k;
#pragma omp simd collapse(1) linear(k) lastprivate(last)
    for (k = %(n)d; k > 0; k -= %(step)d)
        last = k;
    printf("%%lx %%lx %%lx %%lx %%lx %%lx %%lx %%d\\n", digest(cube[0][0], 60), digest(flat, 40), joined, last, grown, first, chained, k);
}
""" % {"name": name, "low": low, "most": most if most >= low else low, "seed": dice.below(1000), "n": dice.between(4, 60), "back": dice.between(0, 19),
       "wide": dice.between(1, 20), "threads": threads(dice), "schedule": schedule(dice), "step": dice.between(1, 4)}


def exclusive(dice, name):
    """Counting under critical regions, locks, atomics, reductions; single, sections, copyprivate, barriers. What one
    kind of exclusion guards is touched under it alone."""
    lines = ["static void %s(void)" % name, "{", "    Word count = 0, named = 0, hits = 0, locked = 0, deep = 0, product = 1, ones = 0;",
             "    omp_lock_t lock;", "    omp_nest_lock_t nest;", "    omp_init_lock(&lock);", "    omp_init_nest_lock(&nest);",
             "#pragma omp parallel%s reduction(* : product) reduction(| : ones)" % threads(dice), "    {", "        Word mine = 0;"]

    def hit(k, indent):
        return ["#pragma omp atomic", indent + "hits += %d;" % k]
    for _ in range(dice.between(2, 9)):
        k = dice.between(1, 99)
        lines += dice.pick([
            ["#pragma omp critical", "        count += %d;" % k],
            ["#pragma omp critical(named)", "        named += mix(%d);" % k],
            hit(k, "        "),
            ["        omp_set_lock(&lock);", "        locked += %d;" % k, "        omp_unset_lock(&lock);"],
            ["        omp_set_nest_lock(&nest);", "        omp_set_nest_lock(&nest);", "        deep += %d;" % k,
             "        omp_unset_nest_lock(&nest);", "        omp_unset_nest_lock(&nest);"],
            ["        product *= %d;" % (2 * k + 1), "        ones |= 1ul << %d;" % (k % 64)],
            ["#pragma omp single copyprivate(mine)", "        mine = mix(%d);" % k, "#pragma omp critical", "        count += mine;"],
            ["#pragma omp barrier", "#pragma omp single%s" % dice.pick(["", " nowait"]), "        {"] + hit(k, "            ") + ["        }"],
            ["#pragma omp sections%s" % dice.pick(["", " nowait"]), "        {", "#pragma omp section", "            {"] +
            hit(k, "                ") + ["            }", "#pragma omp section", "            {", "#pragma omp critical(named)",
                                           "                named += %d;" % (k + 1), "            }", "        }"],
            ["#pragma omp master", "        {"] + hit(k, "            ") + ["        }"],
        ])
    lines += ["    }", '    printf("%lx %lx %lx %lx %lx %lx %lx\\n", count, named, hits, locked, deep, product, ones);',
              "    omp_destroy_lock(&lock);", "    omp_destroy_nest_lock(&nest);", "}", ""]
    return "\n".join(lines)


def nested(dice, name):
    outer, inner = dice.between(1, 4), dice.between(1, 4)
    return """static int %(name)s_kept;
#pragma omp threadprivate(%(name)s_kept)
static void %(name)s(void)
{
    Word seen[64] = {0};
    int levels = 0;
    omp_set_max_active_levels(%(levels)d);
#pragma omp parallel num_threads(%(outer)d) reduction(+ : levels)
    {
        int above = omp_get_thread_num();
        %(name)s_kept = above + %(k)d;
#pragma omp parallel num_threads(%(inner)d) firstprivate(above) reduction(+ : levels)
        {
            levels += omp_get_level() * 100 + omp_get_active_level() * 10 + omp_get_num_threads();
            seen[above * 8 + omp_get_thread_num()] = mix(omp_get_ancestor_thread_num(1) + omp_get_team_size(1) * 9);
        }
    }
#pragma omp parallel num_threads(%(outer)d)
    seen[32 + omp_get_thread_num()] = %(name)s_kept;
    omp_set_max_active_levels(1);
    printf("%%lx %%d\\n", digest(seen, 64), levels);
}
""" % {"name": name, "outer": outer, "inner": inner, "levels": dice.between(0, 3), "k": dice.below(100)}


def posix(dice, name):
    """Threads that pass numbers through a bounded queue, count behind locks and meet at a barrier."""
    return """static pthread_mutex_t %(name)s_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t %(name)s_full = PTHREAD_COND_INITIALIZER, %(name)s_free = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t %(name)s_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t %(name)s_barrier;
static pthread_once_t %(name)s_once = PTHREAD_ONCE_INIT;
static sem_t %(name)s_semaphore;
static Word %(name)s_queue[%(room)d], %(name)s_sum, %(name)s_total;
static int %(name)s_first, %(name)s_n, %(name)s_begun;
static void %(name)s_begin(void)
{
    %(name)s_begun++;
}
static void *%(name)s_give(void *argument)
{
    pthread_once(&%(name)s_once, %(name)s_begin);
    for (Word i = 0; i < %(items)d; i++) {
        pthread_mutex_lock(&%(name)s_mutex);
        while (%(name)s_n == %(room)d)
            pthread_cond_wait(&%(name)s_free, &%(name)s_mutex);
        %(name)s_queue[(%(name)s_first + %(name)s_n++) %% %(room)d] = mix((Word)argument * 1000 + i);
        pthread_cond_broadcast(&%(name)s_full);
        pthread_mutex_unlock(&%(name)s_mutex);
    }
    pthread_barrier_wait(&%(name)s_barrier);
    sem_wait(&%(name)s_semaphore);
    pthread_rwlock_wrlock(&%(name)s_lock);
    %(name)s_total += (Word)argument;
    pthread_rwlock_unlock(&%(name)s_lock);
    sem_post(&%(name)s_semaphore);
    return argument;
}
static void *%(name)s_take(void *argument)
{
    pthread_once(&%(name)s_once, %(name)s_begin);
    for (int i = 0; i < %(items)d; i++) {
        pthread_mutex_lock(&%(name)s_mutex);
        while (%(name)s_n == 0)
            pthread_cond_wait(&%(name)s_full, &%(name)s_mutex);
        %(name)s_sum += %(name)s_queue[%(name)s_first];
        %(name)s_first = (%(name)s_first + 1) %% %(room)d;
        %(name)s_n--;
        pthread_cond_broadcast(&%(name)s_free);
        pthread_mutex_unlock(&%(name)s_mutex);
    }
    pthread_barrier_wait(&%(name)s_barrier);
    pthread_rwlock_rdlock(&%(name)s_lock);
    Word seen = %(name)s_total;
    pthread_rwlock_unlock(&%(name)s_lock);
    return (void *)(seen < (Word)-1 ? (Word)argument : seen);
}
static void %(name)s(void)
{
    pthread_t threads[%(pairs)d][2];
    Word results = 0;
    pthread_barrier_init(&%(name)s_barrier, NULL, 2 * %(pairs)d);
    sem_init(&%(name)s_semaphore, 0, %(permits)d);
    for (Word i = 0; i < %(pairs)d; i++) {
        pthread_create(&threads[i][0], NULL, %(name)s_give, (void *)(i + 1));
        pthread_create(&threads[i][1], NULL, %(name)s_take, (void *)(i + 50));
    }
    for (int i = 0; i < %(pairs)d; i++)
        for (int k = 0; k < 2; k++) {
            void *result;
            pthread_join(threads[i][k], &result);
            results = mix(results + (Word)result);
        }
    printf("%%lx %%lx %%lx %%d %%d\\n", %(name)s_sum, %(name)s_total, results, %(name)s_n, %(name)s_begun);
    pthread_barrier_destroy(&%(name)s_barrier);
    sem_destroy(&%(name)s_semaphore);
}
""" % {"name": name, "room": dice.between(1, 5), "items": dice.between(1, 40), "pairs": dice.between(1, 3), "permits": dice.between(1, 2)}


def standard(dice, name):
    """C11 threads that change atomic objects in every way that commutes."""
    return """static atomic_ulong %(name)s_sum, %(name)s_swapped;
static _Atomic Word %(name)s_plain;
static atomic_flag %(name)s_flag = ATOMIC_FLAG_INIT;
static atomic_uint %(name)s_bits;
static Word %(name)s_guarded;
static mtx_t %(name)s_mutex;
static tss_t %(name)s_key;
static once_flag %(name)s_once = ONCE_FLAG_INIT;
static atomic_int %(name)s_ends;
static _Thread_local Word %(name)s_own;
static void %(name)s_end(void *value)
{
    %(name)s_ends += *(int *)value;
    free(value);
}
static void %(name)s_begin(void)
{
    tss_create(&%(name)s_key, %(name)s_end);
    mtx_init(&%(name)s_mutex, mtx_plain | mtx_recursive);
}
static int %(name)s_run(void *argument)
{
    Word number = *(Word *)argument;
    call_once(&%(name)s_once, %(name)s_begin);
    int *value = malloc(sizeof *value);
    *value = (int)number + 1;
    tss_set(%(name)s_key, value);
    for (int i = 0; i < %(turns)d; i++) {
        atomic_fetch_add(&%(name)s_sum, mix(number + i));
        %(name)s_plain += i + 1;
        %(name)s_plain--;
        Word old = atomic_load(&%(name)s_swapped);
        while (!atomic_compare_exchange_weak(&%(name)s_swapped, &old, old + number))
            ;
        while (atomic_flag_test_and_set(&%(name)s_flag))
            thrd_yield();
        %(name)s_guarded += number;
        atomic_flag_clear(&%(name)s_flag);
        mtx_lock(&%(name)s_mutex);
        mtx_lock(&%(name)s_mutex);
        %(name)s_guarded += 0;
        mtx_unlock(&%(name)s_mutex);
        mtx_unlock(&%(name)s_mutex);
        %(name)s_own += number;
        %(name)s_bits |= 1u << number;
    }
    return (int)%(name)s_own;
}
static void %(name)s(void)
{
    thrd_t threads[%(n)d];
    Word numbers[%(n)d], results = 0;
    for (int i = 0; i < %(n)d; i++) {
        numbers[i] = i;
        thrd_create(&threads[i], %(name)s_run, &numbers[i]);
    }
    for (int i = 0; i < %(n)d; i++) {
        int result;
        thrd_join(threads[i], &result);
        results = mix(results + result);
    }
    printf("%%lx %%lx %%lx %%lx %%x %%lx %%d\\n", %(name)s_sum, %(name)s_plain, %(name)s_swapped, %(name)s_guarded, %(name)s_bits, results,
           %(name)s_ends);
}
""" % {"name": name, "turns": dice.between(1, 30), "n": dice.between(1, 6)}


ALL = [loops, loops, tree, depends, taskloops, league, waves, clauses, exclusive, nested, posix, standard]


def program(seed, feature=None):
    """A program of several features, or of the one that is named."""
    chosen = [f for f in ALL if f.__name__ == feature] or ALL
    dice = Dice(seed)
    parts, calls = [HEAD % seed], []
    for number in range(dice.between(2, 5)):
        feature = dice.pick(chosen)
        name = "%s_%d" % (feature.__name__, number)
        parts.append(feature(dice, name))
        calls.append('    puts("-- %s");\n    %s();\n' % (name, name))
    parts.append("int main(void)\n{\n%s    return %d;\n}\n" % ("".join(calls), dice.below(100)))
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(program(int(sys.argv[1]), *sys.argv[2:3]))
