/* Random views and accesses against a model of the file, byte by byte. All ranks know the model, because all know the
 * seed: file_views [first seed] [seeds] [data]. Other MPI libraries must agree; with `data`, only in the bytes, because
 * ROMIO's statuses are not exact. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16, SLOTS = 24, ROUNDS = 12 };
static unsigned char model[MOST], seen[MOST];
static char written_to[MOST]; /* the other bytes may be anything */
static long model_size;
static int rank, size, wrong, lengths = 1;
static unsigned long long state;
static unsigned long seed;

static unsigned below(unsigned n)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % n;
}

static void fault(const char *what, long at)
{
    if (!wrong++)
        printf("seed %lu, rank %d: %s (%ld)\n", seed, rank, what, at);
}

/* A view as a list of bytes of one tile. */
typedef struct View {
    long disp, extent, bytes;
    long at[4096];
    MPI_Datatype etype, filetype;
    int etype_bytes;
} View;

static long place(const View *v, long i)
{
    return v->disp + i / v->bytes * v->extent + v->at[i % v->bytes];
}

static MPI_Datatype etypes(int i, int *bytes)
{
    static const int sizes[] = {1, 2, 4, 8};
    MPI_Datatype types[] = {MPI_BYTE, MPI_SHORT, MPI_INT, MPI_DOUBLE};
    *bytes = sizes[i];
    return types[i];
}

/* Slots of a tile go to owners by chance, so that the views of ranks are disjoint. */
static void draw_shared(View *v, int me)
{
    int slots = 2 + (int)below(SLOTS - 2), own[SLOTS], places[SLOTS], n = 0;
    MPI_Datatype list;
    v->etype = etypes((int)below(4), &v->etype_bytes);
    v->disp = below(50);
    for (int i = 0; i < slots; i++)
        own[i] = (int)below((unsigned)size + 1); /* one more: gaps */
    own[0] = 0;
    own[slots - 1] = size - 1;
    v->bytes = 0;
    v->extent = (long)slots * v->etype_bytes;
    for (int i = 0; i < slots; i++) {
        if (own[i] != me)
            continue;
        places[n++] = i;
        for (int b = 0; b < v->etype_bytes; b++)
            v->at[v->bytes++] = (long)i * v->etype_bytes + b;
    }
    MPI_Type_create_indexed_block(n, 1, places, v->etype, &list);
    MPI_Type_create_resized(list, 0, v->extent, &v->filetype);
    MPI_Type_free(&list);
    MPI_Type_commit(&v->filetype);
}

static void add_block(View *v, long first, long bytes)
{
    for (long i = 0; i < bytes; i++)
        v->at[v->bytes++] = first + i;
}

/* Any file type: nested constructors. */
static void draw_single(View *v)
{
    int e;
    v->etype = etypes((int)below(4), &e);
    v->etype_bytes = e;
    v->disp = below(100);
    v->bytes = 0;
    switch (below(5)) {
    case 0: {
        int n = 1 + (int)below(5), length = 1 + (int)below(4), stride = length + (int)below(4);
        MPI_Type_vector(n, length, stride, v->etype, &v->filetype);
        for (int i = 0; i < n; i++)
            add_block(v, (long)i * stride * e, (long)length * e);
        v->extent = ((long)(n - 1) * stride + length) * e;
        break;
    }
    case 1: {
        int lengths[6], places[6], n = 1 + (int)below(6), at = 0;
        for (int i = 0; i < n; i++) {
            places[i] = at + (int)below(3);
            lengths[i] = (int)below(4) + (i == 0);
            at = places[i] + lengths[i];
            add_block(v, (long)places[i] * e, (long)lengths[i] * e);
        }
        MPI_Datatype list;
        MPI_Type_indexed(n, lengths, places, v->etype, &list);
        v->extent = (at + 1 + (long)below(3)) * e;
        MPI_Type_create_resized(list, 0, v->extent, &v->filetype);
        MPI_Type_free(&list);
        break;
    }
    case 2: {
        int sizes[2] = {1 + (int)below(6), 1 + (int)below(6)}, sub[2], start[2];
        for (int i = 0; i < 2; i++) {
            sub[i] = 1 + (int)below((unsigned)sizes[i]);
            start[i] = (int)below((unsigned)(sizes[i] - sub[i]) + 1);
        }
        MPI_Type_create_subarray(2, sizes, sub, start, MPI_ORDER_C, v->etype, &v->filetype);
        for (int i = 0; i < sub[0]; i++)
            add_block(v, ((long)(start[0] + i) * sizes[1] + start[1]) * e, (long)sub[1] * e);
        v->extent = (long)sizes[0] * sizes[1] * e;
        break;
    }
    case 3: { /* a vector of vectors */
        int n = 1 + (int)below(3), m = 1 + (int)below(3), inner = 1 + (int)below(2), gap = inner + 1;
        MPI_Datatype row;
        MPI_Type_vector(m, inner, gap, v->etype, &row);
        long row_extent = ((long)(m - 1) * gap + inner) * e, step = row_extent + (long)below(3) * e;
        MPI_Type_create_hvector(n, 1, step, row, &v->filetype);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                add_block(v, i * step + (long)j * gap * e, (long)inner * e);
        v->extent = (n - 1) * step + row_extent;
        MPI_Type_free(&row);
        break;
    }
    default:
        MPI_Type_contiguous(1 + (int)below(3), v->etype, &v->filetype);
        MPI_Type_get_extent(v->filetype, &(MPI_Aint){0}, &(MPI_Aint){0});
        int bytes;
        MPI_Type_size(v->filetype, &bytes);
        add_block(v, 0, bytes);
        v->extent = bytes;
    }
    MPI_Type_commit(&v->filetype);
}

static void set_view(MPI_File file, const View *v)
{
    if (MPI_File_set_view(file, v->disp, v->etype, v->filetype, "native", MPI_INFO_NULL) != MPI_SUCCESS)
        fault("MPI_File_set_view", 0);
}

static unsigned char byte_of(int round, int of, long i)
{
    unsigned long x = seed * 31 + (unsigned long)round * 7919 + (unsigned long)of * 104729 + (unsigned long)i * 13;
    return (unsigned char)(x ^ x >> 7);
}

static void put_model(const View *v, long first, long bytes, int round, int of)
{
    for (long i = 0; i < bytes; i++) {
        long at = place(v, first + i);
        if (at >= MOST)
            abort();
        model[at] = byte_of(round, of, i);
        written_to[at] = 1;
        model_size = at >= model_size ? at + 1 : model_size;
    }
}

/* How many bytes a read gets. */
static long readable(const View *v, long first, long bytes)
{
    long n = 0;
    while (n < bytes && place(v, first + n) < model_size)
        n++;
    return n;
}

/* A memory type with gaps, or none. */
static MPI_Datatype memory_type(int gaps, int count, MPI_Datatype etype)
{
    MPI_Datatype type;
    if (gaps)
        MPI_Type_vector(count, 1, 2, etype, &type);
    else
        MPI_Type_contiguous(count, etype, &type);
    MPI_Type_commit(&type);
    return type;
}

static void check_read(const View *v, long first, long bytes, int gaps, const unsigned char *buffer, MPI_Status *status)
{
    int got;
    long expected = readable(v, first, bytes);
    MPI_Get_elements(status, MPI_BYTE, &got);
    if (got != expected && lengths)
        fault("a read has another length", got - expected);
    for (long i = 0; i < expected; i++) {
        long in = gaps ? i / v->etype_bytes * 2 * v->etype_bytes + i % v->etype_bytes : i;
        long at = place(v, first + i);
        if (written_to[at] && buffer[in] != model[at]) {
            fault("a byte that was read is wrong", i);
            return;
        }
    }
}

static void collective_round(MPI_File file, int round)
{
    static View v, other;
    unsigned char buffer[4096], *data = buffer;
    unsigned long long before = state;
    long etypes_wanted[16];
    MPI_Status status;
    MPI_Request request;
    for (int i = 0; i < size; i++) { /* the same draws for all; keep my own view */
        state = before;
        draw_shared(i == rank ? &v : &other, i);
        if (i != rank)
            MPI_Type_free(&other.filetype);
    }
    int form = (int)below(6), gaps = (int)below(2);
    long first = below(5);
    for (int i = 0; i < size; i++)
        etypes_wanted[i] = below(20);
    unsigned long long after = state;
    for (int i = 0; i < size; i++) { /* all play all */
        state = before;
        draw_shared(&other, i);
        if (other.bytes)
            put_model(&other, first * other.etype_bytes, etypes_wanted[i] * other.etype_bytes, round, i);
        MPI_Type_free(&other.filetype);
    }
    state = after;
    int count = v.bytes ? (int)etypes_wanted[rank] : 0;
    long bytes = (long)count * v.etype_bytes;
    memset(buffer, 0xee, sizeof buffer);
    for (long i = 0; i < bytes; i++)
        buffer[gaps ? i / v.etype_bytes * 2 * v.etype_bytes + i % v.etype_bytes : i] = byte_of(round, rank, i);
    MPI_Datatype type = memory_type(gaps, count, v.etype);
    if (!v.bytes) { /* nothing of the file is this rank's */
        MPI_Type_free(&v.filetype);
        MPI_Type_dup(v.etype, &v.filetype);
        v.bytes = v.extent = v.etype_bytes;
        for (int b = 0; b < v.etype_bytes; b++)
            v.at[b] = b;
    }
    set_view(file, &v);
    MPI_File_seek(file, first, MPI_SEEK_SET);
    switch (form) {
    case 0: MPI_File_write_all(file, data, 1, type, &status); break;
    case 1: MPI_File_write_at_all(file, first, data, 1, type, &status); break;
    case 2:
        MPI_File_iwrite_at_all(file, first, data, 1, type, &request);
        MPI_Wait(&request, &status);
        break;
    case 3:
        MPI_File_iwrite_all(file, data, 1, type, &request);
        MPI_Wait(&request, &status);
        break;
    case 4:
        MPI_File_write_all_begin(file, data, 1, type);
        MPI_File_write_all_end(file, data, &status);
        break;
    default: MPI_File_write_at_all_begin(file, first, data, 1, type); MPI_File_write_at_all_end(file, data, &status);
    }
    int written;
    MPI_Get_elements(&status, MPI_BYTE, &written);
    if (written != bytes && lengths)
        fault("a write has another length", written);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    memset(buffer, 0, sizeof buffer);
    if (form & 1) {
        MPI_File_read_at_all(file, first, data, 1, type, &status);
    } else {
        MPI_File_seek(file, first, MPI_SEEK_SET);
        MPI_File_read_all(file, data, 1, type, &status);
    }
    check_read(&v, first * v.etype_bytes, bytes, gaps, data, &status);
    MPI_Type_free(&type);
    MPI_Type_free(&v.filetype);
}

/* One rank writes, through any view; then all read, each through the same. */
static void single_round(MPI_File file, int round)
{
    static View v;
    unsigned char buffer[4096];
    MPI_Status status;
    MPI_Request request;
    MPI_Offset at;
    int writer = (int)below((unsigned)size);
    draw_single(&v);
    int count = 1 + (int)below(40), gaps = (int)below(2), form = (int)below(4);
    long first = below(20), bytes = (long)count * v.etype_bytes;
    set_view(file, &v);
    put_model(&v, first * v.etype_bytes, bytes, round, writer);
    MPI_Datatype type = memory_type(gaps, count, v.etype);
    if (rank == writer) {
        memset(buffer, 0xee, sizeof buffer);
        for (long i = 0; i < bytes; i++)
            buffer[gaps ? i / v.etype_bytes * 2 * v.etype_bytes + i % v.etype_bytes : i] = byte_of(round, rank, i);
        MPI_File_seek(file, first, MPI_SEEK_SET);
        if (form == 0)
            MPI_File_write(file, buffer, 1, type, &status);
        else if (form == 1)
            MPI_File_write_at(file, first, buffer, 1, type, &status);
        else if (form == 2)
            MPI_File_iwrite(file, buffer, 1, type, &request), MPI_Wait(&request, &status);
        else
            MPI_File_iwrite_at(file, first, buffer, 1, type, &request), MPI_Wait(&request, &status);
        int written;
        MPI_Get_elements(&status, MPI_BYTE, &written);
        if (written != bytes && lengths)
            fault("a write has another length", written);
    }
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    first += below(10);
    MPI_File_get_byte_offset(file, first, &at);
    if (at != place(&v, first * v.etype_bytes))
        fault("MPI_File_get_byte_offset", (long)at);
    memset(buffer, 0, sizeof buffer);
    if (form & 1) {
        MPI_File_read_at(file, first, buffer, 1, type, &status);
    } else {
        MPI_File_seek(file, first, MPI_SEEK_SET);
        MPI_File_read(file, buffer, 1, type, &status);
    }
    check_read(&v, first * v.etype_bytes, bytes, gaps, buffer, &status);
    MPI_Type_free(&type);
    MPI_Type_free(&v.filetype);
}

static void check_all(MPI_File file)
{
    MPI_Status status;
    MPI_Offset bytes;
    int got;
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_get_size(file, &bytes);
    if (bytes != model_size)
        fault("the size is wrong", (long)bytes - model_size);
    MPI_File_read_at(file, 0, seen, MOST, MPI_BYTE, &status);
    MPI_Get_count(&status, MPI_BYTE, &got);
    if (got != model_size)
        fault("the file has another length", got);
    for (long i = 0; i < model_size; i++)
        if (written_to[i] && seen[i] != model[i]) {
            fault("a byte of the file is wrong", i);
            return;
        }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    unsigned long start = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, seeds = argc > 2 ? strtoul(argv[2], NULL, 10) : 4;
    lengths = argc < 4;
    for (seed = start; seed < start + seeds && !wrong; seed++) {
        state = seed * 2654435761u;
        memset(model, 0, sizeof model);
        memset(written_to, 0, sizeof written_to);
        model_size = 0;
        MPI_Info info;
        MPI_Info_create(&info);
        static const char *const ways[] = {"automatic", "enable", "disable"};
        MPI_Info_set(info, "romio_cb_write", ways[below(3)]);
        MPI_Info_set(info, "romio_cb_read", ways[below(3)]);
        MPI_File_open(MPI_COMM_WORLD, "file_views.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                      info, &file);
        MPI_Info_free(&info);
        MPI_File_set_size(file, 0);
        for (int round = 0; round < ROUNDS && !wrong; round++) {
            if (below(2))
                collective_round(file, round);
            else
                single_round(file, round);
            check_all(file);
        }
        MPI_File_close(&file);
    }
    int all;
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("seeds %lu to %lu: %s\n", start, start + seeds - 1, all ? "wrong" : "as the model says");
    MPI_Finalize();
    return all != 0;
}
