/* Correct MPI programs, and some that cannot be judged from one file. Each must compile without any warning about MPI.
 */
#include "check_mpi_support.h"

#include <criterion/criterion.h>

Test(check_mpi_silent, types)
{
    static const char *const bodies[] = {
        /* bytes */
        "struct { double x; int n; } s = {1, 2}; MPI_Bcast(&s, sizeof s, MPI_BYTE, 0, MPI_COMM_WORLD);",
        /* chars of struct */
        "struct { double x; int n; } s = {1, 2}; MPI_Bcast(&s, sizeof s, MPI_CHAR, 0, MPI_COMM_WORLD);",
        /* void ptr */
        "int a[10]; void *p = a; MPI_Bcast(p, 10, MPI_INT, 0, MPI_COMM_WORLD);",
        /* members */
        "struct { int a, b, c; double d; } s = {1, 2, 3, 4}; MPI_Bcast(&s, 3, MPI_INT, 0, MPI_COMM_WORLD); "
        "MPI_Bcast(&s.b, 2, MPI_INT, 0, MPI_COMM_WORLD);",
        /* matrix */
        "double m[4][5]; MPI_Bcast(m, 20, MPI_DOUBLE, 0, MPI_COMM_WORLD); MPI_Bcast(m[1], 15, MPI_DOUBLE, 0, "
        "MPI_COMM_WORLD); MPI_Bcast(&m[2][0], 10, MPI_DOUBLE, 0, MPI_COMM_WORLD); MPI_Bcast(&m, 20, "
        "MPI_DOUBLE, 0, MPI_COMM_WORLD);",
        /* fixed */
        "int64_t x = 1; MPI_Bcast(&x, 1, MPI_INT64_T, 0, MPI_COMM_WORLD); MPI_Bcast(&x, 1, MPI_LONG, 0, "
        "MPI_COMM_WORLD); MPI_Bcast(&x, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);\n",
        /* enum */
        "enum { A, B } e = A; MPI_Bcast(&e, 1, MPI_INT, 0, MPI_COMM_WORLD);",
        /* complex */
        "double _Complex z = 1; MPI_Bcast(&z, 1, MPI_C_DOUBLE_COMPLEX, 0, MPI_COMM_WORLD); MPI_Bcast(&z, 2, "
        "MPI_DOUBLE, 0, MPI_COMM_WORLD); double w[2]; MPI_Bcast(w, 1, MPI_DOUBLE_COMPLEX, 0, MPI_COMM_WORLD);",
        /* pair */
        "struct { double v; int r; } in = {1, rank}, out; MPI_Reduce(&in, &out, 1, MPI_DOUBLE_INT, "
        "MPI_MAXLOC, 0, MPI_COMM_WORLD); int p[2] = {rank, rank}, q[2]; MPI_Reduce(p, q, 1, MPI_2INT, "
        "MPI_MINLOC, 0, MPI_COMM_WORLD);",
        /* aint */
        "MPI_Aint x = 1; MPI_Bcast(&x, 1, MPI_AINT, 0, MPI_COMM_WORLD); void *q = 0; MPI_Bcast(&q, 1, "
        "MPI_AINT, 0, MPI_COMM_WORLD);",
        /* raw char */
        "char *buf = malloc(800); MPI_Bcast(buf, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);",
        /* unsigned char */
        "unsigned char img[64]; MPI_Bcast(img, 64, MPI_CHAR, 0, MPI_COMM_WORLD);",
        /* in place */
        "double s = 1; MPI_Allreduce(MPI_IN_PLACE, &s, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); if (rank == "
        "0) MPI_Reduce(MPI_IN_PLACE, &s, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); else MPI_Reduce(&s, "
        "NULL, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bodies); i++)
        expect_silence(bodies[i], false);
}

Test(check_mpi_silent, buffers)
{
    static const char *const bodies[] = {
        /* null recv */
        "int x = 1; int *all = NULL; if (rank == 0) all = malloc(size * sizeof *all); MPI_Gather(&x, 1, "
        "MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);",
        /* gather null */
        "int x = 1; if (rank) MPI_Gather(&x, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD); else"
        " { int *all = malloc(4 * size); MPI_Gather(&x, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD); }",
        /* derived col */
        "double m[4][5]; MPI_Datatype col; MPI_Type_vector(4, 1, 5, MPI_DOUBLE, &col); MPI_Type_commit(&col);"
        " MPI_Bcast(&m[0][4], 1, col, 0, MPI_COMM_WORLD); MPI_Type_free(&col);",
        /* derived struct */
        "struct p { double x; int n; } s[3]; int len[2] = {1, 1}; MPI_Aint d[2] = {0, 8}; MPI_Datatype t[2] ="
        " {MPI_DOUBLE, MPI_INT}, p; MPI_Type_create_struct(2, len, d, t, &p); MPI_Type_commit(&p); "
        "MPI_Bcast(s, 3, p, 0, MPI_COMM_WORLD); MPI_Type_free(&p);",
        /* derived resized */
        "int a[4][4]; MPI_Datatype c, r; MPI_Type_vector(4, 1, 4, MPI_INT, &c); MPI_Type_create_resized(c, 0,"
        " 4, &r); MPI_Type_commit(&r); MPI_Bcast(a, 4, r, 0, MPI_COMM_WORLD); MPI_Type_free(&r); "
        "MPI_Type_free(&c);",
        /* bottom */
        "int x = 1; MPI_Aint a; MPI_Datatype t; int l = 1; MPI_Datatype o = MPI_INT; MPI_Get_address(&x, &a);"
        " MPI_Type_create_struct(1, &l, &a, &o, &t); MPI_Type_commit(&t); MPI_Bcast(MPI_BOTTOM, 1, t, 0, "
        "MPI_COMM_WORLD); MPI_Type_free(&t);",
        /* zero */
        "MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD); MPI_Recv(NULL, 0, MPI_INT, "
        "MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bodies); i++)
        expect_silence(bodies[i], false);
}

/* A datatype may be committed under another name. */
Test(check_mpi_silent, committed_elsewhere)
{
    static const char *const bodies[] = {
        "int a[10]; MPI_Datatype t, u; MPI_Type_contiguous(5, MPI_INT, &t); u = t; MPI_Type_commit(&u); MPI_Send(a, 1, "
        "t, 1, 0, MPI_COMM_WORLD);",
        "int a[10]; MPI_Datatype t; void commit(MPI_Datatype); MPI_Type_contiguous(5, MPI_INT, &t); commit(t); "
        "MPI_Send(a, 1, t, 1, 0, MPI_COMM_WORLD);",
        "int a[10]; MPI_Datatype t[2]; MPI_Type_contiguous(5, MPI_INT, &t[0]); MPI_Type_commit(t); MPI_Send(a, 1, "
        "t[0], 1, 0, MPI_COMM_WORLD);",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bodies); i++)
        expect_silence(bodies[i], false);
}

Test(check_mpi_silent, requests)
{
    static const char *const bodies[] = {
        /* waitall */
        "int a, b = 1; MPI_Request r[2]; MPI_Isend(&b, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &r[0]); "
        "MPI_Irecv(&a, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &r[1]); MPI_Waitall(2, r, MPI_STATUSES_IGNORE); "
        "printf(\"%d\", a);",
        /* loop waits */
        "int x = 1; MPI_Request r; for (int i = 0; i < size; i++) { MPI_Isend(&x, 1, MPI_INT, i, 0, "
        "MPI_COMM_WORLD, &r); MPI_Wait(&r, MPI_STATUS_IGNORE); }",
        /* loop frees */
        "int x = 1; MPI_Request r; for (int i = 0; i < size; i++) { MPI_Isend(&x, 1, MPI_INT, i, 0, "
        "MPI_COMM_WORLD, &r); MPI_Request_free(&r); }",
        /* request null */
        "int x = 1; MPI_Request r = MPI_REQUEST_NULL; if (rank == 0) MPI_Isend(&x, 1, MPI_INT, 1, 0, "
        "MPI_COMM_WORLD, &r); MPI_Wait(&r, MPI_STATUS_IGNORE);",
        /* request if */
        "int x = 1; MPI_Request r; if (rank == 0) MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r); if "
        "(rank == 1) MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r); if (rank < 2) MPI_Wait(&r, "
        "MPI_STATUS_IGNORE);",
        /* request loop first */
        "int x = 1; MPI_Request r; for (int i = 0; i < 4; i++) { if (i > 0) MPI_Wait(&r, MPI_STATUS_IGNORE); "
        "MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r); } MPI_Wait(&r, MPI_STATUS_IGNORE);",
        /* pending other */
        "int a[10], s = 0; MPI_Request r; MPI_Irecv(&a[5], 5, MPI_INT, 0, 0, MPI_COMM_WORLD, &r); for (int i "
        "= 0; i < 5; i++) s += a[i]; a[0] = s; MPI_Wait(&r, MPI_STATUS_IGNORE);",
        /* pending read send */
        "int a[10], s = 0; MPI_Request r; MPI_Isend(a, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, &r); for (int i = "
        "0; i < 10; i++) s += a[i]; MPI_Wait(&r, MPI_STATUS_IGNORE); a[0] = s;",
        /* pending test */
        "int x, done = 0; MPI_Request r; MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r); while (!done) "
        "MPI_Test(&r, &done, MPI_STATUS_IGNORE); printf(\"%d\", x);",
        /* pending rows */
        "double g[10][10]; MPI_Request r; MPI_Irecv(g[0], 10, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &r); for (int"
        " i = 1; i < 10; i++) g[i][0] = 1; MPI_Wait(&r, MPI_STATUS_IGNORE);",
        /* pending swap */
        "double *a = malloc(80), *b = malloc(80); MPI_Request r; MPI_Isend(a, 10, MPI_DOUBLE, 0, 0, "
        "MPI_COMM_WORLD, &r); double *t = a; a = b; b = t; a[0] = 1; MPI_Wait(&r, MPI_STATUS_IGNORE);",
        /* persistent */
        "int x; MPI_Request r; MPI_Recv_init(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r); for (int "
        "i = 0; i < 3; i++) { MPI_Start(&r); MPI_Wait(&r, MPI_STATUS_IGNORE); } MPI_Request_free(&r);",
        /* status */
        "int x, n; MPI_Status st; MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &st); MPI_Get_count(&st, "
        "MPI_INT, &n); printf(\"%d\", st.MPI_SOURCE);",
        /* status loop */
        "int x; MPI_Status st; do { MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, "
        "&st); } while (st.MPI_TAG != 0);",
        /* status array */
        "int x; MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL}; MPI_Status st[2]; MPI_Waitall(2, r, "
        "st); printf(\"%d\", st[1].MPI_SOURCE);",
        /* coll both */
        "int n = 1; if (rank == 0) { printf(\"x\"); MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); } else { "
        "MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); printf(\"y\"); }",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bodies); i++)
        expect_silence(bodies[i], false);
}

Test(check_mpi_silent, collectives)
{
    static const char *const bodies[] = {
        /* coll sub */
        "int n = 1; MPI_Comm sub; MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &sub); if (rank % 2 == 0) "
        "MPI_Bcast(&n, 1, MPI_INT, 0, sub); MPI_Comm_free(&sub);",
        /* coll create */
        "int n = 1; MPI_Group g, h; MPI_Comm sub; int z = 0; MPI_Comm_group(MPI_COMM_WORLD, &g); "
        "MPI_Group_incl(g, 1, &z, &h); MPI_Comm_create(MPI_COMM_WORLD, h, &sub); if (rank == 0) MPI_Bcast(&n,"
        " 1, MPI_INT, 0, sub);",
        /* coll nonnull */
        "MPI_Comm sub; int r; MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, 0, &sub); if (sub "
        "!= MPI_COMM_NULL) { MPI_Comm_rank(sub, &r); MPI_Barrier(sub); if (r == 0) printf(\"x\"); }",
        /* coll size */
        "if (size < 2) { MPI_Finalize(); return 0; } MPI_Barrier(MPI_COMM_WORLD);",
        /* coll error */
        "FILE *f = NULL; if (rank == 0 && !(f = fopen(\"x\", \"r\"))) { MPI_Abort(MPI_COMM_WORLD, 1); } "
        "MPI_Barrier(MPI_COMM_WORLD);",
        /* coll error exit */
        "if (rank == 0 && argc < 2) { printf(\"usage\"); exit(1); } MPI_Barrier(MPI_COMM_WORLD);",
        /* coll in turn */
        "for (int i = 0; i < size; i++) { if (rank == i) printf(\"%d\", rank); MPI_Barrier(MPI_COMM_WORLD); }",
        /* coll two ranks */
        "if (rank == 0) { MPI_Barrier(MPI_COMM_WORLD); } else if (rank == 1) { MPI_Barrier(MPI_COMM_WORLD); }",
        /* coll two ifs */
        "if (rank == 0) { printf(\"a\"); MPI_Barrier(MPI_COMM_WORLD); } if (rank != 0) { "
        "MPI_Barrier(MPI_COMM_WORLD); printf(\"b\"); }",
        /* coll always */
        "if (rank < size) MPI_Barrier(MPI_COMM_WORLD); if (rank >= 0) MPI_Barrier(MPI_COMM_WORLD);",
        /* coll loop both */
        "int n = 0; while (n < 10) { if (rank == 0) n++; MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); }",
        /* coll switch */
        "int n = 0; switch (rank) { case 0: printf(\"x\"); MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); "
        "break; default: MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); break; }",
        /* coll self */
        "if (rank == 0) MPI_Barrier(MPI_COMM_SELF);",
        /* coll return both */
        "if (rank != 0) { MPI_Barrier(MPI_COMM_WORLD); MPI_Finalize(); return 0; } printf(\"x\"); "
        "MPI_Barrier(MPI_COMM_WORLD);",
        /* coll local loop */
        "int n = 100 / size + (rank < 100 % size); double s = 0; for (int i = 0; i < n; i++) s += i; "
        "MPI_Allreduce(MPI_IN_PLACE, &s, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);",
        /* alias ok */
        "double a[8]; MPI_Sendrecv(&a[1], 1, MPI_DOUBLE, 0, 0, &a[0], 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, "
        "MPI_STATUS_IGNORE);",
        /* count vla */
        "int n = argc; double a[n]; MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);",
        /* count changed */
        "int n = 1; n = 5 * argc; int a[100]; MPI_Bcast(a, n, MPI_INT, 0, MPI_COMM_WORLD);",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bodies); i++)
        expect_silence(bodies[i], false);
}

Test(check_mpi_silent, counts)
{
    static const char *const bodies[] = {
        /* count str */
        "char name[10] = \"x\"; MPI_Bcast(name, strlen(name) + 1, MPI_CHAR, 0, MPI_COMM_WORLD);",
        /* count exact */
        "int *a = malloc(10 * sizeof(int)); MPI_Bcast(a, 10, MPI_INT, 0, MPI_COMM_WORLD); MPI_Bcast(a + 4, 6,"
        " MPI_INT, 0, MPI_COMM_WORLD);",
        /* count flex */
        "struct f { int n; double d[]; } *p = malloc(sizeof *p + 80); MPI_Bcast(p->d, 10, MPI_DOUBLE, 0, "
        "MPI_COMM_WORLD);",
        /* pack */
        "char b[100]; int pos = 0, x = 1; MPI_Pack(&x, 1, MPI_INT, b, 100, &pos, MPI_COMM_WORLD); "
        "MPI_Bcast(b, pos, MPI_PACKED, 0, MPI_COMM_WORLD); pos = 0; MPI_Unpack(b, 100, &pos, &x, 1, MPI_INT, "
        "MPI_COMM_WORLD);",
        /* union */
        "union { int i; double d; } u = {1}; MPI_Bcast(&u, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);",
        /* cast */
        "double a[4]; MPI_Bcast((char *)a, 32, MPI_CHAR, 0, MPI_COMM_WORLD); MPI_Bcast((int *)a, 8, MPI_INT, "
        "0, MPI_COMM_WORLD);",
        /* requests heap */
        "int x = 1; MPI_Request *r = malloc(size * sizeof *r); for (int i = 0; i < size; i++) MPI_Isend(&x, "
        "1, MPI_INT, i, 0, MPI_COMM_WORLD, &r[i]); MPI_Waitall(size, r, MPI_STATUSES_IGNORE);",
        /* requests counted */
        "int x = 1, n = 0; MPI_Request r[8]; if (rank) MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, "
        "&r[n++]); MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[n++]); MPI_Waitall(n, r, "
        "MPI_STATUSES_IGNORE);",
        /* statuses one */
        "int x; MPI_Request r; MPI_Status st; MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, "
        "&r); MPI_Waitall(1, &r, &st); printf(\"%d\", st.MPI_TAG);",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bodies); i++)
        expect_silence(bodies[i], false);
}

Test(check_mpi_silent, whole_programs)
{
    static const char *const programs[] = {
        /* wrapper */
        "static void send(void *buf, int count, MPI_Datatype type, int to, int tag) { MPI_Send(buf, count, "
        "type, to, tag, MPI_COMM_WORLD); }\n"
        "int main(int argc, char **argv) { double x = 1; MPI_Init(&argc, &argv); send(&x, 1, MPI_DOUBLE, 0, "
        "0); MPI_Finalize(); return 0; }\n",
        /* profiling */
        "int MPI_Send(const void *b, int n, MPI_Datatype t, int d, int tag, MPI_Comm c) { return PMPI_Send(b,"
        " n, t, d, tag, c); }",
        /* start elsewhere */
        "void start(int *, char ***); void stop(void);\n"
        "int main(int argc, char **argv) { int r; start(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &r); "
        "stop(); return r; }\n",
        /* finish */
        "static void finish(void) { MPI_Finalize(); }\n"
        "int main(int argc, char **argv) { MPI_Init(&argc, &argv); MPI_Barrier(MPI_COMM_WORLD); finish(); "
        "return 0; }\n",
        /* atexit */
        "static void finish(void) { MPI_Finalize(); }\n"
        "int main(int argc, char **argv) { MPI_Init(&argc, &argv); atexit(finish); return 0; }\n",
        /* master worker */
        "static void master(void) { int n = 1; MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); }\n"
        "static void worker(void) { int n; MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); }\n"
        "int main(int argc, char **argv) { int rank; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, "
        "&rank); if (rank == 0) master(); else worker(); MPI_Finalize(); return 0; }\n",
        /* worker elsewhere */
        "void worker(void);\n"
        "int main(int argc, char **argv) { int rank; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, "
        "&rank); if (rank == 0) MPI_Barrier(MPI_COMM_WORLD); else worker(); MPI_Finalize(); return 0; }\n",
        /* request escapes */
        "void keep(MPI_Request *); static void f(void) { int x = 1; MPI_Request r; MPI_Isend(&x, 1, MPI_INT, "
        "0, 0, MPI_COMM_WORLD, &r); keep(&r); } void g(void) { f(); }",
        /* request returned */
        "MPI_Request f(int *x) { MPI_Request r; MPI_Isend(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r); return r;"
        " }",
        /* request struct */
        "struct s { MPI_Request r; int x; }; void f(struct s *s) { MPI_Irecv(&s->x, 1, MPI_INT, 0, 0, "
        "MPI_COMM_WORLD, &s->r); }",
        /* comm param */
        "void f(MPI_Comm all, MPI_Comm row) { int r; MPI_Comm_rank(all, &r); if (r == 0) MPI_Barrier(row); }",
        /* rank changes */
        "void f(MPI_Comm a, MPI_Comm b) { int r; MPI_Comm_rank(a, &r); MPI_Comm_rank(b, &r); if (r == 0) "
        "MPI_Barrier(a); }",
        /* initialized */
        "int main(int argc, char **argv) { int flag; double t = MPI_Wtime(); MPI_Initialized(&flag); if "
        "(!flag) MPI_Init(&argc, &argv); MPI_Finalize(); return t > 0; }",
        /* recursion */
        "static void f(int n) { int r; MPI_Comm_rank(MPI_COMM_WORLD, &r); if (n) f(n - 1); if (r == 0) f(n - "
        "1); } void g(void) { f(3); }",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(programs); i++)
        expect_silence(programs[i], true);
}

Test(check_mpi_silent, variables_set_several_times)
{
    static const char *const bodies[] = {
        /* set in one branch */
        "int x = 0, root = -5; if (size > 0) root = 0; MPI_Bcast(&x, 1, MPI_INT, root, MPI_COMM_WORLD);",
        /* guarded by its own value */
        "int x = 0, to = -5; if (rank > 0) to = rank - 1; if (to >= 0) MPI_Send(&x, 1, MPI_INT, to, 0, "
        "MPI_COMM_WORLD);",
        "int x = 0, to = 1; to = -5; if (to >= 0) MPI_Send(&x, 1, MPI_INT, to, 0, MPI_COMM_WORLD);",
        "int x = 0, to = -5; if (to >= 0 && rank == 0) MPI_Send(&x, 1, MPI_INT, to, 0, MPI_COMM_WORLD);",
        "int x = 0, to = 3; to = -5; to >= 0 ? MPI_Send(&x, 1, MPI_INT, to, 0, MPI_COMM_WORLD) : 0;",
        /* the program has left before */
        "int x = 0, to = 1; to = -5; if (to < 0) return 1; MPI_Send(&x, 1, MPI_INT, to, 0, MPI_COMM_WORLD);",
        "int x = 0, to = -5; if (rank) to = 0; if (to < 0) MPI_Abort(MPI_COMM_WORLD, 1); MPI_Send(&x, 1, MPI_INT, to, "
        "0, "
        "MPI_COMM_WORLD);",
        /* set later in the loop, for the next iteration */
        "int x = 0, tag = -4, i; for (i = 0; i < 3; i++) { if (i) MPI_Send(&x, 1, MPI_INT, 0, tag, MPI_COMM_WORLD); "
        "tag = "
        "i; }",
        "int x = 0, tag = -4, i = 0; do { if (i++) continue; tag = 3; } while (i < 3 && !MPI_Send(&x, 1, MPI_INT, 0, "
        "tag, "
        "MPI_COMM_WORLD));",
        /* another case */
        "int x = 0, tag = -4; switch (rank) { case 0: tag = 1; default: MPI_Send(&x, 1, MPI_INT, 0, tag, "
        "MPI_COMM_WORLD); }",
        /* set by a call, through its address, where the compiler does not see it */
        "int x = 0, root = 0; root = -5; MPI_Comm_rank(MPI_COMM_WORLD, &root); MPI_Bcast(&x, 1, MPI_INT, root, "
        "MPI_COMM_WORLD);",
        "int x = 0, root = 0, *p = &root; root = -5; *p = 0; MPI_Bcast(&x, 1, MPI_INT, root, MPI_COMM_WORLD);",
        /* set before a jump backwards */
        "int x = 0, tag = -4; again: if (x) MPI_Send(&x, 1, MPI_INT, 0, tag, MPI_COMM_WORLD); tag = 2; if (!x++) goto "
        "again;",
        /* handles */
        "MPI_Comm c = MPI_COMM_NULL; MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &c); MPI_Barrier(c); MPI_Comm_free(&c);",
        "MPI_Comm c = MPI_COMM_NULL; if (rank == 0) c = MPI_COMM_SELF; if (c != MPI_COMM_NULL) MPI_Barrier(c);",
        "MPI_Datatype t = MPI_DATATYPE_NULL; MPI_Type_contiguous(2, MPI_INT, &t); MPI_Type_commit(&t); "
        "MPI_Type_free(&t); t = MPI_INT;",
        "int x = 0; MPI_Datatype t = MPI_DOUBLE; t = MPI_INT; MPI_Bcast(&x, 1, t, 0, MPI_COMM_WORLD);",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bodies); i++)
        expect_silence(bodies[i], false);
}
