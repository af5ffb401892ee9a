/* Did you mean: names, members, types, keywords, labels, macros, MPI; and what to include. */
/* options:  */
#include <mpi.h>
#define LIMIT_SIZE 10
struct point { int width; };
enum { COLOUR_RED };
int f(int alpha, struct point *p, struct point q)
{
    int rank;
    MPI_Comm_Rank(MPI_COM_WORLD, &rank);
    MPI_Comm_spwan(0);
    MPI_Sttus status;
    MPI_Datatype type = MPI_INTT;
    int x = LIMT_SIZE + alhpa + p->widht + p.width + q->width + COLOR_RED;
    whlie(x);
    goto endd;
end:
    retrun 1;
    return strlen("x") + INT_MAX;
}
