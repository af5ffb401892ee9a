/* pack.c - how fast typed data is packed and unpacked, compared with loops that a programmer would write by hand.
 *
 * Each case is a datatype as programs make them, with some tens of kilobytes of data, and a pair of functions that move
 * the same bytes and know the layout. Lengths, strides and displacements come at run time, as they do in MPI. Both ways
 * alternate, the least time of each counts, and both must give the same bytes. The aim is at most twice the time.
 */
#include "mpi/type/type_map.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TURNS = 15, AIM = 2, BLOCKS = 1024 };

/* Arguments of the loops of a case. */
typedef struct Shape {
    size_t count, length, stride, planes, plane_stride; /* in elements or items */
    const int *displacements, *lengths;
} Shape;

typedef void (*Hand)(const Shape *shape, const void *from, void *to);

typedef struct Case {
    const char *name;
    MpiType *type;
    uint64_t items;
    Shape shape;
    Hand pack, unpack;
} Case;

/* -- by hand ----------------------------------------------------------------------------------- */

#define STRIDED(name, element)                                                                                         \
    static void pack_##name(const Shape *s, const void *from, void *to)                                                \
    {                                                                                                                  \
        const element *in = from;                                                                                      \
        element *out = to;                                                                                             \
        for (size_t plane = 0; plane < s->planes; plane++)                                                             \
            for (size_t i = 0; i < s->count; i++)                                                                      \
                for (size_t j = 0; j < s->length; j++)                                                                 \
                    *out++ = in[plane * s->plane_stride + i * s->stride + j];                                          \
    }                                                                                                                  \
    static void unpack_##name(const Shape *s, const void *from, void *to)                                              \
    {                                                                                                                  \
        const element *in = from;                                                                                      \
        element *out = to;                                                                                             \
        for (size_t plane = 0; plane < s->planes; plane++)                                                             \
            for (size_t i = 0; i < s->count; i++)                                                                      \
                for (size_t j = 0; j < s->length; j++)                                                                 \
                    out[plane * s->plane_stride + i * s->stride + j] = *in++;                                          \
    }

STRIDED(doubles, double)
STRIDED(floats, float)
STRIDED(bytes, char)

static void pack_column(const Shape *s, const void *from, void *to)
{
    const double *in = from;
    double *out = to;
    for (size_t i = 0; i < s->count; i++)
        out[i] = in[i * s->stride];
}

static void unpack_column(const Shape *s, const void *from, void *to)
{
    const double *in = from;
    double *out = to;
    for (size_t i = 0; i < s->count; i++)
        out[i * s->stride] = in[i];
}

static void pack_gather(const Shape *s, const void *from, void *to)
{
    const double *in = from;
    double *out = to;
    for (size_t i = 0; i < s->count; i++)
        out[i] = in[s->displacements[i]];
}

static void unpack_gather(const Shape *s, const void *from, void *to)
{
    const double *in = from;
    double *out = to;
    for (size_t i = 0; i < s->count; i++)
        out[s->displacements[i]] = in[i];
}

static void pack_indexed(const Shape *s, const void *from, void *to)
{
    const double *in = from;
    double *out = to;
    for (size_t i = 0; i < s->count; i++)
        for (int j = 0; j < s->lengths[i]; j++)
            *out++ = in[s->displacements[i] + j];
}

static void unpack_indexed(const Shape *s, const void *from, void *to)
{
    const double *in = from;
    double *out = to;
    for (size_t i = 0; i < s->count; i++)
        for (int j = 0; j < s->lengths[i]; j++)
            out[s->displacements[i] + j] = *in++;
}

typedef struct Particle { /* with a gap after `kind` */
    double position[3];
    int kind;
    float charge;
    int cell;
} Particle;

static void pack_particles(const Shape *s, const void *from, void *to)
{
    const Particle *in = from;
    char *out = to;
    for (size_t i = 0; i < s->count; i++, out += 32) {
        const Particle *particle = &in[i * s->stride];
        memcpy(out, particle->position, 24);
        memcpy(out + 24, &particle->kind, 4);
        memcpy(out + 28, &particle->cell, 4);
    }
}

static void unpack_particles(const Shape *s, const void *from, void *to)
{
    const char *in = from;
    Particle *out = to;
    for (size_t i = 0; i < s->count; i++, in += 32) {
        Particle *particle = &out[i * s->stride];
        memcpy(particle->position, in, 24);
        memcpy(&particle->kind, in + 24, 4);
        memcpy(&particle->cell, in + 28, 4);
    }
}

/* -- as datatypes ------------------------------------------------------------------------------ */

static const MpiType *primitive(MpiPrimitive which)
{
    return mpi_type_predefined(which);
}

static MpiType *strided(size_t count, size_t length, size_t stride, MpiPrimitive which)
{
    const MpiType *old = primitive(which);
    return mpi_type_make_vector(count, length, (int64_t)(stride * old->size), old);
}

/* Makes a type of `planes` copies of `type`, `bytes` apart. */
static MpiType *repeated(MpiType *type, size_t planes, size_t bytes)
{
    MpiType *made = mpi_type_make_vector(planes, 1, (int64_t)bytes, type);
    mpi_type_unref(type);
    return made;
}

static MpiType *list_of_doubles(size_t n, const int *displacements, const int *lengths)
{
    g_autofree MpiTypePart *parts = g_new(MpiTypePart, n);
    for (size_t i = 0; i < n; i++)
        parts[i] = (MpiTypePart){8 * (int64_t)displacements[i], lengths ? (uint64_t)lengths[i] : 1,
                                 primitive(MPI_PRIM_DOUBLE)};
    return mpi_type_make_list(parts, n, false);
}

static MpiType *particle(void)
{
    MpiTypePart parts[] = {{offsetof(Particle, position), 3, primitive(MPI_PRIM_DOUBLE)},
                           {offsetof(Particle, kind), 1, primitive(MPI_PRIM_INT)},
                           {offsetof(Particle, cell), 1, primitive(MPI_PRIM_INT)}};
    MpiType *fields = mpi_type_make_list(parts, G_N_ELEMENTS(parts), true);
    MpiType *made = mpi_type_make_resized(fields, 0, sizeof(Particle));
    mpi_type_unref(fields);
    return made;
}

/* -- measuring --------------------------------------------------------------------------------- */

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

typedef struct Buffers {
    char *memory, *packed, *other;
    size_t bytes;
} Buffers;

typedef enum Way { TYPE_PACKS, HAND_PACKS, TYPE_UNPACKS, HAND_UNPACKS, WAYS } Way;

static void go(const Case *c, const Buffers *b, Way way)
{
    switch (way) {
    case TYPE_PACKS: mpi_type_pack_host(c->type, c->items, b->memory, b->packed); break;
    case HAND_PACKS: c->pack(&c->shape, b->memory, b->packed); break;
    case TYPE_UNPACKS: mpi_type_unpack_host(c->type, c->items, b->memory, b->packed, c->items * c->type->size); break;
    case HAND_UNPACKS: c->unpack(&c->shape, b->packed, b->memory); break;
    case WAYS: break;
    }
}

static bool is_right(const Case *c, const Buffers *b)
{
    size_t packed = c->items * c->type->size;
    go(c, b, TYPE_PACKS);
    memcpy(b->other, b->packed, packed);
    memset(b->packed, 0, packed);
    go(c, b, HAND_PACKS);
    if (memcmp(b->other, b->packed, packed) != 0)
        return false;
    memset(b->memory, 0, b->bytes);
    go(c, b, TYPE_UNPACKS);
    memcpy(b->other, b->memory, b->bytes);
    memset(b->memory, 0, b->bytes);
    go(c, b, HAND_UNPACKS);
    return memcmp(b->other, b->memory, b->bytes) == 0;
}

/* Seconds that `times` take, less what they took before. */
static void measure(const Case *c, const Buffers *b, unsigned times, double least[WAYS])
{
    for (Way way = 0; way < WAYS; way++) {
        double start = seconds();
        for (unsigned i = 0; i < times; i++)
            go(c, b, way);
        least[way] = MIN(least[way], seconds() - start);
    }
}

static bool run(const Case *c)
{
    Buffers b = {.bytes = (size_t)mpi_type_span(c->type, c->items, &(int64_t){0}) + 64};
    size_t packed = c->items * c->type->size;
    b.memory = g_malloc(b.bytes), b.packed = g_malloc(MAX(packed, b.bytes)), b.other = g_malloc(MAX(packed, b.bytes));
    for (size_t i = 0; i < b.bytes; i++)
        b.memory[i] = (char)(i * 2654435761u >> 7);
    bool right = is_right(c, &b);
    unsigned times = (unsigned)MAX(1, 4000000 / packed);
    double least[WAYS] = {1e9, 1e9, 1e9, 1e9};
    for (int turn = 0; turn < TURNS; turn++)
        measure(c, &b, times, least);
    double pack = least[TYPE_PACKS] / least[HAND_PACKS], unpack = least[TYPE_UNPACKS] / least[HAND_UNPACKS];
    bool good = right && pack <= AIM && unpack <= AIM;
    double gigabytes = 1e-9 * (double)packed * times;
    printf("%-34s%8zu%10.2f%8.2f%10.2f%8.2f  %s\n", c->name, packed, gigabytes / least[TYPE_PACKS], pack,
           gigabytes / least[TYPE_UNPACKS], unpack,
           !right ? "WRONG"
           : good ? "ok"
                  : "MISSED");
    g_free(b.memory);
    g_free(b.packed);
    g_free(b.other);
    mpi_type_unref(c->type);
    return good;
}

int main(void)
{
    static int places[BLOCKS], singles[BLOCKS], lengths[BLOCKS];
    uint64_t random = 1;
    for (int i = 0, at = 0; i < BLOCKS; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        lengths[i] = 1 + (int)(random >> 61);
        places[i] = at + (int)(random >> 58 & 3);
        at = places[i] + lengths[i] + 1;
        singles[i] = 9 * ((i * 389) % BLOCKS);
    }
    Case cases[] = {
        {"vector: a column of doubles",
         strided(4096, 1, 64, MPI_PRIM_DOUBLE),
         1,
         {.count = 4096, .stride = 64},
         pack_column,
         unpack_column},
        {"vector: every second float",
         strided(8192, 1, 2, MPI_PRIM_FLOAT),
         1,
         {.planes = 1, .count = 8192, .length = 1, .stride = 2},
         pack_floats,
         unpack_floats},
        {"vector: 3 doubles of 5",
         strided(2048, 3, 5, MPI_PRIM_DOUBLE),
         1,
         {.planes = 1, .count = 2048, .length = 3, .stride = 5},
         pack_doubles,
         unpack_doubles},
        {"vector: 32 doubles of 64",
         strided(256, 32, 64, MPI_PRIM_DOUBLE),
         1,
         {.planes = 1, .count = 256, .length = 32, .stride = 64},
         pack_doubles,
         unpack_doubles},
        {"vector: 7 bytes of 16",
         strided(4096, 7, 16, MPI_PRIM_BYTE),
         1,
         {.planes = 1, .count = 4096, .length = 7, .stride = 16},
         pack_bytes,
         unpack_bytes},
        {"indexed: blocks of 1 to 8 doubles",
         list_of_doubles(BLOCKS, places, lengths),
         1,
         {.count = BLOCKS, .displacements = places, .lengths = lengths},
         pack_indexed,
         unpack_indexed},
        {"indexed block: scattered doubles",
         list_of_doubles(BLOCKS, singles, NULL),
         1,
         {.count = BLOCKS, .displacements = singles},
         pack_gather,
         unpack_gather},
        {"struct: particles with gaps",
         particle(),
         1024,
         {.count = 1024, .stride = 1},
         pack_particles,
         unpack_particles},
        {"nested: every second particle",
         repeated(particle(), 1024, 2 * sizeof(Particle)),
         1,
         {.count = 1024, .stride = 2},
         pack_particles,
         unpack_particles},
        {"nested: a face of a cube, 1 wide",
         repeated(strided(64, 1, 64, MPI_PRIM_DOUBLE), 64, 8 * 4096),
         1,
         {.planes = 64, .plane_stride = 4096, .count = 64, .length = 1, .stride = 64},
         pack_doubles,
         unpack_doubles},
        {"nested: a face of a cube, 2 wide",
         repeated(strided(64, 2, 64, MPI_PRIM_DOUBLE), 64, 8 * 4096),
         1,
         {.planes = 64, .plane_stride = 4096, .count = 64, .length = 2, .stride = 64},
         pack_doubles,
         unpack_doubles},
        {"nested: a block of a cube",
         repeated(strided(16, 16, 64, MPI_PRIM_DOUBLE), 16, 8 * 4096),
         1,
         {.planes = 16, .plane_stride = 4096, .count = 16, .length = 16, .stride = 64},
         pack_doubles,
         unpack_doubles},
    };
    bool good = true;
    printf("%-34s%8s%10s%8s%10s%8s\n", "datatype", "bytes", "pack GB/s", "ratio", "unp. GB/s", "ratio");
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        mpi_type_commit(cases[i].type);
        good &= run(&cases[i]);
    }
    printf("at most %d times the time of loops by hand: %s\n", AIM, good ? "ok" : "MISSED");
    return 0;
}
