#!/usr/bin/env python3
"""Exchanges of all with all say the same, whether they are made step by step or written out at once.

They are made step by step (mpi/collective/exchange.c) where nobody listens to messages, and written out where somebody
does, as --messages. Each way of exchanges.c, on machines of every kind, must print the same, end with the same status
and explain its end in the same words.

    exchanges.py --orrery PATH [--full]
"""
import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# name, options, most ranks
MACHINES = [
    ('loggp', ['-m', 'loggp-cluster'], 40),
    ('loggp without overheads', ['-m', 'loggp-cluster', '-s', 'mpi.send-overhead=0', '-s', 'mpi.recv-overhead=0',
                                 '-s', 'mpi.copy-per-byte=0'], 40),
    ('loggp without gaps', ['-m', 'loggp-cluster', '-s', 'network.gap=0', '-s', 'mpi.send-overhead=1 ns'], 40),
    ('four cores, two NICs', ['-m', 'loggp-cluster', '-s', 'node.cores=4', '-s', 'node.nics=2'], 40),
    ('memory', ['-m', 'laptop'], 8),
    ('store-and-forward', ['-m', 'crossbar-16'], 16),
    ('wormhole', ['-m', 'mesh-8x8'], 24),
    ('cut-through', ['-m', 'fat-tree-64'], 33),
    ('flow', ['-m', 'fat-tree-64', '-s', 'network.switching=flow'], 33),
    ('ethernet', ['-m', 'ethernet-24'], 24),
    ('bus', ['-m', 'bus-16'], 9),
    ('losses', ['-m', 'unreliable-mesh'], 16),
]

# way, items of a block, skew
WAYS = [('repeated', 1, 0), ('repeated', 7, 300), ('repeated', 300, 40), ('repeated', 6000, 0), ('blocks', 1, 100),
        ('types', 3, 10), ('background', 2, 10), ('persistent', 4, 0), ('groups', 3, 20), ('unequal', 3, 0),
        ('late', 2, 30), ('missing', 2, 0), ('wrong', 2, 0), ('left', 2, 10), ('ended', 2, 0)]
SIZES = [1, 2, 3, 5, 8, 13, 16, 24, 33, 40]


def cases(full):
    """Machine, number of ranks, way. A way that needs two groups gets two ranks at least."""
    for i, (name, options, most) in enumerate(MACHINES):
        for k, way in enumerate(WAYS):
            if not full and (i + k) % 3:
                continue
            sizes = [size for size in SIZES if size <= most and (size > 1 or way[0] not in ('groups', 'missing', 'late'))]
            for size in sizes if full else [sizes[(2 * i + 3 * k) % len(sizes)]]:
                yield name, options, size, way


def run(orrery, program, options, size, way, *more):
    command = [orrery, 'run', '-q', '-n', size, *options, '-s', 'collectives.alltoall=linear',
               '-s', 'collectives.alltoallv=linear', *more, program, *way]
    done = subprocess.run([str(word) for word in command], capture_output=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--orrery', required=True)
    parser.add_argument('--full', action='store_true', help='all ways on all machines with all numbers of ranks')
    options = parser.parse_args()
    failed = count = 0
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'exchanges')
        subprocess.run([options.orrery, 'cc', '-O2', '-w', '-o', program, os.path.join(HERE, 'exchanges.c')], check=True)
        for name, machine, size, way in cases(options.full):
            stepwise = run(options.orrery, program, machine, size, way)
            written = run(options.orrery, program, machine, size, way, '--messages', os.path.join(folder, 'messages.csv'))
            count += 1
            if stepwise == written:
                continue
            failed += 1
            print(f'{name}, {size} ranks, {" ".join(map(str, way))}: differs')
            for one, other in zip(stepwise[1].splitlines() + stepwise[2].splitlines(),
                                  written[1].splitlines() + written[2].splitlines()):
                if one != other:
                    print(f'  step by step: {one.decode()}\n  written out:  {other.decode()}')
                    break
    print(f'{count} exchanges, {failed} differ')
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
