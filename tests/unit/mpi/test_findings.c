/* test_findings.c - notes of the checks: order by rank, one finding for several ranks, findings of a run that stops. */
#include "mpi/check/check.h"
#include "mpi/core/findings.h"
#include "mpi/core/world.h"

#include <criterion/criterion.h>

enum { RANKS = 8 };

static void transmit(void *user, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps, uint64_t cookie)
{
    (void)user, (void)from, (void)to, (void)bytes, (void)time_ps, (void)cookie;
}

static void wake(void *user, uint32_t rank, uint64_t time_ps)
{
    (void)user, (void)rank, (void)time_ps;
}

static MpiWorld *world_new(uint32_t checks)
{
    MpiParams params = {.checks = checks};
    MpiEnv env = {.transmit = transmit, .wake = wake};
    MpiWorld *world = mpi_world_new(RANKS, &params, &env);
    for (uint32_t i = 0; i < RANKS; i++) {
        world->ranks[i].world = world;
        world->ranks[i].index = i;
    }
    return world;
}

static void note(MpiWorld *world, uint32_t rank, MpiCheck check, uint64_t time_ps, const char *what, const char *detail)
{
    mpi_finding_add(mpi_world_rank(world, rank), check, time_ps, what, detail, "mend it");
}

Test(findings, come_in_the_order_of_their_first_ranks)
{
    MpiWorld *world = world_new(mpi_checks_all());
    size_t count;
    note(world, 5, MPI_CHECK_LEAKS, 3, "a", "five");
    note(world, 2, MPI_CHECK_LEAKS, 9, "b", NULL);
    note(world, 2, MPI_CHECK_LEAKS, 4, "a", "two");
    note(world, 7, MPI_CHECK_LOST, 1, "b", NULL);
    note(world, 1, MPI_CHECK_LOST, 50, "c", "same");
    note(world, 6, MPI_CHECK_LOST, 2, "c", "same");
    const MpiFinding *findings = mpi_world_findings(world, true, 0, &count);
    cr_assert_eq(count, 3);
    cr_assert_str_eq(findings[0].what, "c");
    cr_assert_str_eq(findings[1].what, "a", "of one rank, the earlier one first");
    cr_assert_str_eq(findings[2].what, "b");
    cr_assert_eq(findings[0].n_ranks, 2);
    cr_assert_eq(findings[0].ranks[0], 1);
    cr_assert_eq(findings[0].ranks[1], 6);
    cr_assert(findings[0].same_detail);
    cr_assert_str_eq(findings[1].detail, "two", "that of the first rank");
    cr_assert_not(findings[1].same_detail);
    mpi_world_free(world);
}

Test(findings, are_counted)
{
    MpiWorld *world = world_new(mpi_checks_all());
    size_t count;
    for (uint32_t i = 0; i < 100; i++)
        note(world, i % 4, MPI_CHECK_LEAKS, i, "again", NULL);
    const MpiFinding *findings = mpi_world_findings(world, true, 0, &count);
    cr_assert_eq(count, 1);
    cr_assert_eq(findings->n_ranks, 4);
    cr_assert_eq(findings->times, 100);
    mpi_world_free(world);
}

Test(findings, of_checks_that_are_off_are_not_noted)
{
    MpiWorld *world = world_new(mpi_checks_default());
    size_t count;
    note(world, 0, MPI_CHECK_LEAKS, 0, "asked for only", NULL);
    note(world, 0, MPI_CHECK_FINALIZE, 0, "free", NULL);
    const MpiFinding *findings = mpi_world_findings(world, true, 0, &count);
    cr_assert_eq(count, 1);
    cr_assert_eq(findings->check, MPI_CHECK_FINALIZE);
    mpi_world_free(world);
}

/* How far ranks have run beyond the end depends on the quantum. Leftovers are no findings if the program could go
 * on. */
Test(findings, of_a_run_that_stops_are_those_before_its_end)
{
    MpiWorld *world = world_new(mpi_checks_all());
    size_t count;
    note(world, 0, MPI_CHECK_RACES, 11, "beyond", NULL);
    note(world, 1, MPI_CHECK_RACES, 10, "just now", NULL);
    note(world, 2, MPI_CHECK_LOST, 1, "left", NULL);
    const MpiFinding *findings = mpi_world_findings(world, false, 10, &count);
    cr_assert_eq(count, 1);
    cr_assert_str_eq(findings->what, "just now");
    mpi_world_free(world);
}

typedef struct Noter {
    MpiWorld *world;
    uint32_t rank;
} Noter;

static gpointer note_many(gpointer data)
{
    const Noter *noter = data;
    for (uint32_t i = 0; i < 1000; i++) {
        g_autofree char *what = g_strdup_printf("finding %03u", i % 50);
        note(noter->world, noter->rank, MPI_CHECK_THREADS, i % 50, what, NULL);
    }
    return NULL;
}

/* LOCAL calls make notes on whatever thread their rank runs. */
Test(findings, from_several_threads_are_the_same)
{
    MpiWorld *world = world_new(mpi_checks_all());
    Noter noters[RANKS];
    GThread *threads[RANKS];
    size_t count;
    for (uint32_t i = 0; i < RANKS; i++) {
        noters[i] = (Noter){world, i};
        threads[i] = g_thread_new("noter", note_many, &noters[i]);
    }
    for (uint32_t i = 0; i < RANKS; i++)
        g_thread_join(threads[i]);
    const MpiFinding *findings = mpi_world_findings(world, true, 0, &count);
    cr_assert_eq(count, 50);
    for (size_t i = 0; i < count; i++) {
        g_autofree char *what = g_strdup_printf("finding %03u", (unsigned)i);
        cr_assert_str_eq(findings[i].what, what);
        cr_assert_eq(findings[i].n_ranks, RANKS);
        cr_assert_eq(findings[i].times, RANKS * 20);
    }
    mpi_world_free(world);
}
