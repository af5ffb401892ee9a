#!/usr/bin/env python3
"""What statistics tell of threads: parallel regions by line. See command.py."""
import json

from command import Command, main

REGIONS = """#include <omp.h>
#include <stdio.h>
static double work(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += i * 0.5;
    return s;
}
int main(void)
{
    double sum = 0;
    int count = 0;
    for (int r = 0; r < 5; r++) {
#pragma omp parallel num_threads(4)
        work(1000000);
    }
#pragma omp parallel num_threads(4)
    work(omp_get_thread_num() == 0 ? 4000000 : 1000);
#pragma omp parallel num_threads(3)
    {
        work(omp_get_thread_num() == 0 ? 4000000 : 1000);
#pragma omp barrier
#pragma omp critical(counting)
        { work(100000); count++; }
#pragma omp single
        for (int i = 0; i < 10; i++)
#pragma omp task shared(sum)
        {
#pragma omp atomic
            sum += 1;
        }
    }
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(3)
        work(1000);
    }
#pragma omp parallel num_threads(1)
    work(1000);
    printf("%g %d\\n", sum, count);
    return 0;
}
"""


class Threads(Command):
    def regions(self, *options):
        self.make("regions.c", REGIONS)
        self.good("run", "-n", "1", "-fopenmp", "--json", "run.json", *options, "regions.c")
        rank = json.loads(self.read("run.json"))["ranks"][0]
        return rank, {int(row["at"].split(":")[-1]): row for row in rank["threads"]["parallel_regions"]}

    def test_regions(self):
        rank, regions = self.regions()
        self.assertEqual(sorted(regions), [15, 18, 20, 35, 37])  # that of one thread is none
        counts = {line: (row["executions"], row["threads"], row["tasks"]) for line, row in regions.items()}
        self.assertEqual(counts, {15: (5, 4, 0), 18: (1, 4, 0), 20: (1, 3, 10), 35: (1, 2, 0), 37: (2, 3, 0)})
        self.assertEqual(sum(row["barrier_ps"] + row["end_ps"] for row in regions.values()),
                         rank["threads"]["barrier_ps"])
        self.assertEqual(sum(row["lock_ps"] for row in regions.values()), rank["threads"]["lock_ps"])
        for row in regions.values():
            self.assertLessEqual(row["time_ps"], rank["finish_ps"])
            self.assertLessEqual(row["thread_ps"], row["time_ps"] * row["threads"])
            self.assertEqual(row["imbalance_per_mille"],
                             (row["barrier_ps"] + row["end_ps"]) * 1000 // row["thread_ps"])
        self.assertLess(regions[15]["imbalance_per_mille"], 50)  # all do the same
        self.assertGreater(regions[18]["imbalance_per_mille"], 700)  # three of four wait at the end
        self.assertGreater(regions[18]["end_ps"], 100 * regions[18]["barrier_ps"])
        self.assertGreater(regions[20]["barrier_ps"], 10 * regions[20]["end_ps"])  # two of three wait within
        self.assertGreater(regions[20]["lock_ps"], 0)

    def test_regions_are_the_same(self):
        first = self.regions("--quantum", "100")
        self.assertEqual(self.regions("--tier", "native"), first)
        self.assertEqual(self.regions("--jobs", "2", "--quantum", "12345"), first)

    def test_table(self):
        self.make("regions.c", REGIONS)
        _, text = self.good("run", "-n", "1", "-fopenmp", "--stats", "regions.c")
        self.assertRegex(text, r"rank     regions threads +time +at barriers +at the end +waited +for locks +tasks  at\n")
        self.assertRegex(text, r"\n     0           5       4 .* 0  regions\.c:15\n")
        self.assertRegex(text, r"\n     0  critical section `counting` +3 +2 ")


if __name__ == "__main__":
    main()
