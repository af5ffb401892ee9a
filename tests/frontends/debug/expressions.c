#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define N 10
#define SCALE (2.5)
enum colour { RED, GREEN = 5, BLUE };
typedef struct point { double x, y; } Point;
struct node { int level; struct node *next; Point at; unsigned flags : 3; int delta : 5; };
static int twice(int n) { return 2 * n; }
static double norm(Point *p) { return sqrt(p->x * p->x + p->y * p->y); }
static int length_of(const char *s) { int n = 0; while (s[n]) n++; return n; }
static int sends(int n) { MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); return n; }
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, a[N], m[3][4];
    double x = 3.5;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_set_name(half, rank % 2 ? "odd" : "even");
    MPI_Datatype column;
    MPI_Type_vector(3, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == size - 1) x = NAN;
    for (int i = 0; i < N; i++) a[i] = i * i + rank;
    for (int i = 0; i < 12; i++) m[i / 4][i % 4] = i;
    Point p = {3, 4}, *pp = &p;
    struct node two = {2, NULL, {1, 2}, 5, -3}, one = {1, &two, {0, 0}, 1, 1};
    enum colour c = GREEN;
    int (*f)(int) = twice;
    char text[] = "hello";
    MPI_Request req = MPI_REQUEST_NULL;
    MPI_Status status;
    int got = -1;
    MPI_Irecv(&got, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &req);
    MPI_Send(&rank, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD);
    MPI_Wait(&req, &status);
    printf("%d %d %f %d %s %d %d\n", got, a[3], norm(pp), f(3) + sends == 0, text, c, one.level);
    MPI_Finalize();
    return length_of(text) - 5;
}
