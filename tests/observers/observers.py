#!/usr/bin/env python3
"""Every report says the same, whoever else looks on.

A run that ends in any way is observed in every way: each report, alone and with all the others, under several quanta,
threads and both tiers, must be the same to the byte, and so must output, exit status and what is said of the end.

    observers.py --orrery PATH [--full] [--only TEXT]

Without --full: a representative part, each machine with two of the endings, for ctest.
"""
import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ENDINGS = ['abort', 'fault', 'end', 'exit', 'deadlock', 'time', 'memory']

# name, options, whether native code can run there
MACHINES = [
    ('wormhole', ['-m', 'mesh-4x4'], True),
    ('wormhole-half', ['-m', 'mesh-4x4', '-s', 'network.duplex=half', '-s', 'network.virtual-channels=2'], True),
    ('wormhole-far', ['-m', 'mesh-4x4', '-s', 'network.link-latency=3 us'], True),
    ('torus-adaptive', ['-m', 'torus-8x8x16', '-s', 'network.routing=minimal-adaptive'], True),
    ('cut-through', ['-m', 'mesh-4x4', '-s', 'network.switching=cut-through'], True),
    ('store-and-forward', ['-m', 'ring-8', '-s', 'network.switching=store-and-forward'], True),
    ('csma-cd', ['-m', 'bus-16', '-s', 'network.switching=csma-cd'], True),
    ('bus', ['-m', 'bus-16', '-s', 'network.switching=bus'], True),
    ('ethernet', ['-m', 'crossbar-16', '-s', 'network.switching=switched-ethernet'], True),
    ('loggp', ['-m', 'loggp-cluster'], True),
    ('flow', ['-m', 'mesh-4x4', '-s', 'network.switching=flow'], True),
    ('laptop', ['-m', 'laptop'], True),
    ('faults', ['-m', 'mesh-4x4', '-s', 'network.loss=0.01'], True),
    ('background', ['-m', 'mesh-4x4', '-s', 'background.load=0.05'], True),
    ('caches', ['-m', 'mesh-4x4', '-s', 'memory.model=hierarchy'], False),
    ('gshare', ['-m', 'mesh-4x4', '-s', 'cost.branch-predictor=gshare', '-s', 'cost.misprediction=12 cycles'], False),
    ('tage', ['-m', 'laptop', '-s', 'cost.branch-predictor=tage', '-s', 'cost.misprediction=12 cycles'], False),
    ('out-of-order', ['-m', 'laptop', '-s', 'cost.execution=out-of-order', '-s', 'cost.branch-predictor=bimodal',
                      '-s', 'memory.model=hierarchy'], False),
    ('noise', ['-m', 'laptop', '-s', 'noise.period=50 us', '-s', 'noise.duration=5 us',
               '-s', 'memory.model=hierarchy'], False),
]

REPORTS = {'json': '--json', 'traffic': '--traffic', 'links': '--network-report', 'messages': '--messages'}
SUFFIX = {'json': '.json', 'traffic': '.traffic', 'links': '.csv', 'messages': '.csv'}

# name, options, reports, whether it must say the same on standard error
ALL = list(REPORTS)


def variants(native, full):
    rows = [('nobody looks', [], [], True),
            ('json alone', [], ['json'], True),
            ('json and stats', ['--stats'], ['json'], False),
            ('quantum 61', ['--quantum', '61'], ['json'], True),
            ('check, quantum 5003', ['--check', '--quantum', '5003'], ALL, False),
            ('two threads', ['--jobs', '2', '--quantum', '1000'], ['json', 'traffic'], True)]
    if native:
        rows.append(('native', ['--tier', 'native', '--quantum', '20000'], ['json'], True))
    if not full:
        return rows
    for name in REPORTS:
        for quantum in ('1', '300', '1000000'):
            for more in ([], ['--stats'], ['--check'], ['--stats', '--check']):
                rows.append((f'{name} alone, quantum {quantum} {" ".join(more)}', ['--quantum', quantum] + more, [name],
                             not more))
    for jobs in ('1', '2', '3'):
        for quantum in ('1', '700', '50000'):
            for tier in ('interp', 'native') if native else ('interp',):
                rows.append((f'jobs {jobs}, quantum {quantum}, {tier}',
                             ['--jobs', jobs, '--quantum', quantum, '--tier', tier], ALL, True))
    return rows


class Case:
    def __init__(self, orrery, program, directory, machine, options, ending, turns):
        self.name = f'{machine}, {ending} {turns}'
        self.directory = os.path.join(directory, f'{machine}-{ending}-{turns}')
        os.makedirs(self.directory)
        limit = {'time': ['--max-time', '300 us'], 'memory': ['--memory', '3 MiB']}.get(ending, [])
        self.command = [orrery, 'run', '-n', '5', *options, *limit]
        self.program = [program, ending, str(turns)]
        self.count = 0

    def run(self, options, reports):
        self.count += 1
        files = {r: os.path.join(self.directory, f'{r}{self.count}{SUFFIX[r]}') for r in reports}
        arguments = [word for r, path in files.items() for word in (REPORTS[r], path)]
        done = subprocess.run([*self.command, *options, *arguments, *self.program], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=300, check=False)
        texts = {}
        for report, path in files.items():
            try:
                with open(path, 'rb') as file:
                    texts[report] = file.read()
            except OSError:
                texts[report] = b'none: ' + done.stderr
        return done, texts

    def difference(self, row, first, first_texts):
        name, options, reports, same_words = row
        done, texts = self.run(options, reports)
        found = []
        if done.returncode != first.returncode:
            found.append(f'exit status {done.returncode}, not {first.returncode}')
        if done.stdout != first.stdout:
            found.append('output')
        if same_words and done.stderr != first.stderr:
            found.append('what is said of the end:\n' + done.stderr.decode() + '--- not\n' + first.stderr.decode())
        found += [f'{report}' for report in reports if texts[report] != first_texts[report]]
        return [f'{self.name}: {name}: differs in {what}' for what in found]

    def differences(self, rows):
        first, texts = self.run(['--jobs', '1'], ALL)
        if first.returncode == 2:
            return [f'{self.name}: {first.stderr.decode()}']
        return [line for row in rows for line in self.difference(row, first, texts)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--orrery', required=True)
    parser.add_argument('--full', action='store_true')
    parser.add_argument('--only', default='')
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        os.environ['ORRERY_CACHE'] = os.path.join(directory, 'cache')
        program = os.path.join(directory, 'endings')
        subprocess.run([arguments.orrery, 'cc', '-o', program, os.path.join(HERE, 'endings.c')], check=True)
        work = []
        for i, (machine, options, native) in enumerate(MACHINES):
            endings = ENDINGS if arguments.full else [ENDINGS[i % 2], ENDINGS[2 + i % 5]]
            for ending in endings:
                for turns in (1, 2, 3, 4, 5) if arguments.full else (2, 3)[i // 2 % 2:][:1]:
                    case = Case(arguments.orrery, program, directory, machine, options, ending, turns)
                    if arguments.only in case.name:
                        work.append((case, variants(native, arguments.full)))
        with ThreadPoolExecutor(max_workers=2) as pool:
            lines = [line for found in pool.map(lambda w: w[0].differences(w[1]), work) for line in found]
    for line in lines:
        print(line)
    print(f'{len(work)} endings, {sum(len(w[1]) for w in work)} ways to look: {len(lines)} differences')
    return bool(lines)


if __name__ == '__main__':
    sys.exit(main())
