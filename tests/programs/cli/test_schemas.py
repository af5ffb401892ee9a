#!/usr/bin/env python3
"""JSON that Orrery writes agrees with its schemas, which know each of its keys. See command.py."""
import json
import os
import unittest

from command import ALL_TO_ALL, ROOT, Command, main

try:
    import jsonschema
except ImportError:
    jsonschema = None

FOLDER = os.path.join(ROOT, "schemas")

THREADS = """#include <mpi.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile long sum;
static void *work(void *unused)
{
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&mutex);
        for (int k = 0; k < 1000; k++)
            sum += k;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t other;
    MPI_Init(&argc, &argv);
    pthread_create(&other, 0, work, 0);
    work(0);
    pthread_join(other, 0);
    MPI_Finalize();
}
"""

PARALLEL = """int main(void)
{
    volatile int sum = 0;
#pragma omp parallel for num_threads(3) reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += i;
}
"""

SPAWN = """#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Comm parent, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
    MPI_Finalize();
}
"""

RACE = """#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, got;
    MPI_Status status;
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            if (i == 0 && got == 2)
                abort();
        }
    MPI_Finalize();
}
"""

PHASES = """#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, sum;
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Pcontrol(2);
    for (int turn = 0; turn < 3; turn++)
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
}
"""


def load(name):
    with open(os.path.join(FOLDER, name + ".schema.json"), encoding="utf-8") as file:
        return json.load(file)


def resolve(reference, here):
    """What a $ref points to, and the schema that this is in."""
    name, _, path = reference.partition("#/")
    target = here = load(name[:-len(".schema.json")]) if name else here
    for part in path.split("/"):
        target = target[part]
    return target, here


def strict(schema, here):
    """The schema with its references in place, and with no keys allowed but those that it names."""
    if "$ref" in schema:
        return strict(*resolve(schema["$ref"], here))
    merged = {key: value for key, value in schema.items() if key != "allOf"}
    for part in schema.get("allOf", ()):
        part = strict(part, here)
        merged.setdefault("type", part["type"])
        merged["properties"] = dict(merged.get("properties", {}), **part["properties"])
        merged["required"] = merged.get("required", []) + part["required"]
    if "properties" in merged:
        merged["properties"] = {key: strict(value, here) for key, value in merged["properties"].items()}
        merged.setdefault("additionalProperties", False)
    if "items" in merged:
        merged["items"] = strict(merged["items"], here)
    if "oneOf" in merged:
        merged["oneOf"] = [strict(part, here) for part in merged["oneOf"]]
    merged.pop("definitions", None)
    return merged


def keys_of(schema):
    """All keys of objects that a strict schema names, by their path."""
    found = set()
    for key, value in schema.get("properties", {}).items():
        found |= {key} | {key + "." + rest for rest in keys_of(value)}
    for part in [schema["items"]] if "items" in schema else schema.get("oneOf", []):
        found |= keys_of(part)
    return found


def keys_in(value):
    if isinstance(value, list):
        return set().union(*map(keys_in, value)) if value else set()
    if not isinstance(value, dict):
        return set()
    return set().union(*({key} | {key + "." + rest for rest in keys_in(inner)} for key, inner in value.items()))


@unittest.skipUnless(jsonschema, "python3-jsonschema is not installed")
class Schemas(Command):
    """`seen`: keys that some run has written, by schema. What no run here can show stands in each test."""

    def setUp(self):
        super().setUp()
        self.seen = set()

    def check(self, schema, *values):
        whole = strict(load(schema), load(schema))
        jsonschema.Draft7Validator.check_schema(load(schema))
        for value in values:
            jsonschema.Draft7Validator(whole).validate(value)
            self.seen |= keys_in(value)

    def expect_all(self, schema, missing=()):
        unseen = keys_of(strict(load(schema), load(schema))) - self.seen
        self.assertEqual({key for key in unseen if not key.startswith(tuple(missing) or ("?",))}, set(),
                         f"no run writes these keys of {schema}.schema.json")

    def run_json(self, program, *options, status=0, name="out.json"):
        got, _, err = self.orrery("run", "-q", *options, self.make("program.c", program))
        self.assertEqual(got, status, err)
        return json.loads(self.read(name))

    def test_every_file_is_a_schema(self):
        names = sorted(os.listdir(FOLDER))
        self.assertGreater(len(names), 7)
        for name in names:
            self.assertTrue(name.endswith(".schema.json"), name)
            schema = load(name[:-len(".schema.json")])
            jsonschema.Draft7Validator.check_schema(schema)
            self.assertEqual(schema["$id"], name)

    def test_a_key_that_is_not_described_is_noticed(self):
        value = self.run_json(ALL_TO_ALL, "-n", "4", "--json", "out.json")
        self.check("run", value)
        value["ranks"][1]["colour"] = 3
        with self.assertRaises(jsonschema.ValidationError):
            self.check("run", value)
        del value["ranks"][1]["colour"], value["ranks"][2]["finish_ps"]
        with self.assertRaises(jsonschema.ValidationError):
            self.check("run", value)

    def test_runs(self):
        write = ("--json", "out.json")
        self.make("two.machine", "[network]\ntopology = ring\ndims = 4\n[node-type fast]\nnodes = 0\nclock = 3 GHz\n")
        self.check("run", self.run_json(ALL_TO_ALL, "-n", "4", *write),
                   self.run_json(ALL_TO_ALL, "-n", "8", "--machine", "mesh-4x4", *write),
                   self.run_json(ALL_TO_ALL, "-n", "4", "--machine", "./two.machine",
                                 "--set", "memory.model=hierarchy", "--set", "cost.branch-predictor=gshare", *write),
                   self.run_json(ALL_TO_ALL, "-n", "16", "--machine", "unreliable-mesh", *write),
                   self.run_json(THREADS, "-n", "2", *write),
                   self.run_json(PARALLEL, "-n", "1", "-fopenmp", *write),
                   self.run_json(SPAWN, "-n", "1", *write),
                   self.run_json(ALL_TO_ALL, "-n", "4", "--what-if", "cpu=2x", "--what-if", "network=free", *write))
        self.expect_all("run", missing=("what_if.note",))

    def test_profiles(self):
        for options in (("-n", "4"), ("-n", "8", "-m", "bus-16", "--set", "memory.model=hierarchy",
                                      "--set", "cost.branch-predictor=gshare")):
            self.check("profile", self.run_json(PHASES, *options, "--profile", "out.json"))
        causes = load("profile")["definitions"]["times"]["properties"]["wait_ps"]["properties"]
        self.assertLess({"wait at collective", "transfer"}, {key.split(".")[-1] for key in self.seen})
        wanted = {key for key in keys_of(strict(load("profile"), load("profile"))) if key.split(".")[-1] not in causes}
        self.assertEqual(wanted - self.seen, set())

    def test_critical_paths(self):
        self.good("critical-path", "-n", "4", "-m", "mesh-4x4", "--json", "out.json", self.make("a.c", ALL_TO_ALL))
        self.check("critical-path", json.loads(self.read("out.json")))
        self.expect_all("critical-path")

    def test_scaling(self):
        for options in (("2,4,8",), ("2,4,8", "--weak", "--args", "{ranks}")):
            self.good("scale", "-n", *options, "--json", "out.json", self.make("a.c", ALL_TO_ALL))
            self.check("scale", json.loads(self.read("out.json")))
        self.orrery("scale", "-n", "1,2", "--json", "out.json", self.make("d.c", "int main(int n, char **a) { return *(int *)0; }\n"))
        self.check("scale", json.loads(self.read("out.json")))
        self.expect_all("scale")

    def test_links_over_time(self):
        for options in (("mesh-4x4", "-n", "16"), ("ring-8", "-n", "8"), ("unreliable-mesh", "-n", "16")):
            self.check("network-report", self.run_json(ALL_TO_ALL, "-m", *options, "--network-report", "out.json"))
        self.expect_all("network-report")

    def test_messages(self):
        self.check("messages", self.run_json(ALL_TO_ALL, "-n", "16", "-m", "mesh-4x4", "--messages", "out.json"))
        self.expect_all("messages")

    def test_explorations(self):
        self.orrery("explore", "-n", "3", "--json", "out.json", self.make("race.c", RACE))
        self.check("explore", json.loads(self.read("out.json")))
        self.expect_all("explore", missing=("remarks.",))

    def test_grades(self):
        os.mkdir(os.path.join(self.folder.name, "all"))
        self.make("all/a.c", ALL_TO_ALL), self.make("all/b.c", "int main(void) { return x; }")
        os.mkdir(os.path.join(self.folder.name, "all/c"))
        self.make("all/c/other.c", RACE), os.symlink("/etc/passwd", os.path.join(self.folder.name, "all/c/link.c"))
        self.make("x.assignment", "[assignment]\nprogram=p.c\n[test one]\ncompare=any\nranks=2 3\nexplore=20\n")
        self.good("grade", "-o", "out", "x.assignment", "all")
        self.check("grade", json.loads(self.read("out/grades.json")))
        self.expect_all("grade")

    def test_mappings(self):
        self.good("run", "-q", "-n", "8", "--traffic", "run.traffic", self.make("a.c", ALL_TO_ALL))
        self.good("map", "--machine", "mesh-4x4", "--traffic", "run.traffic", "--json", "out.json")
        self.check("map", json.loads(self.read("out.json")))
        self.expect_all("map", missing=("after.refused", "before.refused"))

    def test_functions(self):
        self.good("mpi", "--list", "--json", "out.json")
        self.check("mpi", json.loads(self.read("out.json")))
        self.expect_all("mpi")

    def test_networks(self):
        self.good("net", "-m", "mesh-4x4", "--load", "0.05,0.9", "--bytes", "8B,64B", "--saturation", "--json", "out.json")
        self.check("net", json.loads(self.read("out.json")))
        self.expect_all("net", missing=("curves.points.deadlock",))

    def test_events(self):
        self.good("run", "-q", "-n", "4", "--trace", "a.trace", self.make("a.c", ALL_TO_ALL))
        lines = self.good("trace", "convert", "--format", "json", "a.trace")[0].splitlines()
        self.assertGreater(len(lines), 20)
        self.check("events", *map(json.loads, lines))


main()
