/* Epochs with random accesses against a model that every rank keeps of all windows: all kinds of epochs, derived
 * datatypes on both sides, all accesses. All ranks draw the same numbers. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { WORDS = 96, EPOCHS = 60, MOST = 8 };
static unsigned long state = 12345;
static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return (unsigned)(state >> 33) % n;
}
static int rank, size, failures;
static int *memory, *model;
static MPI_Win win;
static MPI_Datatype vector, indexed;

/* The places that four items occupy, by the way they are described. */
static const int places[3][4] = {{0, 1, 2, 3}, {0, 3, 6, 9}, {0, 2, 3, 7}};
typedef struct Layout {
    MPI_Datatype type;
    int count, way;
} Layout;
static Layout layout(unsigned way)
{
    return (Layout){way == 0 ? MPI_INT : way == 1 ? vector : indexed, way == 0 ? 4 : 1, (int)way};
}

static void epoch(int number, int turn)
{
    unsigned kind = draw(4), n = 1 + draw(MOST);
    int *before = malloc(sizeof(int) * WORDS * size);
    int buffers[MOST][10], results[MOST][10], expected[MOST][10], mine[MOST] = {0};
    MPI_Group all, others;
    memcpy(before, model, sizeof(int) * WORDS * size);
    MPI_Win_get_group(win, &all);
    others = all;
    if (kind == 0)
        MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    else if (kind == 1)
        MPI_Win_lock_all(0, win);
    else if (kind == 2)
        MPI_Win_post(others, 0, win), MPI_Win_start(others, 0, win);
    for (unsigned i = 0; i < n; i++) {
        int origin = draw(size), target = draw(size), slot = i * 12, value = draw(1000);
        unsigned access = draw(6);
        Layout from = layout(draw(3)), to = layout(draw(3));
        int *there = model + target * WORDS + slot, *was = before + target * WORDS + slot;
        for (int k = 0; k < 10; k++)
            buffers[i][k] = results[i][k] = expected[i][k] = -k;
        for (int k = 0; k < 4; k++) {
            buffers[i][places[from.way][k]] = value + k;
            if (access != 0 && access != 2)
                expected[i][places[from.way][k]] = was[places[to.way][k]];
        }
        mine[i] = origin == rank && access != 0 && access != 2;
        for (int k = 0; k < 4; k++) {
            int *place = there + places[to.way][k];
            if (access == 0)
                *place = value + k;
            else if (access == 2 || access == 3)
                *place += value + k;
            else if (access == 4)
                *place = *place > value + k ? *place : value + k;
        }
        if (access == 5) { /* one element */
            for (int k = 0; k < 10; k++)
                expected[i][k] = -k;
            expected[i][0] = was[0];
            there[0] = was[0] ^ value;
        }
        if (origin != rank)
            continue;
        if (kind == 3)
            MPI_Win_lock(i % 2 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, target, 0, win);
        if (access == 0)
            MPI_Put(buffers[i], from.count, from.type, target, slot, to.count, to.type, win);
        else if (access == 1)
            MPI_Get(results[i], from.count, from.type, target, slot, to.count, to.type, win);
        else if (access == 2)
            MPI_Accumulate(buffers[i], from.count, from.type, target, slot, to.count, to.type, MPI_SUM, win);
        else if (access == 3 || access == 4)
            MPI_Get_accumulate(buffers[i], from.count, from.type, results[i], from.count, from.type, target, slot,
                               to.count, to.type, access == 3 ? MPI_SUM : MPI_MAX, win);
        else {
            buffers[i][0] = value;
            MPI_Fetch_and_op(buffers[i], results[i], MPI_INT, target, slot, MPI_BXOR, win);
        }
        if (kind == 3)
            MPI_Win_unlock(target, win);
    }
    if (kind == 0)
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    else if (kind == 1)
        MPI_Win_unlock_all(win), MPI_Barrier(MPI_COMM_WORLD);
    else if (kind == 2)
        MPI_Win_complete(win), MPI_Win_wait(win);
    else
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    if (memcmp(memory, model + rank * WORDS, WORDS * sizeof(int)) && failures++ < 3)
        for (int k = 0; k < WORDS; k++)
            if (memory[k] != model[rank * WORDS + k])
                printf("rank %d, epoch %d of kind %u: word %d is %d, not %d\n", rank, number, kind, k, memory[k],
                       model[rank * WORDS + k]);
    MPI_Win_unlock(rank, win);
    for (unsigned i = 0; i < n; i++)
        if (mine[i] && memcmp(results[i], expected[i], sizeof results[i]) && failures++ < 3)
            printf("rank %d, epoch %d of kind %u, turn %d: result %u is wrong\n", rank, number, kind, turn, i);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Group_free(&all);
    free(before);
}

int main(int argc, char **argv)
{
    static const int lengths[3] = {1, 2, 1}, displacements[3] = {0, 2, 7};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_vector(4, 1, 3, MPI_INT, &vector);
    MPI_Type_commit(&vector);
    MPI_Type_indexed(3, lengths, displacements, MPI_INT, &indexed);
    MPI_Type_commit(&indexed);
    model = calloc(size * WORDS, sizeof(int));
    MPI_Win_allocate(WORDS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memset(memory, 0, WORDS * sizeof(int));
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    for (int i = 0; i < EPOCHS; i++)
        epoch(i, i);
    MPI_Win_free(&win);
    MPI_Type_free(&vector);
    MPI_Type_free(&indexed);
    int sum;
    MPI_Reduce(&failures, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!rank)
        printf("%d epochs, %d failures\n", EPOCHS, sum);
    free(model);
    MPI_Finalize();
    return 0;
}
