#!/usr/bin/env python3
"""Traces in other programs: the Python module, and the C library with its header. See command.py."""
import csv
import io
import json
import os
import shutil
import struct
import subprocess
import sys
import unittest

from command import Command, ORRERY, ROOT, main

sys.path.insert(0, os.path.join(ROOT, "python"))
import orrery # pylint: disable=wrong-import-position

PROGRAM = """#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    double a[10] = {0}, b[10];
    int rank, ranks;
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < 30; i++)
        MPI_Sendrecv(a, 10, MPI_DOUBLE, (rank + 1) % ranks, i, b, 10, MPI_DOUBLE, (rank + ranks - 1) % ranks, i,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    usleep(5);
    MPI_Finalize();
}
"""
# Writes events of all kinds, with numbers that any reader gives back, and reads them.
ALL_KINDS = """#include <trace/trace.h>
#include <stdio.h>
#include <string.h>
static void add(TraceWriter *writer, TraceKind kind, uint32_t location, uint64_t from, uint64_t to)
{
    TraceEvent event = {.kind = kind, .location = location, .time_ps = to};
    static const uint64_t list[] = {1, 2, 3};
    for (unsigned i = 0; i < trace_kinds[kind].n_fields; i++)
        switch (trace_kinds[kind].fields[i].form) {
        case TRACE_FORM_TIME: event.fields[i] = from; break;
        case TRACE_FORM_TEXT: event.fields[i] = trace_writer_text(writer, trace_kinds[kind].fields[i].name); break;
        case TRACE_FORM_SITE: event.fields[i] = trace_writer_site(writer, &(TraceSite){"a.c", "main", 7}); break;
        case TRACE_FORM_LIST: event.fields[i] = 3; event.list = list; break;
        case TRACE_FORM_PLACE: event.fields[i] = 1 - location; break;
        case TRACE_FORM_NUMBER: event.fields[i] = (to - from) / 2; break;
        default: event.fields[i] = to / 100; break;
        }
    trace_writer_add(writer, &event);
}
int main(int argc, char **argv)
{
    TraceWriter *writer = trace_writer_new(argv[1], 2, NULL);
    trace_writer_note(writer, "program", "made");
    for (uint32_t i = 0; i < 2; i++)
        trace_writer_location(writer, i, &(TraceLocation){i, 0, "0"});
    for (uint64_t t = 1000; t < 200000; t += 10000)
        for (uint32_t i = 0; i < 2; i++) {
            add(writer, TRACE_WAIT, i, t + 1000, t + 3000);
            add(writer, TRACE_CALL, i, t, t + 4000);
            add(writer, TRACE_MESSAGE, i, t, t + 4000);
            add(writer, TRACE_HOP, i, t, t + 4100);
            add(writer, TRACE_LINK, i, t, t + 4200);
            add(writer, TRACE_QUEUE, i, t + 4300, t + 4300);
            add(writer, TRACE_PAUSE, i, t + 4500, t + 4700);
            add(writer, TRACE_ACCESS, i, t + 4700, t + 4800);
            add(writer, TRACE_FINDING, i, t + 4800, t + 4800);
            add(writer, TRACE_REGION, i, t, t + 5000);
        }
    for (uint32_t i = 0; i < 2; i++)
        add(writer, TRACE_ENDED, i, 0, 250000);
    if (!trace_writer_end(writer, NULL))
        return 1;
    g_autoptr(GError) error = NULL;
    g_autoptr(TraceReader) reader = trace_reader_new(argv[1], &error);
    if (!reader)
        return fprintf(stderr, "%s\\n", error->message), 1;
    TraceSelection all = trace_selection_all();
    g_autoptr(TraceCursor) cursor = trace_cursor_new(reader, &all);
    TraceEvent event;
    while (trace_cursor_next(cursor, &event))
        printf("%s %u %llu\\n", trace_kinds[event.kind].name, event.location, (unsigned long long)event.time_ps);
    return !trace_cursor_end(cursor, &error);
}
"""
LIBRARY = os.path.join(os.path.dirname(ORRERY), "..", "trace", "liborrery-trace.a")


def grouped(number):
    """A number as traces had it before version 3."""
    rest = []
    while number >= 0x80:
        rest.append(number & 0x7f | 0x80)
        number >>= 7
    return bytes([*rest, number])


def text(characters):
    return grouped(len(characters)) + characters


def block(kind, events, payload, from_ps=0, to_ps=0, location=0):
    """A block of a trace."""
    padded = payload + bytes(-len(payload) % 8)
    def whole(checksum):
        return struct.pack("<4sHHIIQQQII", b"OrBk", kind, 0, len(payload), events, checksum, from_ps, to_ps, location,
                           location) + padded
    checksum, words = 0xcbf29ce484222325, whole(0)
    for word, in struct.iter_unpack("<Q", words):
        checksum = (checksum ^ word) * 0x9e3779b97f4a7c15 & (1 << 64) - 1
        checksum ^= checksum >> 29
    return whole(checksum)


class Readers(Command):
    def path(self, name):
        return os.path.join(self.folder.name, name)

    def record(self):
        self.make("p.c", PROGRAM)
        self.good("run", "-q", "-n", "3", "--trace", "p.trace", "--json", "p.json", "p.c")
        return orrery.Trace(self.path("p.trace"))

    def test_python_reads_what_convert_writes(self):
        trace = self.record()
        self.assertEqual((trace.notes["ranks"], trace.notes["program"], trace.whole), ("3", "p", True))
        for options, selection in (([], {}), (["--ranks", "1"], {"ranks": 1}), (["--kinds", "call"], {"kinds": "call"}),
                                   (["--from", "10us", "--to", "20us"], {"from_ps": 10**7, "to_ps": 2 * 10**7})):
            rows = [json.loads(line) for line in
                    self.good("trace", "convert", "--format", "json", *options, "p.trace")[0].splitlines()]
            mine = []
            for event in trace.events(**selection):
                site = event.pop("site", None)
                if site is not None:
                    event.update(file=site.file or "", line=site.line, caller=site.function)
                mine.append(event)
            self.assertEqual(mine, rows)
            self.assertTrue(rows)

    def test_older_versions_are_read(self):
        for version, form, stored in ((1, 2, grouped(2 * 250)), (2, 8, grouped(250))):
            kind = b"\5" + grouped(0) + text(b"pause") + grouped(2) + text(b"from") + grouped(form) + text(b"why") + grouped(4)
            events = b"".join((b"\0", grouped(2), grouped(2 * 300), stored, grouped(1), # location 1, 300 ps, since 50 ps
                               b"\x80", grouped(2 * (1 << 40)), grouped(0), grouped(0)))
            self.make("old.trace", b"\x8fTrace\r\n" + struct.pack("<II", version, 0) +
                      block(2, 2, b"\1" + text(b"sleep") + kind) + block(1, 2, events, 300, 300 + (1 << 40), 1))
            expected = [(1, 300, 50, "sleep"), (1, 300 + (1 << 40), 300 + (1 << 40), "")]
            mine = [(e["rank"], e["time_ps"], e["from_ps"], e["why"])
                    for e in orrery.Trace(self.path("old.trace")).events()]
            self.assertEqual(mine, expected)
            rows = [json.loads(line) for line in
                    self.good("trace", "convert", "--format", "json", "old.trace")[0].splitlines()]
            self.assertEqual([(e["rank"], e["time_ps"], e["from_ps"], e["why"]) for e in rows], expected)

    def test_columns(self):
        trace = self.record()
        calls = trace.columns("call", ranks=[0, 2])
        self.assertEqual({len(column) for column in calls.values()}, {64})
        self.assertEqual(set(calls["rank"]), {0, 2})
        self.assertEqual(calls["line"][5], 9)
        results = orrery.read_results(self.path("p.json"))
        ranks = orrery.columns(results["ranks"])
        self.assertEqual(max(ranks["finish_ps"]), results["makespan_ps"])
        blocked = sum(trace.columns("call")["blocked_ps"]) + sum(
            row["time_ps"] - row["from_ps"] for row in trace.events(kinds=["pause"]))
        self.assertEqual(blocked, sum(ranks["blocked_ps"]))

    def test_python_refuses_what_it_cannot_read(self):
        self.record()
        whole = self.read("p.trace")
        for name, data in (("empty", b""), ("other", b"something else entirely"), ("newer", whole[:8] + b"\7" + whole[9:])):
            with self.assertRaises(orrery.TraceError, msg=name):
                orrery.Trace(self.make(name, data))
        for length in range(16, len(whole), 97): # up to the last whole block
            trace = orrery.Trace(self.make("cut", whole[:length]))
            list(trace.events())
            self.assertFalse(trace.whole)
        events = len(list(orrery.Trace(self.path("p.trace")).events()))
        for at in range(100, len(whole), 331): # nothing is made up
            damaged = bytearray(whole)
            damaged[at] ^= 0x55
            try:
                trace = orrery.Trace(self.make("damaged", bytes(damaged)))
                self.assertLessEqual(len(list(trace.events())), events)
            except orrery.TraceError:
                pass

    @unittest.skipUnless(shutil.which("cc") and shutil.which("pkg-config") and os.path.exists(LIBRARY),
                         "there is no C compiler, no pkg-config, or no library of traces")
    def test_c_reads_and_writes_and_all_kinds_are_exported(self):
        self.make("all.c", ALL_KINDS)
        include = self.path("include")
        os.makedirs(os.path.join(include, "trace"))
        for name in ("trace.h", "events.def"): # what is installed, and nothing else
            shutil.copy(os.path.join(ROOT, "trace", name), os.path.join(include, "trace"))
        glib = subprocess.run(["pkg-config", "--cflags", "--libs", "glib-2.0"], capture_output=True, check=True)
        done = subprocess.run(["cc", "-Wall", "-Werror", "-I", include, "all.c", LIBRARY, *glib.stdout.decode().split(),
                               "-lpthread", *os.environ.get("ORRERY_TEST_LDFLAGS", "").split(), "-o", "all"],
                              cwd=self.folder.name, capture_output=True, check=False)
        if b"asan" in done.stderr or b"ubsan" in done.stderr or b"gcov" in done.stderr:
            self.skipTest("the library is built with sanitizers or for coverage")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        read = subprocess.run([self.path("all"), "all.trace"], cwd=self.folder.name, capture_output=True, check=True)
        lines = read.stdout.decode().splitlines()
        trace = orrery.Trace(self.path("all.trace"))
        self.assertEqual(lines, [f"{event['kind']} {event['rank']} {event['time_ps']}" for event in trace.events()])
        self.assertEqual(len({line.split()[0] for line in lines}), 11)
        chrome = json.loads(self.good("trace", "convert", "--format", "chrome", "all.trace")[0])["traceEvents"]
        self.assertEqual({event["cat"] for event in chrome if event["ph"] == "X"},
                         {"computing", "MPI", "waiting", "pause", "region"})
        self.assertEqual(len([event for event in chrome if event["ph"] in "be"]), 80)
        self.assertEqual({event["name"] for event in chrome if event["ph"] == "C"}, {"queues", "link link"})
        vcd = self.good("trace", "convert", "--format", "vcd", "all.trace")[0]
        self.assertIn("$scope module link_link $end", vcd)
        self.assertIn("r0.500000 ", vcd)
        self.assertIn(";waiting;cause ", self.good("trace", "convert", "--format", "folded", "all.trace")[0])
        self.assertIn("link link", self.good("trace", "convert", "--format", "paje", "all.trace")[0])
        rows = list(csv.DictReader(io.StringIO(self.good("trace", "convert", "all.trace")[0])))
        self.assertEqual(len(rows), len(lines))
        for form in ("callgrind", "dot", "ti", "goal"):
            self.good("trace", "convert", "--format", form, "all.trace")


main()
