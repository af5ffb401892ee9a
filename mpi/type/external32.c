/* external32.c - the data representation "external32" (MPI-3.1 section 13.5.2): big-endian, two's complement, IEEE.
 *
 * Sizes are those of the standard's table. There a long has 4 bytes and a wide character 2, so some native values
 * cannot be represented, which is reported. A long double is binary128, which represents ours exactly. Values are
 * converted one primitive after the other in type map order: programs move large data in the native form, so speed does
 * not matter.
 */
#include "mpi/type/external32.h"
#include "mpi/core/call.h"
#include "mpi/type/type.h"

#include <string.h>

typedef enum Conversion { SAME, SIGNED, UNSIGNED, QUAD } Conversion;

typedef struct Row {
    uint8_t parts;    /* number of equal parts: a complex number has two */
    uint8_t native;   /* size of a part in native form, in bytes */
    uint8_t external; /* size of a part in external form, in bytes */
    uint8_t conversion;
} Row;

static const uint8_t primitive_bytes[MPI_PRIMITIVE_COUNT] = {
#define MPI_PRIMITIVE(name, bytes, text) [MPI_PRIM_##name] = (bytes),
#include "mpi/type/primitives.def"
};

/* Primitives that are not a single number of the same size in both forms. */
static const Row special[MPI_PRIMITIVE_COUNT] = {
    [MPI_PRIM_WCHAR] = {1, 4, 2, UNSIGNED},
    [MPI_PRIM_LONG] = {1, 8, 4, SIGNED},
    [MPI_PRIM_UNSIGNED_LONG] = {1, 8, 4, UNSIGNED},
    [MPI_PRIM_LONG_DOUBLE] = {1, 8, 16, QUAD},
    [MPI_PRIM_C_COMPLEX] = {2, 4, 4, SAME},
    [MPI_PRIM_C_DOUBLE_COMPLEX] = {2, 8, 8, SAME},
    [MPI_PRIM_C_LONG_DOUBLE_COMPLEX] = {2, 8, 16, QUAD},
    [MPI_PRIM_CXX_FLOAT_COMPLEX] = {2, 4, 4, SAME},
    [MPI_PRIM_CXX_DOUBLE_COMPLEX] = {2, 8, 8, SAME},
    [MPI_PRIM_CXX_LONG_DOUBLE_COMPLEX] = {2, 8, 16, QUAD},
    [MPI_PRIM_COMPLEX] = {2, 4, 4, SAME},
    [MPI_PRIM_DOUBLE_COMPLEX] = {2, 8, 8, SAME},
    [MPI_PRIM_COMPLEX8] = {2, 4, 4, SAME},
    [MPI_PRIM_COMPLEX16] = {2, 8, 8, SAME},
};

static Row row_of(uint32_t primitive)
{
    uint8_t bytes = primitive_bytes[primitive];
    return special[primitive].parts ? special[primitive] : (Row){1, bytes, bytes, SAME};
}

/* -- numbers ----------------------------------------------------------------------------------- */

static uint64_t load_little(const char *from, unsigned bytes)
{
    uint64_t value = 0;
    memcpy(&value, from, bytes);
    return value;
}

static void store_big(char *to, uint64_t value, unsigned bytes)
{
    for (unsigned i = bytes; i-- > 0; value >>= 8) {
        to[i] = (char)value;
    }
}

static uint64_t load_big(const char *from, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) {
        value = value << 8 | (unsigned char)from[i];
    }
    return value;
}

static int64_t extend(uint64_t value, unsigned bytes)
{
    g_assert(bytes > 0);
    unsigned unused = 64 - 8 * bytes;
    return (int64_t)(value << unused) >> unused;
}

/* binary64 and binary128 differ in the width of their fields: exponent 11 and 15 bits, fraction 52 and 112. */
enum { FRACTION = 52, QUAD_EXTRA = 60, BIAS = 1023, QUAD_BIAS = 16383, TOP = 0x7ff, QUAD_TOP = 0x7fff };
#define FRACTION_MASK ((UINT64_C(1) << FRACTION) - 1)

static unsigned __int128 to_quad(uint64_t bits)
{
    uint64_t sign = bits >> 63, fraction = bits & FRACTION_MASK;
    int exponent = (int)(bits >> FRACTION & TOP);
    int wide = exponent == TOP ? QUAD_TOP : exponent - BIAS + QUAD_BIAS;
    if (exponent == 0) {
        wide = 0;
        if (fraction) { /* subnormal; in binary128 all of these are normal */
            int shift = __builtin_clzll(fraction) - (63 - FRACTION);
            fraction = fraction << shift & FRACTION_MASK;
            wide = 1 - shift - BIAS + QUAD_BIAS;
        }
    }
    return (unsigned __int128)(sign << 63 | (uint64_t)wide << 48) << 64 | (unsigned __int128)fraction << QUAD_EXTRA;
}

/* Rounds to the nearest, ties to even. A number that is too large becomes infinite. */
static uint64_t from_quad(unsigned __int128 bits)
{
    unsigned __int128 fraction = bits & (((unsigned __int128)1 << 112) - 1);
    uint64_t sign = (uint64_t)(bits >> 127) << 63;
    int exponent = (int)(bits >> 112 & QUAD_TOP), narrow = exponent - QUAD_BIAS + BIAS;
    if (exponent == QUAD_TOP) {
        uint64_t top = (uint64_t)(fraction >> QUAD_EXTRA);
        return sign | (uint64_t)TOP << FRACTION | (fraction && !top ? 1 : top);
    }
    if (narrow >= TOP) {
        return sign | (uint64_t)TOP << FRACTION;
    }
    unsigned shift = QUAD_EXTRA;
    if (narrow <= 0) { /* subnormal in binary64, or too small for it */
        if (narrow < -FRACTION || exponent == 0) {
            return sign;
        }
        fraction |= (unsigned __int128)1 << 112;
        shift += (unsigned)(1 - narrow);
        narrow = 0;
    }
    uint64_t kept = (uint64_t)(fraction >> shift);
    unsigned __int128 rest = fraction & (((unsigned __int128)1 << shift) - 1),
                      half = (unsigned __int128)1 << (shift - 1);
    kept += rest > half || (rest == half && kept & 1);
    return sign | (((uint64_t)narrow << FRACTION) + kept);
}

/* -- one part ---------------------------------------------------------------------------------- */

static const char *encode_part(const Row *row, const char *native, char *external)
{
    uint64_t bits = load_little(native, row->native);
    unsigned __int128 quad;
    switch ((Conversion)row->conversion) {
    case SIGNED:
        if (extend(bits, row->external) != extend(bits, row->native)) {
            return "it needs more than the 4 bytes that a long has in external32";
        }
        break;
    case UNSIGNED:
        if (bits >> 8 * row->external) {
            return row->external == 2 ? "it needs more than the 2 bytes that a wide character has in external32"
                                      : "it needs more than the 4 bytes that an unsigned long has in external32";
        }
        break;
    case QUAD:
        quad = to_quad(bits);
        store_big(external, (uint64_t)(quad >> 64), 8);
        store_big(external + 8, (uint64_t)quad, 8);
        return NULL;
    case SAME: break;
    }
    store_big(external, bits, row->external);
    return NULL;
}

static const char *decode_part(const Row *row, const char *external, char *native)
{
    uint64_t bits;
    if (row->conversion == QUAD) {
        bits = from_quad((unsigned __int128)load_big(external, 8) << 64 | load_big(external + 8, 8));
    } else {
        bits = load_big(external, row->external);
    }
    if (row->conversion == SIGNED) {
        bits = (uint64_t)extend(bits, row->external);
    }
    memcpy(native, &bits, row->native);
    return NULL;
}

/* -- whole items ------------------------------------------------------------------------------- */

/* Returns how often the blocks of a type are repeated in one item. */
static uint64_t turns(const MpiType *type)
{
    uint64_t n = 1;
    for (uint32_t i = 0; i < type->n_loops; i++) {
        n *= type->loops[i].count;
    }
    return n;
}

uint64_t mpi_external32_size(const MpiType *type)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < type->n_blocks; i++) {
        Row row = row_of(type->blocks[i].primitive);
        bytes += type->blocks[i].count * row.parts * row.external;
    }
    return bytes * turns(type);
}

typedef const char *(*ConvertPart)(const Row *row, const char *from, char *to);

static const char *convert(const MpiType *type, uint64_t count, const char *from, char *to, bool encode)
{
    ConvertPart part = encode ? encode_part : decode_part;
    for (uint64_t turn = type->n_blocks ? count * turns(type) : 0; turn > 0; turn--) {
        for (uint32_t i = 0; i < type->n_blocks; i++) {
            Row row = row_of(type->blocks[i].primitive);
            for (uint64_t n = type->blocks[i].count * row.parts; n > 0; n--) {
                const char *wrong = part(&row, from, to);
                if (wrong) {
                    return wrong;
                }
                from += encode ? row.native : row.external;
                to += encode ? row.external : row.native;
            }
        }
    }
    return NULL;
}

const char *mpi_external32_encode(const MpiType *type, uint64_t count, const char *native, char *external)
{
    return convert(type, count, native, external, true);
}

const char *mpi_external32_decode(const MpiType *type, uint64_t count, const char *external, char *native)
{
    return convert(type, count, external, native, false);
}
