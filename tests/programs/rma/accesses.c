/* all sorts of accesses */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define CHECK(c) do { if (!(c)) { printf("rank %d: line %d: %s\n", rank, __LINE__, #c); bad++; } } while (0)
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, bad = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Win win; double *d;
    MPI_Win_allocate(64 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &d, &win);
    for (int i = 0; i < 64; i++) d[i] = -1;
    MPI_Win_fence(0, win);
    /* strided target, contiguous origin */
    MPI_Datatype col; MPI_Type_vector(4, 1, 8, MPI_DOUBLE, &col); MPI_Type_commit(&col);
    double o[4] = {rank, rank + .25, rank + .5, rank + .75};
    MPI_Put(o, 4, MPI_DOUBLE, right, 2, 1, col, win);
    MPI_Type_free(&col);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 4; i++) CHECK(d[2 + 8 * i] == left + .25 * i);
    CHECK(d[3] == -1);
    /* long put */
    int n = 100000; MPI_Win lw; char *lm;
    MPI_Win_allocate(n, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &lm, &lw);
    memset(lm, 'a', n); char *src = malloc(n); memset(src, 'A' + rank, n);
    MPI_Win_lock_all(0, lw);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Put(src, n, MPI_CHAR, right, 0, n, MPI_CHAR, lw);
    MPI_Win_flush_local(right, lw);
    MPI_Win_flush_all(lw);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(lm[0] == 'A' + left && lm[n - 1] == 'A' + left);
    char *back = malloc(n); MPI_Request rq;
    MPI_Rget(back, n, MPI_CHAR, right, 0, n, MPI_CHAR, lw, &rq);
    MPI_Wait(&rq, MPI_STATUS_IGNORE);
    CHECK(back[0] == 'A' + rank && back[n - 1] == 'A' + rank);
    MPI_Rput(src, 100, MPI_CHAR, left, 0, 100, MPI_CHAR, lw, &rq);
    MPI_Wait(&rq, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(lw);
    MPI_Win_free(&lw);
    /* accumulate, ops */
    MPI_Win iw; int *v;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &v, &iw);
    for (int i = 0; i < 16; i++) v[i] = 0;
    MPI_Win_fence(0, iw);
    int one[2] = {1, 2}, got[2] = {9, 9};
    for (int k = 0; k < size; k++) MPI_Accumulate(one, 2, MPI_INT, k, 0, 2, MPI_INT, MPI_SUM, iw);
    MPI_Win_fence(0, iw);
    CHECK(v[0] == size && v[1] == 2 * size);
    MPI_Get_accumulate(NULL, 0, MPI_INT, got, 2, MPI_INT, right, 0, 2, MPI_INT, MPI_NO_OP, iw);
    MPI_Win_fence(0, iw);
    CHECK(got[0] == size && got[1] == 2 * size);
    int r10 = 10 + rank, prev = -5;
    MPI_Fetch_and_op(&r10, &prev, MPI_INT, right, 5, MPI_REPLACE, iw);
    MPI_Win_fence(0, iw);
    CHECK(prev == 0 && v[5] == 10 + left);
    int cmp = 10 + rank, nw = 77, res = 0;
    MPI_Compare_and_swap(&nw, &cmp, &res, MPI_INT, right, 5, iw);
    MPI_Win_fence(0, iw);
    CHECK(res == 10 + rank && v[5] == 77);
    cmp = 1;
    MPI_Compare_and_swap(&r10, &cmp, &res, MPI_INT, right, 5, iw);
    MPI_Win_fence(0, iw);
    CHECK(res == 77 && v[5] == 77);
    struct { int v, r; } pair = {100 - rank, rank}, *pp = (void *)(v + 8);
    pp->v = 0; pp->r = 0;
    MPI_Win_fence(0, iw);
    MPI_Accumulate(&pair, 1, MPI_2INT, 0, 8, 1, MPI_2INT, MPI_MAXLOC, iw);
    MPI_Win_fence(0, iw);
    if (!rank) CHECK(pp->v == 100 && pp->r == 0);
    /* proc null, zero */
    MPI_Put(one, 2, MPI_INT, MPI_PROC_NULL, 0, 2, MPI_INT, iw);
    MPI_Get(got, 0, MPI_INT, right, 0, 0, MPI_INT, iw);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, iw);
    /* Rget_accumulate, Raccumulate */
    MPI_Win_lock(MPI_LOCK_SHARED, right, 0, iw);
    MPI_Raccumulate(one, 1, MPI_INT, right, 6, 1, MPI_INT, MPI_SUM, iw, &rq); MPI_Wait(&rq, MPI_STATUS_IGNORE);
    MPI_Rget_accumulate(one, 1, MPI_INT, got, 1, MPI_INT, right, 6, 1, MPI_INT, MPI_SUM, iw, &rq); MPI_Wait(&rq, MPI_STATUS_IGNORE);
    CHECK(got[0] == 1);
    MPI_Win_unlock(right, iw);
    MPI_Win_free(&iw);
    MPI_Win_free(&win);
    /* dynamic */
    MPI_Win dw; MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dw);
    int arr[10]; for (int i = 0; i < 10; i++) arr[i] = rank;
    MPI_Win_attach(dw, arr, sizeof arr);
    MPI_Aint mine, theirs; MPI_Get_address(arr + 4, &mine);
    MPI_Sendrecv(&mine, 1, MPI_AINT, left, 0, &theirs, 1, MPI_AINT, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_lock_all(0, dw);
    int x = 500 + rank;
    MPI_Put(&x, 1, MPI_INT, right, theirs, 1, MPI_INT, dw);
    MPI_Win_unlock_all(dw);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, dw);
    CHECK(arr[4] == 500 + left);
    MPI_Win_unlock(rank, dw);
    MPI_Win_detach(dw, arr);
    MPI_Win_free(&dw);
    /* self */
    MPI_Win sw; int sm[4] = {1, 2, 3, 4};
    MPI_Win_create(sm, sizeof sm, 4, MPI_INFO_NULL, MPI_COMM_SELF, &sw);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, sw);
    int q = 42, w = 0; MPI_Put(&q, 1, MPI_INT, 0, 2, 1, MPI_INT, sw);
    MPI_Win_flush(0, sw);
    MPI_Get(&w, 1, MPI_INT, 0, 2, 1, MPI_INT, sw);
    MPI_Win_unlock(0, sw);
    CHECK(sm[2] == 42 && w == 42);
    void *attr; int flag; MPI_Win_get_attr(sw, MPI_WIN_BASE, &attr, &flag); CHECK(flag && attr == sm);
    MPI_Win_get_attr(sw, MPI_WIN_SIZE, &attr, &flag); CHECK(flag && *(MPI_Aint *)attr == 16);
    MPI_Win_get_attr(sw, MPI_WIN_DISP_UNIT, &attr, &flag); CHECK(flag && *(int *)attr == 4);
    MPI_Win_get_attr(sw, MPI_WIN_CREATE_FLAVOR, &attr, &flag); CHECK(flag && *(int *)attr == MPI_WIN_FLAVOR_CREATE);
    MPI_Win_get_attr(sw, MPI_WIN_MODEL, &attr, &flag); CHECK(flag && *(int *)attr == MPI_WIN_UNIFIED);
    char name[MPI_MAX_OBJECT_NAME]; int len; MPI_Win_set_name(sw, "mine"); MPI_Win_get_name(sw, name, &len); CHECK(!strcmp(name, "mine") && len == 4);
    MPI_Win_free(&sw); CHECK(sw == MPI_WIN_NULL);
    printf("rank %d: %d bad\n", rank, bad);
    MPI_Finalize();
    return 0;
}
