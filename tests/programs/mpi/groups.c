/* Groups: construction, comparison, translation (MPI-3.1 section 6.3). */
#include "in_order.h"

static MPI_Group world;
static int rank;

static void show(const char *what, MPI_Group group)
{
    int n, mine, ranks[16], in_world[16];
    MPI_Group_size(group, &n);
    MPI_Group_rank(group, &mine);
    for (int i = 0; i < n; i++)
        ranks[i] = i;
    MPI_Group_translate_ranks(group, n, ranks, world, in_world);
    say("rank %d: %s:", rank, what);
    for (int i = 0; i < n; i++)
        say(" %d", in_world[i]);
    if (mine == MPI_UNDEFINED)
        say(" (not in it)\n");
    else
        say(" (rank %d in it)\n", mine);
}

static const char *relation(MPI_Group a, MPI_Group b)
{
    int result;
    MPI_Group_compare(a, b, &result);
    return result == MPI_IDENT ? "identical" : result == MPI_SIMILAR ? "similar" : "unequal";
}

int main(int argc, char **argv)
{
    MPI_Group odd, low, both, common, rest, ranges, without, turned, empty, again;
    int translated[3], ranks[3] = {0, 1, MPI_PROC_NULL};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 3, (int[]){5, 3, 1}, &odd);
    MPI_Group_excl(world, 2, (int[]){4, 5}, &low);
    MPI_Group_union(odd, low, &both);
    MPI_Group_intersection(low, odd, &common);
    MPI_Group_difference(low, odd, &rest);
    MPI_Group_range_incl(world, 2, (int[][3]){{0, 4, 2}, {5, 3, -2}}, &ranges);
    MPI_Group_range_excl(world, 1, (int[][3]){{1, 5, 2}}, &without);
    MPI_Group_incl(world, 6, (int[]){5, 4, 3, 2, 1, 0}, &turned);
    MPI_Group_difference(odd, world, &empty);
    MPI_Comm_group(MPI_COMM_WORLD, &again);

    show("odd", odd);
    show("low", low);
    show("union", both);
    show("intersection", common);
    show("difference", rest);
    show("ranges", ranges);
    show("without", without);
    show("turned", turned);
    say("rank %d: world and itself: %s; turned: %s; odd: %s\n", rank, relation(world, again), relation(world, turned),
        relation(world, odd));
    say("rank %d: the empty group is MPI_GROUP_EMPTY: %s\n", rank, empty == MPI_GROUP_EMPTY ? "yes" : "no");
    MPI_Group_translate_ranks(odd, 3, ranks, low, translated);
    say("rank %d: translated %s %d %s\n", rank, translated[0] == MPI_UNDEFINED ? "undefined" : "?", translated[1],
        translated[2] == MPI_PROC_NULL ? "MPI_PROC_NULL" : "?");

    MPI_Comm made;
    MPI_Comm_create(MPI_COMM_WORLD, turned, &made);
    int there;
    MPI_Comm_rank(made, &there);
    say("rank %d: rank %d of the turned communicator\n", rank, there);
    MPI_Comm_free(&made);

    MPI_Group_free(&odd);
    MPI_Group_free(&low);
    MPI_Group_free(&both);
    MPI_Group_free(&common);
    MPI_Group_free(&rest);
    MPI_Group_free(&ranges);
    MPI_Group_free(&without);
    MPI_Group_free(&turned);
    MPI_Group_free(&again);
    MPI_Group_free(&world);
    say("rank %d: %s\n", rank, world == MPI_GROUP_NULL ? "freed" : "not freed");
    say_all();
    MPI_Finalize();
    return 0;
}
