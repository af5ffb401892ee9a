#!/usr/bin/env python3
"""Random small programs: what `orrery explore` finds, against all that MPI's rules of matching allow.

The rules stand here once more, as plainly as can be: a state is where each process is and which receive has which
message; at any time any pair that may match can. All states are visited. Compared are the outputs of executions that
end, the places of deadlocks, and the number of executions: each end, with its matching, is reached once.

    random_programs.py --orrery build/release/bin/orrery [--seed N] [--count N] [--keep FOLDER]
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

ANY = -1
MOST_STATES = 60000
MOST_ENDS = 400


# -- programs -----------------------------------------------------------------------------------------------

def random_program(rng):
    """For each rank a list of operations. Mostly matched: receives are made for the sends there are."""
    size = rng.randint(2, 4)
    ranks = [[] for _ in range(size)]
    tags = rng.randint(1, 2)
    for _ in range(rng.randint(2, 6)):
        sender, receiver = rng.sample(range(size), 2)
        tag = rng.randrange(tags)
        ranks[sender].append((rng.choice(["send", "send", "ssend"]), receiver, tag))
        source = rng.choice([sender, ANY, ANY, ANY])
        wanted = rng.choice([tag, tag, ANY])
        kind = rng.choice(["recv", "recv", "irecv", "irecv", "probe", "mprobe"])
        if kind == "irecv":
            ranks[receiver].append(("irecv", source, wanted))
            if rng.random() < 0.6:
                ranks[receiver].append((rng.choice(["waitany", "wait", "test", "waitsome"]),))
        else:
            if rng.random() < 0.2:
                ranks[receiver].append(("iprobe", rng.choice([source, ANY]), wanted))
            ranks[receiver].append((kind, source, wanted))
    for operations in ranks:
        if rng.random() < 0.5: # sends early or late
            operations.sort(key=lambda operation: operation[0] in ("send", "ssend"), reverse=rng.random() < 0.5)
        operations.append(("waitall",))
    if rng.random() < 0.25:
        for operations in ranks:
            operations.insert(rng.randrange(len(operations)), ("barrier",))
    return ranks


HEAD = """#include <mpi.h>
#include <stdio.h>
static MPI_Request requests[16];
static int values[16], n_requests, size, rank, index_, flag, value, n_done, done[16];
static MPI_Status status;
static MPI_Message message;
static void all(void)
{
    for (int i = 0; i < n_requests; i++) {
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE); /* WAITALL */
        printf("%d: %d is %d\\n", rank, i, values[i]);
    }
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 16; i++)
        requests[i] = MPI_REQUEST_NULL;
"""


def source_text(source):
    return "MPI_ANY_SOURCE" if source == ANY else str(source)


def tag_text(tag):
    return "MPI_ANY_TAG" if tag == ANY else str(tag)


def c_line(rank, number, operation):
    kind = operation[0]
    world = "MPI_COMM_WORLD"
    if kind in ("send", "ssend"):
        call = {"send": "MPI_Send", "ssend": "MPI_Ssend"}[kind]
        return f"value = {rank * 100 + number}; {call}(&value, 1, MPI_INT, {operation[1]}, {operation[2]}, {world});"
    if kind in ("recv", "irecv", "probe", "mprobe", "iprobe"):
        named = f"{source_text(operation[1])}, {tag_text(operation[2])}, {world}"
    if kind == "recv":
        return f'MPI_Recv(&value, 1, MPI_INT, {named}, &status); printf("%d: got %d\\n", rank, value);'
    if kind == "irecv":
        return f"MPI_Irecv(&values[n_requests], 1, MPI_INT, {named}, &requests[n_requests]); n_requests++;"
    if kind == "probe":
        return (f'MPI_Probe({named}, &status); '
                f'printf("%d: probed %d %d\\n", rank, status.MPI_SOURCE, status.MPI_TAG);')
    if kind == "mprobe":
        return (f'MPI_Mprobe({named}, &message, &status); MPI_Mrecv(&value, 1, MPI_INT, &message, &status); '
                f'printf("%d: got %d\\n", rank, value);')
    if kind == "iprobe":
        return (f'MPI_Iprobe({named}, &flag, &status); if (flag) '
                f'printf("%d: probed %d %d\\n", rank, status.MPI_SOURCE, status.MPI_TAG); '
                f'else printf("%d: none\\n", rank);')
    if kind == "wait":
        return 'if (n_requests) MPI_Wait(&requests[n_requests - 1], MPI_STATUS_IGNORE);'
    if kind == "test":
        return ('if (n_requests) { MPI_Test(&requests[n_requests - 1], &flag, MPI_STATUS_IGNORE); '
                'printf("%d: test %d\\n", rank, flag); }')
    if kind == "waitany":
        return ('MPI_Waitany(n_requests, requests, &index_, MPI_STATUS_IGNORE); '
                'printf("%d: any %d\\n", rank, index_);')
    if kind == "waitsome":
        return ('MPI_Waitsome(n_requests, requests, &n_done, done, MPI_STATUSES_IGNORE); '
                'for (int i = 0; i < n_done; i++) printf("%d: some %d of %d\\n", rank, done[i], n_done);')
    if kind == "barrier":
        return "MPI_Barrier(MPI_COMM_WORLD);"
    return "all();"


def c_program(ranks):
    """The text, and the line of each operation."""
    lines = HEAD.splitlines()
    places = {}
    for rank, operations in enumerate(ranks):
        lines.append(f"    if (rank == {rank}) {{")
        for number, operation in enumerate(operations):
            lines.append("        " + c_line(rank, number, operation))
            places[rank, number] = len(lines)
        lines.append("    }")
    lines += ["    MPI_Finalize();", "}"]
    places["all"] = next(i + 1 for i, line in enumerate(lines) if "WAITALL" in line)
    return "\n".join(lines) + "\n", places


# -- the rules ---------------------------------------------------------------------------------------------------

class TooMany(Exception):
    pass


class Rules:
    """A state is a tuple over ranks of (next operation, stage, receives, output); a receive is (source, tag, message,
    request or None, active). Messages: those sent are known from where their senders are."""

    def __init__(self, ranks):
        self.ranks = ranks
        self.size = len(ranks)

    def sent(self, state, receiver):
        """Messages to a rank, as (sender, number, tag), in order for each sender."""
        for sender, (at, stage, _, _) in enumerate(state):
            for number, operation in enumerate(self.ranks[sender]):
                begun = number < at or (number == at and stage == "sent")
                if begun and operation[0] in ("send", "ssend") and operation[1] == receiver:
                    yield sender, number, operation[2]

    @staticmethod
    def accepts(source, tag, message):
        return source in (ANY, message[0]) and tag in (ANY, message[2])

    def available(self, state, rank, source, tag, before):
        """Messages that a receive can take, which was posted after the first `before` ones of its rank."""
        receives = state[rank][2]
        taken = {receive[2] for receive in receives if receive[2]}
        left = [message for message in self.sent(state, rank) if message[:2] not in taken]
        for message in left:
            if not self.accepts(source, tag, message):
                continue
            if any(other[0] == message[0] and other[1] < message[1] and self.accepts(source, tag, other)
                   for other in left):
                continue
            if any(not receive[2] and self.accepts(receive[0], receive[1], message) for receive in receives[:before]):
                continue
            yield message

    def moves(self, state):
        for rank in range(self.size):
            yield from self.match_moves(state, rank)
            yield from self.rank_moves(state, rank)
        yield from self.barrier_moves(state)

    @staticmethod
    def put(state, rank, local):
        return state[:rank] + (local,) + state[rank + 1:]

    def match_moves(self, state, rank):
        at, stage, receives, output = state[rank]
        for i, (source, tag, message, request, active) in enumerate(receives):
            if message:
                continue
            for found in self.available(state, rank, source, tag, i):
                changed = receives[:i] + ((source, tag, found[:2], request, active),) + receives[i + 1:]
                yield self.put(state, rank, (at, stage, changed, output))

    def is_taken(self, state, sender, number, receiver):
        return any(receive[2] == (sender, number) for receive in state[receiver][2])

    def rank_moves(self, state, rank):
        at, stage, receives, output = state[rank]
        if at == len(self.ranks[rank]):
            return
        operation = self.ranks[rank][at]
        kind = operation[0]
        next_ = at + 1

        def local(stage=None, receives=receives, more=(), at=next_):
            return self.put(state, rank, (at, stage, receives, output + tuple(more)))

        def value(message):
            return message[0] * 100 + message[1]

        if kind == "send":
            yield local()
        elif kind == "ssend":
            if stage is None:
                yield local(stage="sent", at=at)
            elif self.is_taken(state, rank, at, operation[1]):
                yield local()
        elif kind == "recv":
            if stage is None:
                yield local("posted", receives + ((operation[1], operation[2], None, None, False),), at=at)
            elif receives[-1][2]:
                yield local(more=[f"got {value(receives[-1][2])}"])
        elif kind == "mprobe":
            for message in self.available(state, rank, operation[1], operation[2], len(receives)):
                yield local(None, receives + ((operation[1], operation[2], message[:2], None, False),),
                            [f"got {value(message)}"])
        elif kind in ("probe", "iprobe"):
            for message in self.available(state, rank, operation[1], operation[2], len(receives)):
                yield local(more=[f"probed {message[0]} {message[2]}"])
            if kind == "iprobe":
                yield local(more=["none"])
        elif kind == "irecv":
            number = sum(1 for receive in receives if receive[3] is not None)
            yield local(None, receives + ((operation[1], operation[2], None, number, True),))
        elif kind in ("wait", "test", "waitany", "waitsome"):
            yield from self.among(kind, receives, local)
        elif kind == "waitall":
            requests = [receive for receive in receives if receive[3] is not None]
            if all(receive[2] for receive in requests):
                yield local(more=[f"{receive[3]} is {value(receive[2])}" for receive in requests])

    def among(self, kind, receives, local):
        requests = [i for i, receive in enumerate(receives) if receive[3] is not None]
        active = [i for i in requests if receives[i][4]]
        complete = [i for i in active if receives[i][2]]

        def finish(which):
            return tuple(receive[:4] + (receive[4] and i not in which,) for i, receive in enumerate(receives))

        if kind in ("wait", "test"):
            last = requests[-1:]
            if not last:
                yield local()
            elif not receives[last[0]][4] or receives[last[0]][2]:
                yield local(None, finish(last), ["test 1"] if kind == "test" else [])
            if kind == "test" and last and receives[last[0]][4]:
                yield local(more=["test 0"])
        elif kind == "waitany":
            if not active:
                yield local(more=["any -32766"])
            for i in complete:
                yield local(None, finish([i]), [f"any {receives[i][3]}"])
        else:
            if not active:
                yield local()
            for bits in range(1, 1 << len(complete)):
                which = [i for k, i in enumerate(complete) if bits >> k & 1]
                yield local(None, finish(which), [f"some {receives[i][3]} of {len(which)}" for i in which])

    def barrier_moves(self, state):
        inside = [rank for rank, (at, _, _, _) in enumerate(state)
                  if at < len(self.ranks[rank]) and self.ranks[rank][at][0] == "barrier"]
        if len(inside) == self.size:
            yield tuple((at + 1, None, receives, output) for at, _, receives, output in state)

    def ends(self):
        start = tuple((0, None, (), ()) for _ in range(self.size))
        seen, stack, ends = {start}, [start], set()
        while stack:
            state = stack.pop()
            following = list(self.moves(state))
            if not following:
                ends.add(state)
            for other in following:
                if other not in seen:
                    seen.add(other)
                    stack.append(other)
            if len(seen) > MOST_STATES or len(ends) > MOST_ENDS:
                raise TooMany()
        return ends


# -- comparing ---------------------------------------------------------------------------------------------------------

def expected(ranks, places):
    outputs, deadlocks = set(), set()
    ends = Rules(ranks).ends()
    for end in ends:
        if all(at == len(ranks[rank]) for rank, (at, _, _, _) in enumerate(end)):
            outputs.add(tuple(output for _, _, _, output in end))
        else:
            waits = set()
            for rank, (at, _, _, _) in enumerate(end):
                if at < len(ranks[rank]):
                    last = ranks[rank][at][0] == "waitall"
                    waits.add(places["all"] if last else places[rank, at])
                else:
                    waits.add(None) # in MPI_Finalize or at its end
            deadlocks.add(frozenset(line for line in waits if line))
    return outputs, deadlocks, len(ends)


def found(report, size):
    outputs, deadlocks = set(), set()
    for output in report["outputs"]:
        lines = [[] for _ in range(size)]
        for line in output["output"].splitlines():
            rank, text = line.split(": ", 1)
            lines[int(rank)].append(text)
        outputs.add(tuple(tuple(line) for line in lines))
    for failure in report["failures"]:
        assert failure["failure"].startswith("deadlock:"), failure["failure"]
        waits = [place.split(" in ")[0] for place in failure["failure"].split(" at ")[1:]]
        deadlocks.add(frozenset(int(place.rsplit(":", 1)[1]) for place in waits))
    return outputs, deadlocks, report["executions"]


def explore(orrery, folder, text, size, jobs=1):
    path = os.path.join(folder, "program.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    run = subprocess.run([orrery, "explore", "-n", str(size), "--check=no-finalize", "--set", "node.cores=8", "--jobs",
                          str(jobs), "--max-runs", "5000", "--json", "-", path],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)
    if run.returncode not in (0, 3):
        raise RuntimeError(f"status {run.returncode}: {run.stderr.decode()}")
    return json.loads(run.stdout)


def compare(orrery, seed, folder):
    """None: the program has too many states. Else whether the two agree."""
    rng = random.Random(seed)
    ranks = random_program(rng)
    text, places = c_program(ranks)
    try:
        wanted = expected(ranks, places)
    except TooMany:
        return None
    have = found(explore(orrery, folder, text, len(ranks)), len(ranks))
    if have == wanted:
        return True
    print(f"seed {seed}:")
    for rank, operations in enumerate(ranks):
        print(f"  rank {rank}: {operations}")
    for what, a, b in zip(("outputs", "deadlocks"), wanted, have):
        for item in sorted(a - b, key=str):
            print(f"  {what}: not found: {item if what == 'outputs' else sorted(item)}")
        for item in sorted(b - a, key=str):
            print(f"  {what}: cannot be: {item if what == 'outputs' else sorted(item)}")
    print(f"  executions: {have[2]}, ends: {wanted[2]}")
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--orrery", required=True)
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--keep", help="where the program of the last case is left")
    options = parser.parse_args()
    compared, wrong = 0, 0
    with tempfile.TemporaryDirectory(prefix="orrery-explore-") as temporary:
        for seed in range(options.seed, options.seed + options.count):
            good = compare(options.orrery, seed, options.keep or temporary)
            compared += good is not None
            wrong += good is False
    print(f"{compared} programs compared (seeds {options.seed} to {options.seed + options.count - 1}), {wrong} differ")
    return 1 if wrong or compared < options.count / 2 else 0


if __name__ == "__main__":
    sys.exit(main())
