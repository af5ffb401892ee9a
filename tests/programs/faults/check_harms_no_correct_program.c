/* With --check a correct program gives the same output at the same virtual time: blocks that are used up to their last
 * bytes, grown, moved and reused; library functions whose limits lie beyond a block (C11 7.24.2.4, 7.24.4.4, 7.24.5.1);
 * derived types that reach over what lies between blocks; variable-length arrays, alloca and longjmp. */
#include <alloca.h>
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf back;

static unsigned churn(int rounds)
{
    unsigned char *block[16] = {0};
    size_t size[16] = {0};
    unsigned sum = 0, seed = 7;
    for (int i = 0; i < rounds; i++) {
        seed = seed * 1103515245 + 12345;
        unsigned k = seed >> 16 & 15, n = 1 + (seed >> 20 & 1023);
        block[k] = seed & 256 ? realloc(block[k], n) : (free(block[k]), malloc(n));
        memset(block[k], (int)i, n);
        size[k] = n;
        sum += block[k][size[k] - 1];
    }
    for (int k = 0; k < 16; k++)
        free(block[k]);
    return sum;
}

static int strings(void)
{
    char *text = malloc(4), *other = malloc(4), copy[32];
    memcpy(text, "abcd", 4);
    memcpy(other, "abxd", 4);
    int differs = strncmp(text, other, 100) < 0;
    char *found = memchr(text, 'c', 100);
    memcpy(text, "abc", 4);
    strncpy(copy, text, sizeof copy);
    int length = (int)strnlen(text, 1000) + snprintf(other, 4, "%.3s", text);
    int result = differs * 1000 + (int)(found - text) * 100 + length + (copy[31] == 0);
    free(text);
    free(other);
    return result;
}

static void jump(int n)
{
    char *room = alloca(100 + n);
    memset(room, n, 100 + n);
    if (n > 3)
        longjmp(back, room[99 + n]);
    jump(n + 1);
}

static int apart(int rank)
{
    int *blocks[3], lengths[3] = {2, 3, 4}, sum = 0;
    MPI_Aint places[3];
    MPI_Datatype type;
    for (int i = 0; i < 3; i++) {
        free(malloc(50 * (i + 1)));
        blocks[i] = calloc(lengths[i], sizeof(int));
        blocks[i][1] = rank + i + 1;
        MPI_Get_address(blocks[i], &places[i]);
    }
    MPI_Type_create_hindexed(3, lengths, places, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Bcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++) {
        sum = sum * 10 + blocks[i][1];
        free(blocks[i]);
    }
    MPI_Type_free(&type);
    return sum;
}

int main(int argc, char **argv)
{
    int rank;
    volatile int turn = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int n = rank + 3, array[n];
    array[n - 1] = n;
    if (setjmp(back) == 0 && turn++ == 0)
        jump(1);
    printf("rank %d: %u %d %d %d %d\n", rank, churn(500), strings(), apart(rank), array[n - 1], turn);
    MPI_Finalize();
    return 0;
}
