/* Warnings about MPI calls. Each row is the text between MPI_Init and MPI_Finalize (or a whole program), and the
 * warning that it must cause. Programs that must cause none are in test_check_mpi_silent.c. */
#include "check_mpi_support.h"

#include <criterion/criterion.h>
#include <string.h>

Test(check_mpi, types)
{
    static const MpiRow rows[] = {
        {"-Wmpi-type", "double a[10]; MPI_Bcast(a, 10, MPI_INT, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-type", "long n = 3; MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-type", "float x = 1, y; MPI_Reduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-type", "int *p = malloc(40); MPI_Bcast(&p, 10, MPI_INT, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-type",
         "double **m = malloc(8 * sizeof *m); for (int i = 0; i < 8; i++) m[i] = malloc(64); MPI_Bcast(m, 64, "
         "MPI_DOUBLE, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-type", "char c = 1; MPI_Bcast(&c, 1, MPI_INT, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-type", "int x = 1; MPI_Bcast(&x, 1, MPI_CHAR, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-type", "double in[2], out[2]; in[0]=in[1]=rank; MPI_Reduce(in, out, 1, MPI_DOUBLE_INT, MPI_MAXLOC, 0, "
                       "MPI_COMM_WORLD);"},
        {"-Wmpi-type",
         "struct {int r; double v;} in = {rank, 1}, out; MPI_Reduce(&in, &out, 1, MPI_DOUBLE_INT, MPI_MAXLOC, "
         "0, MPI_COMM_WORLD);"},
        {"-Wmpi-type",
         "int x = rank; double *all = malloc(8 * size); MPI_Gather(&x, 1, MPI_INT, all, 1, MPI_DOUBLE, 0, "
         "MPI_COMM_WORLD);"},
        {"-Wmpi-type", "struct { double x; int n; } s = {1, 2}; MPI_Bcast(&s, 2, MPI_INT, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-type", "_Bool b = 1; MPI_Bcast(&b, 1, MPI_INT, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-type", "long double b = 1; MPI_Bcast(&b, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-type",
         "int a[100]; MPI_Datatype col; MPI_Type_vector(10, 1, 10, MPI_DOUBLE, &col); MPI_Type_commit(&col); "
         "MPI_Bcast(a, 1, col, 0, MPI_COMM_WORLD); MPI_Type_free(&col);"},
        {"-Wmpi-type", "int a[10]; MPI_Datatype t = MPI_DOUBLE; MPI_Bcast(a, 5, t, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-type", "char msg[100] = \"hi\"; MPI_Bcast(msg, 20, MPI_INT, 0, MPI_COMM_WORLD);"},
    };
    expect_warnings(rows, G_N_ELEMENTS(rows), false);
}

Test(check_mpi, signs)
{
    static const MpiRow rows[] = {
        {"-Wmpi-fortran", "int x = 1; MPI_Bcast(&x, 1, MPI_INTEGER, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-fortran", "double x = 1; MPI_Bcast(&x, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-sign", "unsigned x = 1; MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);"},
    };
    expect_warnings(rows, G_N_ELEMENTS(rows), false);
}

Test(check_mpi, counts)
{
    static const MpiRow rows[] = {
        {"-Wmpi-count", "int a[10]; MPI_Bcast(a, 20, MPI_INT, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-count", "int a[10]; MPI_Bcast(&a[5], 6, MPI_INT, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-count", "double a[10]; MPI_Bcast(a, sizeof(a), MPI_DOUBLE, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-count",
         "int n = argc; double *a = malloc(n * sizeof(double)); MPI_Bcast(a, n * sizeof(double), MPI_DOUBLE, "
         "0, MPI_COMM_WORLD);"},
        {"-Wmpi-count", "int n = argc; int *a = malloc(n); MPI_Bcast(a, n, MPI_INT, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-count", "int *a = malloc(10 * sizeof(int)); MPI_Bcast(a, 11, MPI_INT, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-count", "int x; MPI_Bcast(&x, 4, MPI_INT, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-count", "char name[10]; strcpy(name, \"x\"); MPI_Bcast(name, 20, MPI_CHAR, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-count",
         "double m[4][4]; MPI_Datatype col; MPI_Type_vector(5, 1, 4, MPI_DOUBLE, &col); MPI_Type_commit(&col);"
         " MPI_Bcast(m, 1, col, 0, MPI_COMM_WORLD); MPI_Type_free(&col);"},
        {"-Wmpi-count",
         "int a, b; MPI_Request r[2]; MPI_Isend(&rank, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &r[0]); "
         "MPI_Irecv(&a, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &r[1]); MPI_Waitall(3, r, MPI_STATUSES_IGNORE);"},
        {"-Wmpi-count",
         "int a, b; MPI_Request r[2]; MPI_Status st; MPI_Isend(&rank, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, "
         "&r[0]); MPI_Irecv(&a, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &r[1]); MPI_Waitall(2, r, &st);"},
        {"-Wmpi-count", "int x = rank, all[4]; MPI_Gather(&x, 1, MPI_INT, all, 4, MPI_INT, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-count", "int x; MPI_Send(&x, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);"},
    };
    expect_warnings(rows, G_N_ELEMENTS(rows), false);
}

Test(check_mpi, operators)
{
    static const MpiRow rows[] = {
        {"-Wmpi-op", "double x = 1, y; MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD);"},
        {"-Wmpi-op", "int x = 1, y; MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_MAXLOC, MPI_COMM_WORLD);"},
        {"-Wmpi-op", "char x = 1, y; MPI_Allreduce(&x, &y, 1, MPI_BYTE, MPI_SUM, MPI_COMM_WORLD);"},
    };
    expect_warnings(rows, G_N_ELEMENTS(rows), false);
}

Test(check_mpi, aliases)
{
    static const MpiRow rows[] = {
        {"-Wmpi-alias", "double s = 1; MPI_Allreduce(&s, &s, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);"},
        {"-Wmpi-alias", "double s[4]; MPI_Sendrecv(s, 4, MPI_DOUBLE, 0, 0, s, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, "
                        "MPI_STATUS_IGNORE);"},
    };
    expect_warnings(rows, G_N_ELEMENTS(rows), false);
}

Test(check_mpi, statuses)
{
    static const MpiRow rows[] = {
        {"-Wmpi-status", "int x; MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, NULL);"},
        {"-Wmpi-status", "int x; MPI_Status st; MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); "
                         "printf(\"%d\\n\", st.MPI_SOURCE);"},
        {"-Wmpi-status", "int x, n; MPI_Status st; MPI_Get_count(&st, MPI_INT, &n); MPI_Recv(&x, 1, MPI_INT, 0, 0, "
                         "MPI_COMM_WORLD, &st);"},
    };
    expect_warnings(rows, G_N_ELEMENTS(rows), false);
}

Test(check_mpi, requests)
{
    static const MpiRow rows[] = {
        {"-Wmpi-request", "int x = 1; MPI_Request r; MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);"},
        {"-Wmpi-request", "int x[4]; MPI_Request r[4]; for (int i = 0; i < 4; i++) MPI_Irecv(&x[i], 1, MPI_INT, i, 0, "
                          "MPI_COMM_WORLD, &r[i]);"},
        {"-Wmpi-request", "int x = 1; MPI_Request r; for (int i = 0; i < size; i++) MPI_Isend(&x, 1, MPI_INT, i, 0, "
                          "MPI_COMM_WORLD, &r); MPI_Wait(&r, MPI_STATUS_IGNORE);"},
        {"-Wmpi-request",
         "int x = 1; MPI_Request r; for (int i = 0; i < size; i++) { if (i != rank) MPI_Isend(&x, 1, MPI_INT, "
         "i, 0, MPI_COMM_WORLD, &r); } MPI_Wait(&r, MPI_STATUS_IGNORE);"},
        {"-Wmpi-request",
         "int x = 1, y; MPI_Request r; MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r); MPI_Irecv(&y, 1, "
         "MPI_INT, 0, 0, MPI_COMM_WORLD, &r); MPI_Wait(&r, MPI_STATUS_IGNORE);"},
        {"-Wmpi-request", "MPI_Request r; MPI_Wait(&r, MPI_STATUS_IGNORE);"},
        {"-Wmpi-request", "int x; MPI_Request r; MPI_Wait(&r, MPI_STATUS_IGNORE); MPI_Irecv(&x, 1, MPI_INT, 0, 0, "
                          "MPI_COMM_WORLD, &r);"},
        {"-Wmpi-request",
         "int x; MPI_Request r; MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r); printf(\"%d\\n\", x); "
         "MPI_Wait(&r, MPI_STATUS_IGNORE);"},
        {"-Wmpi-request",
         "int a[10], s = 0; MPI_Request r; MPI_Irecv(a, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, &r); for (int i = "
         "0; i < 10; i++) s += a[i]; MPI_Wait(&r, MPI_STATUS_IGNORE); printf(\"%d\", s);"},
        {"-Wmpi-request", "int a[10]; MPI_Request r; MPI_Isend(a, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, &r); a[0] = 7; "
                          "MPI_Wait(&r, MPI_STATUS_IGNORE);"},
        {"-Wmpi-request",
         "char a[10]; MPI_Request r; MPI_Irecv(a, 10, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &r); printf(\"%s\", a); "
         "MPI_Wait(&r, MPI_STATUS_IGNORE);"},
    };
    expect_warnings(rows, G_N_ELEMENTS(rows), false);
}

Test(check_mpi, collectives)
{
    static const MpiRow rows[] = {
        {"-Wmpi-collective",
         "int n = 1; if (rank == 0) { printf(\"x\"); MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); }"},
        {"-Wmpi-collective",
         "int n = 1; if (rank == 0) MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); else MPI_Recv(&n, 1, "
         "MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"},
        {"-Wmpi-collective", "if (rank != 0) { MPI_Finalize(); return 0; } MPI_Barrier(MPI_COMM_WORLD);"},
        {"-Wmpi-collective", "for (int i = 0; i < 10; i++) { if (rank == 0) continue; MPI_Barrier(MPI_COMM_WORLD); }"},
        {"-Wmpi-collective", "for (int i = 0; i < 10; i++) { if (rank > 3) break; MPI_Barrier(MPI_COMM_WORLD); }"},
        {"-Wmpi-collective", "for (int i = 0; i < rank; i++) MPI_Barrier(MPI_COMM_WORLD);"},
        {"-Wmpi-collective",
         "int n = 1; if (rank == 0) { MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); "
         "MPI_Barrier(MPI_COMM_WORLD); } else { MPI_Barrier(MPI_COMM_WORLD); MPI_Bcast(&n, 1, MPI_INT, 0, "
         "MPI_COMM_WORLD); }"},
        {"-Wmpi-collective",
         "int n = 1; if (rank == 0) MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); else MPI_Bcast(&n, 1, "
         "MPI_INT, 1, MPI_COMM_WORLD);"},
        {"-Wmpi-collective", "switch (rank) { case 0: MPI_Barrier(MPI_COMM_WORLD); break; default: printf(\"x\"); }"},
        {"-Wmpi-collective", "rank == 0 && MPI_Barrier(MPI_COMM_WORLD);"},
        {"-Wmpi-collective", "int root = (rank == 0); if (root) MPI_Barrier(MPI_COMM_WORLD);"},
        {"-Wmpi-collective", "if (rank % 2) MPI_Barrier(MPI_COMM_WORLD);"},
        {"-Wmpi-collective",
         "double x = 1, y; if (rank == 0) MPI_Reduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-collective", "MPI_Comm c; if (rank < 2) MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &c);"},
    };
    expect_warnings(rows, G_N_ELEMENTS(rows), false);
}

Test(check_mpi, arguments)
{
    static const MpiRow rows[] = {
        {"-Wmpi-argument", "int x = 1; MPI_Send(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-argument", "int x = 1; MPI_Bcast(&x, 1, MPI_INT, -1, MPI_COMM_WORLD);"},
        {"-Wmpi-argument", "MPI_Barrier(MPI_COMM_NULL);"},
        {"-Wmpi-argument", "int x = 1; MPI_Send(&x, 1, MPI_INT, -1, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-argument", "int x; MPI_Recv(&x, 1, MPI_INT, -1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"},
        {"-Wmpi-argument", "int x; MPI_Recv(&x, 1, MPI_INT, -2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"},
        {"-Wmpi-argument", "int x = 1; MPI_Send(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-argument", "int x = 1; MPI_Bcast(&x, 1, MPI_INT, MPI_ROOT, MPI_COMM_WORLD);"},
        {"-Wmpi-argument", "MPI_Recv(NULL, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"},
        {"-Wmpi-argument", "MPI_Recv(\"abcdef\", 4, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"},
    };
    expect_warnings(rows, G_N_ELEMENTS(rows), false);
}

Test(check_mpi, tags)
{
    static const MpiRow rows[] = {
        {"-Wmpi-tag", "int x = 1; MPI_Send(&x, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD);"},
        {"-Wmpi-tag", "int x = 1; MPI_Send(&x, 1, MPI_INT, 0, -1, MPI_COMM_WORLD);"},
        {"-Wmpi-tag", "int x; MPI_Recv(&x, 1, MPI_INT, 0, -1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"},
        {"-Wmpi-tag",
         "int x = 1; MPI_Recv(&x, 1, MPI_INT, MPI_ANY_TAG, MPI_ANY_SOURCE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"},
        {"-Wmpi-tag-range", "int x = 1; MPI_Send(&x, 1, MPI_INT, 0, 100000, MPI_COMM_WORLD);"},
    };
    expect_warnings(rows, G_N_ELEMENTS(rows), false);
}

/* Calls in other functions, ranks that are passed as arguments, MPI_Init and MPI_Finalize. */
Test(check_mpi, whole_programs)
{
    static const MpiRow rows[] = {
        {"-Wmpi-init",
         "int main(int argc, char **argv) { int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Init(&argc, "
         "&argv); MPI_Finalize(); return 0; }"},
        {"-Wmpi-init", "int main(int argc, char **argv) { MPI_Init(&argc, &argv); MPI_Finalize(); "
                       "MPI_Barrier(MPI_COMM_WORLD); return 0; }"},
        {"-Wmpi-init", "int main(void) { int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank); printf(\"%d\", rank); "
                       "MPI_Finalize(); return 0; }"},
        {"-Wmpi-init",
         "int main(int argc, char **argv) { int rank; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, "
         "&rank); printf(\"%d\", rank); return 0; }"},
        {"-Wmpi-collective",
         "static void share(int *n) { MPI_Bcast(n, 1, MPI_INT, 0, MPI_COMM_WORLD); }\n"
         "int main(int argc, char **argv) { int rank, n = 0; MPI_Init(&argc, &argv); "
         "MPI_Comm_rank(MPI_COMM_WORLD, &rank); if (rank == 0) share(&n); MPI_Finalize(); return 0; }\n"},
        {"-Wmpi-collective",
         "int rank;\n"
         "static void work(void) { if (rank == 0) MPI_Barrier(MPI_COMM_WORLD); }\n"
         "int main(int argc, char **argv) { MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &rank); "
         "work(); MPI_Finalize(); return 0; }\n"},
        {"-Wmpi-collective",
         "static void work(int me) { if (me == 0) MPI_Barrier(MPI_COMM_WORLD); }\n"
         "int main(int argc, char **argv) { int rank; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, "
         "&rank); work(rank); MPI_Finalize(); return 0; }\n"},
        {"-Wmpi-collective",
         "static void work(int me, MPI_Comm c) { if (me == 0) MPI_Barrier(c); }\n"
         "int main(int argc, char **argv) { int rank; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, "
         "&rank); work(rank, MPI_COMM_WORLD); MPI_Finalize(); return 0; }\n"},
        {"-Wmpi-collective",
         "struct ctx { int rank; MPI_Comm comm; };\n"
         "static void work(struct ctx *c) { MPI_Comm_rank(c->comm, &c->rank); if (c->rank == 0) "
         "MPI_Barrier(c->comm); }\n"
         "int main(int argc, char **argv) { struct ctx c; MPI_Init(&argc, &argv); c.comm = MPI_COMM_WORLD; "
         "work(&c); MPI_Finalize(); return 0; }\n"},
    };
    expect_warnings(rows, G_N_ELEMENTS(rows), true);
}

/* More mistakes that students make. */
Test(check_mpi, more)
{
    static const MpiRow rows[] = {
        {"-Wmpi-type",
         "int a[10]; MPI_Datatype t; MPI_Type_contiguous(5, MPI_INT, &t); MPI_Send(a, 1, t, 1, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-type", "int *rows[4]; for (int i = 0; i < 4; i++) rows[i] = malloc(16); MPI_Bcast(rows, 16, MPI_INT, "
                       "0, MPI_COMM_WORLD);"},
        {"-Wmpi-type", "size_t n = 1; MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-count", "char *s = \"hello\"; MPI_Send(s, 10, MPI_CHAR, 1, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-count", "double *a = calloc(5, sizeof *a); MPI_Send(a, 6, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-count", "const int n = 20; int a[10]; MPI_Send(a, n, MPI_INT, 1, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-alias", "int a[4]; MPI_Allreduce(&a[2], &a[2], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);"},
        {"-Wmpi-request", "int x = 0; MPI_Request r; MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r); x++; "
                          "MPI_Wait(&r, MPI_STATUS_IGNORE);"},
        {"-Wmpi-request", "double *b = malloc(80); MPI_Request r; MPI_Isend(b, 10, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, "
                          "&r); free(b); MPI_Wait(&r, MPI_STATUS_IGNORE);"},
        {"-Wmpi-request", "int x, y; MPI_Request a, b; MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &a); "
                          "MPI_Irecv(&y, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &b); MPI_Wait(&a, MPI_STATUS_IGNORE);"},
        {"-Wmpi-collective",
         "if (rank != 0) { for (int i = 0; i < 3; i++) MPI_Barrier(MPI_COMM_WORLD); } else printf(\"x\");"},
        {"-Wmpi-collective", "if (rank == 0) { MPI_Barrier(MPI_COMM_WORLD); MPI_Barrier(MPI_COMM_WORLD); } else "
                             "MPI_Barrier(MPI_COMM_WORLD);"},
        {"-Wmpi-collective", "MPI_Comm d; MPI_Comm_dup(MPI_COMM_WORLD, &d); if (rank == 1) MPI_Barrier(d);"},
        {"-Wmpi-collective", "MPI_Comm c; int d[1] = {size}, p[1] = {0}, r; MPI_Cart_create(MPI_COMM_WORLD, 1, d, p, "
                             "0, &c); MPI_Comm_rank(c, &r); if (r == 0) MPI_Barrier(c);"},
        {"-Wmpi-collective", "int i = 0; while (i < 3) { if (rank == 0) break; MPI_Barrier(MPI_COMM_WORLD); i++; }"},
        {"-Wmpi-collective", "if (rank == 0) MPI_Finalize(); return 0;"},
    };
    expect_warnings(rows, G_N_ELEMENTS(rows), false);
}

/* The text of messages: what, where, what to do; and the note at the declaration. */
Test(check_mpi, messages)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"double a[10]; MPI_Send(a, 10, MPI_INT, 1, 0, MPI_COMM_WORLD);",
         "-Wmpi-type: argument 3 of 'MPI_Send' is MPI_INT but the buffer holds 'double'; use MPI_DOUBLE\n"
         "note: 'a' is declared here\n"},
        {"int *p = malloc(40); MPI_Bcast(&p, 10, MPI_INT, 0, MPI_COMM_WORLD);",
         "argument 1 of 'MPI_Bcast' is the address of the pointer 'p', not of the items of MPI_INT it points to; pass "
         "'p' "
         "itself"},
        {"double a[10]; MPI_Bcast(&a[5], 6, MPI_DOUBLE, 0, MPI_COMM_WORLD);",
         "argument 2 of 'MPI_Bcast' is 6: so many items of MPI_DOUBLE take 48 bytes, but 'a' has 40 from there, room "
         "for 5"},
        {"double a[10]; MPI_Bcast(a, sizeof a, MPI_DOUBLE, 0, MPI_COMM_WORLD);",
         "argument 2 of 'MPI_Bcast' counts bytes; the count is in items of MPI_DOUBLE, of which 'a' holds 10"},
        {"if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);",
         "-Wmpi-collective: 'MPI_Barrier' is called by some ranks only; all ranks of the communicator must call it\n"
         "note: which ranks call it depends on the rank\nnote: the rank comes from here\n"},
        {"int x = 1; MPI_Request r; MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);",
         "nothing waits for the request 'r' that 'MPI_Isend' starts"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *said = mpi_warnings(rows[i].text, false);
        cr_expect_not_null(strstr(said, rows[i].message), "expected:\n%s\nsaid:\n%s", rows[i].message, said);
    }
}

Test(check_mpi, variables_set_several_times)
{
    static const MpiRow rows[] = {
        {"-Wmpi-argument", "int x = 0, root = 0; root = -5; MPI_Bcast(&x, 1, MPI_INT, root, MPI_COMM_WORLD);"},
        {"-Wmpi-argument", "int x = 0, root = 0; if (size > 1) root = -5; else root = -5; MPI_Bcast(&x, 1, MPI_INT, "
                           "root, MPI_COMM_WORLD);"},
        {"-Wmpi-argument", "int x = 0, to = 1; to -= 4; to = -9; to = to + 1; MPI_Send(&x, 1, MPI_INT, to, 0, "
                           "MPI_COMM_WORLD);"},
        {"-Wmpi-argument", "int x = 0, from = 0; MPI_Status s; from = -9; MPI_Recv(&x, 1, MPI_INT, from, 0, "
                           "MPI_COMM_WORLD, &s);"},
        {"-Wmpi-tag", "int x = 0, tag = 1; tag = -7; tag = tag - 1; MPI_Send(&x, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);"},
        {"-Wmpi-argument", "MPI_Comm c = MPI_COMM_WORLD; MPI_Barrier(c); c = MPI_COMM_NULL; MPI_Barrier(c);"},
        {"-Wmpi-argument", "MPI_Comm c = MPI_COMM_NULL; MPI_Barrier(c);"},
        {"-Wmpi-argument", "MPI_Comm c = MPI_COMM_WORLD; c = MPI_COMM_NULL; MPI_Comm_free(&c);"},
        {"-Wmpi-argument", "MPI_Comm c = MPI_COMM_WORLD; MPI_Comm_free(&c);"},
        {"-Wmpi-argument", "MPI_Datatype t = MPI_INT; MPI_Type_free(&t);"},
        {"-Wmpi-type", "int x = 0; MPI_Datatype t = MPI_INT; t = MPI_DOUBLE; MPI_Bcast(&x, 1, t, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-argument", "int x = 0; MPI_Datatype t = MPI_INT; t = MPI_DATATYPE_NULL; MPI_Bcast(&x, 1, t, 0, "
                           "MPI_COMM_WORLD);"},
        {"-Wmpi-op", "double x = 0, y; MPI_Op op = MPI_SUM; op = MPI_BAND; MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, op, "
                     "MPI_COMM_WORLD);"},
        {"-Wmpi-op", "double x = 0, y; MPI_Op op = MPI_SUM; op = MPI_OP_NULL; MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, op, "
                     "MPI_COMM_WORLD);"},
        {"-Wmpi-count", "int x = 0, n = 1; n = 5; MPI_Bcast(&x, n, MPI_INT, 0, MPI_COMM_WORLD);"},
        {"-Wmpi-tag", "int x = 0, tag = 1; while (x < 3) { tag = -4; MPI_Send(&x, 1, MPI_INT, 0, tag, MPI_COMM_WORLD); "
                      "x++; tag = 5; }"},
        {"-Wmpi-tag", "int x = 0, tag = 1; switch (rank) { case 0: tag = -4; MPI_Send(&x, 1, MPI_INT, 0, tag, "
                      "MPI_COMM_WORLD); break; default: tag = 2; }"},
    };
    expect_warnings(rows, G_N_ELEMENTS(rows), false);
}
