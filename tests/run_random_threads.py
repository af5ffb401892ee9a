#!/usr/bin/env python3
"""run_random_threads.py - random programs with POSIX threads, whose output does not depend on their order: the host's
compiler and threads, and Orrery under several quanta, must print the same.

    run_random_threads.py --orrery build/release/bin/orrery [--seeds FROM,TO]
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

HEAD = """#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex[4];
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_once_t control = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static pthread_key_t key;
static sem_t semaphore;
static long sums[8], posted, items, taken, onces;

static void once(void)
{
    onces++;
}

static void destroy(void *value)
{
    pthread_spin_lock(&spin);
    sums[7] += (long)value;
    pthread_spin_unlock(&spin);
}
"""

ACTIONS = [
    "pthread_mutex_lock(&mutex[%(m)d]); sums[%(m)d] += me * %(k)d + i; pthread_mutex_unlock(&mutex[%(m)d]);",
    "pthread_rwlock_wrlock(&lock); sums[5] += i; pthread_rwlock_unlock(&lock);",
    "pthread_rwlock_rdlock(&lock); if (sums[5] < 0) abort(); pthread_rwlock_unlock(&lock);",
    "pthread_barrier_wait(&barrier);",
    "sem_wait(&semaphore); posted++; sem_post(&semaphore);",
    "sched_yield();",
    "pthread_spin_lock(&spin); sums[6] += me; pthread_spin_unlock(&spin);",
    "pthread_mutex_lock(&mutex[0]); items++; pthread_cond_signal(&condition); pthread_mutex_unlock(&mutex[0]);\n"
    "        pthread_mutex_lock(&mutex[0]); while (!items) pthread_cond_wait(&condition, &mutex[0]);\n"
    "        items--; taken++; pthread_mutex_unlock(&mutex[0]);",
    "while (pthread_mutex_trylock(&mutex[%(m)d])) sched_yield();\n        sums[%(m)d]++; sums[%(m)d]--; "
    "pthread_mutex_unlock(&mutex[%(m)d]);",
    "for (volatile int w = 0; w < %(k)d * 50; w++);",
]

MAIN = """
int main(void)
{
    pthread_t threads[%(threads)d];
    pthread_mutexattr_t attributes;
    long sum = 0;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, %(type)d);
    for (int i = 0; i < 4; i++)
        pthread_mutex_init(&mutex[i], &attributes);
    pthread_barrier_init(&barrier, 0, %(threads)d);
    sem_init(&semaphore, 0, 1);
    pthread_spin_init(&spin, 0);
    pthread_key_create(&key, destroy);
    for (long i = 0; i < %(threads)d; i++)
        if (pthread_create(&threads[i], 0, work, (void *)i))
            abort();
    for (int i = 0; i < %(threads)d; i++) {
        void *result;
        pthread_join(threads[i], &result);
        sum += (long)result;
    }
    for (int i = 0; i < 8; i++)
        printf("%%ld ", sums[i]);
    printf("%%ld %%ld %%ld %%ld %%ld\\n", posted, items, taken, onces, sum);
    return 0;
}
"""


def program(seed):
    draw = random.Random(seed)
    lines = ["        " + draw.choice(ACTIONS) % {"m": draw.randrange(4), "k": draw.randint(1, 9)}
             for _ in range(draw.randint(3, 9))]
    body = ("\nstatic void *work(void *argument)\n{\n    long me = (long)argument;\n    pthread_once(&control, once);\n"
            "    pthread_setspecific(key, (void *)(me + 1));\n    for (int i = 0; i < %d; i++) {\n%s\n    }\n"
            "    return (void *)(me * me);\n}\n" % (draw.randint(5, 40), "\n".join(lines)))
    return HEAD + body + MAIN % {"threads": draw.randint(2, 6), "type": draw.randint(0, 2)}


def output(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return done.stdout if done.returncode == 0 else "status %d: %s" % (done.returncode, done.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orrery", required=True)
    parser.add_argument("--seeds", default="1,12")
    options = parser.parse_args()
    first, last = map(int, options.seeds.split(","))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        source, binary, code = (os.path.join(folder, name) for name in ("threads.c", "threads", "threads.vco"))
        for seed in range(first, last + 1):
            with open(source, "w", encoding="utf-8") as file:
                file.write(program(seed))
            subprocess.run(["cc", "-w", "-D_GNU_SOURCE", "-pthread", source, "-o", binary], check=True)
            subprocess.run([options.orrery, "cc", "-w", source, "-o", code], check=True)
            expected = output(binary)
            for quantum in ("1", "1000", "1000000000"):
                got = output(options.orrery, "run", "-n", "1", "--quantum", quantum, code)
                if got != expected:
                    failed += 1
                    print("seed %d, quantum %s: %s instead of %s" % (seed, quantum, got.strip(), expected.strip()))
    print("%d of %d seeds differ" % (failed, last - first + 1) if failed else "all agree")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
