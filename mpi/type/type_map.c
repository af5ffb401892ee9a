/* type_map.c - type maps: the constructors of derived datatypes as arithmetic (MPI-3.1 section 4.1).
 *
 * A type map is a sequence of (primitive, displacement). Here it is a list of blocks (runs of one primitive) repeated
 * by nested loops, outermost first:
 *
 *     MPI_Type_vector(3, 2, 4, MPI_INT)            blocks { INT x 2 at 0 }   loops { 3 times, 16 bytes }
 *         [ii..ii..ii]
 *     contiguous(5) of it, extent 40               blocks { INT x 2 at 0 }   loops { 5, 40 } { 3, 16 }
 *
 * Repetition only adds a loop. Lists (indexed, struct) unroll the loops of their parts and merge adjacent equal runs.
 * Loops of one iteration and empty types are dropped. So each loop at least doubles the size, and there are fewer
 * than 64.
 *
 * Bounds. lb and ub are the least and greatest byte of the map, unless markers say otherwise (MPI_LB, MPI_UB, resized).
 * If a type contains a marker, only markers count (MPI-1.3 section 3.12.3). Only structs get the alignment padding
 * epsilon; other constructors keep a distance that the user has given in multiples of the extent.
 *
 * No displacement and no bound is beyond MAX_DISTANCE, so sums of a few of them do not overflow. Packing relies on this
 * when it checks only the first and the last byte. So each constructor asks is_near() first.
 */
#include "mpi/type/type_map.h"
#include "mpi/core/call.h"
#include "mpi/type/envelope.h"
#include "mpi/type/type.h"

#include <string.h>

#define MAX_BYTES    (UINT64_C(1) << 62)
#define MAX_DISTANCE MPI_TYPE_MAX_DISTANCE

/* -- life -------------------------------------------------------------------------------------- */

MpiType *mpi_type_ref(MpiType *type)
{
    if (!type->predefined) {
        g_atomic_int_inc(&type->refs);
    }
    return type;
}

void mpi_type_unref(MpiType *type)
{
    if (type && !type->predefined && g_atomic_int_dec_and_test(&type->refs)) {
        mpi_envelope_unref(mpi_type_dispose(type));
    }
}

MpiEnvelope *mpi_type_dispose(MpiType *type)
{
    MpiEnvelope *envelope = type->envelope;
    mpi_pack_layout_free(type->layout);
    g_clear_pointer(&type->attributes, g_ptr_array_unref);
    g_free(type->blocks);
    g_free(type->loops);
    g_free(type->name);
    g_free(type);
    return envelope;
}

void mpi_type_commit(MpiType *type)
{
    if (!type->layout) {
        type->layout = mpi_pack_layout_new(type);
    }
    type->committed = true;
}

/* -- signatures -------------------------------------------------------------------------------- */

/* A hash, and the power of the base that belongs to the length of its sequence. */
typedef struct Signature {
    uint64_t hash, power;
} Signature;

/* Returns (a b + c) modulo 2^61 - 1; all three are below the modulus. */
static uint64_t signature_step(uint64_t a, uint64_t b, uint64_t c)
{
    unsigned __int128 wide = (unsigned __int128)a * b + c;
    uint64_t folded = (uint64_t)(wide & MPI_SIGNATURE_MODULUS) + (uint64_t)(wide >> 61);
    return folded >= MPI_SIGNATURE_MODULUS ? folded - MPI_SIGNATURE_MODULUS : folded;
}

static Signature signature_join(Signature a, Signature b)
{
    return (Signature){signature_step(a.hash, b.power, b.hash), signature_step(a.power, b.power, 0)};
}

static Signature signature_repeat(Signature unit, uint64_t count)
{
    Signature result = {0, 1};
    for (; count; count >>= 1, unit = signature_join(unit, unit)) {
        if (count & 1) {
            result = signature_join(result, unit);
        }
    }
    return result;
}

static Signature signature_block(const MpiBlock *block, uint64_t count)
{
    Signature unit = {MPI_SIGNATURE_PRIMITIVE(block->primitive), MPI_SIGNATURE_BASE};
    return signature_repeat(unit, count);
}

static uint64_t block_bytes(const MpiBlock *block)
{
    return block->count * block->bytes;
}

/* Returns the signature of the first `bytes` bytes of the map from loop `level` inwards. `turn` is the size of one
 * repetition of that loop. */
static Signature signature_prefix(const MpiType *type, uint32_t level, uint64_t bytes, uint64_t *primitives)
{
    Signature result = {0, 1};
    if (level == type->n_loops) {
        for (uint32_t i = 0; i < type->n_blocks && bytes; i++) {
            uint64_t take = MIN(bytes, block_bytes(&type->blocks[i]));
            uint64_t count = take / type->blocks[i].bytes;
            result = signature_join(result, signature_block(&type->blocks[i], count));
            *primitives += count;
            bytes -= take;
        }
        return result;
    }
    uint64_t turn = type->size;
    for (uint32_t i = 0; i <= level; i++) {
        turn /= type->loops[i].count;
    }
    uint64_t turns = bytes / turn, before = *primitives;
    if (turns) {
        result = signature_prefix(type, level + 1, turn, primitives);
        result = signature_repeat(result, turns);
        *primitives = before + (*primitives - before) * turns;
    }
    return signature_join(result, signature_prefix(type, level + 1, bytes - turns * turn, primitives));
}

uint64_t mpi_type_signature(const MpiType *type, uint64_t bytes, uint64_t *primitives)
{
    *primitives = 0;
    if (!type->size) {
        return 0;
    }
    uint64_t items = bytes / type->size, part = 0;
    Signature one = {0, MPI_SIGNATURE_BASE};
    Signature whole = {type->signature, signature_repeat(one, type->n_primitives).power};
    *primitives = items * type->n_primitives;
    whole = signature_repeat(whole, items);
    whole = signature_join(whole, signature_prefix(type, 0, bytes % type->size, &part));
    *primitives += part;
    return whole.hash;
}

/* Counts the primitives in the first `bytes` bytes of the innermost blocks. Returns false if they end inside one. */
static bool elements_in_blocks(const MpiType *type, uint64_t bytes, uint64_t *elements)
{
    for (uint32_t i = 0; bytes; i++) {
        g_assert(i < type->n_blocks);
        uint64_t take = MIN(bytes, block_bytes(&type->blocks[i]));
        if (take % type->blocks[i].bytes) {
            return false;
        }
        *elements += take / type->blocks[i].bytes;
        bytes -= take;
    }
    return true;
}

int64_t mpi_type_elements(const MpiType *type, uint64_t bytes)
{
    if (!type->size) {
        return 0;
    }
    uint64_t turn = type->size, primitives = type->n_primitives;
    for (uint32_t i = 0; i < type->n_loops; i++) {
        turn /= type->loops[i].count;
        primitives /= type->loops[i].count;
    }
    uint64_t elements = bytes / turn * primitives;
    return elements_in_blocks(type, bytes % turn, &elements) ? (int64_t)elements : MPI_UNDEFINED_;
}

uint64_t mpi_type_element_bytes(const MpiType *type, uint64_t elements)
{
    if (!type->size) {
        return 0;
    }
    uint64_t turn = type->size, primitives = type->n_primitives, bytes;
    for (uint32_t i = 0; i < type->n_loops; i++) {
        turn /= type->loops[i].count;
        primitives /= type->loops[i].count;
    }
    if (__builtin_mul_overflow(elements / primitives, turn, &bytes)) {
        return INT64_MAX;
    }
    uint64_t rest = elements % primitives;
    for (uint32_t i = 0; rest; i++) {
        g_assert(i < type->n_blocks);
        uint64_t take = MIN(rest, type->blocks[i].count);
        bytes += take * type->blocks[i].bytes;
        rest -= take;
    }
    return bytes;
}

/* -- bounds ------------------------------------------------------------------------------------ */

typedef struct Bounds {
    int64_t lb, ub;
    bool lb_any, ub_any;       /* something has set the bound */
    bool lb_marker, ub_marker; /* a marker has set the bound */
} Bounds;

static void bounds_lower(Bounds *bounds, int64_t at, bool marker)
{
    if (!bounds->lb_any || (marker && !bounds->lb_marker) || (marker == bounds->lb_marker && at < bounds->lb)) {
        bounds->lb = at;
        bounds->lb_any = true;
        bounds->lb_marker = marker;
    }
}

static void bounds_upper(Bounds *bounds, int64_t at, bool marker)
{
    if (!bounds->ub_any || (marker && !bounds->ub_marker) || (marker == bounds->ub_marker && at > bounds->ub)) {
        bounds->ub = at;
        bounds->ub_any = true;
        bounds->ub_marker = marker;
    }
}

/* Includes one item of `type` at displacement `at`. A type without data and markers has no bounds to include. */
static void bounds_add(Bounds *bounds, const MpiType *type, int64_t at)
{
    if (type->lb_set || type->n_primitives) {
        bounds_lower(bounds, at + type->lb, type->lb_set);
    }
    if (type->ub_set || type->n_primitives) {
        bounds_upper(bounds, at + type->lb + type->extent, type->ub_set);
    }
}

static void bounds_apply(const Bounds *bounds, MpiType *type, bool pad)
{
    int64_t ub = bounds->ub;
    int64_t excess = pad && bounds->ub_any && !bounds->ub_marker && type->alignment
                         ? (int64_t)((uint64_t)(ub - bounds->lb) % type->alignment)
                         : 0;
    type->lb = bounds->lb;
    type->extent = ub + (excess ? type->alignment - excess : 0) - bounds->lb;
    type->lb_set = bounds->lb_marker;
    type->ub_set = bounds->ub_marker;
}

/* Whether `count` items of the type, the first at `at`, have their data and bounds within MAX_DISTANCE. */
static bool is_near(const MpiType *type, int64_t at, uint64_t count, int64_t stride)
{
    __int128 reach = count ? (__int128)(count - 1) * stride : 0;
    __int128 low = at + MIN(reach, 0), high = at + MAX(reach, 0);
    int64_t ub = type->lb + type->extent, data_end = type->true_lb + type->true_extent;
    return low + MIN(MIN(type->lb, ub), type->true_lb) >= -MAX_DISTANCE &&
           high + MAX(MAX(type->lb, ub), data_end) <= MAX_DISTANCE;
}

/* -- finishing a map --------------------------------------------------------------------------- */

/* Computes the first and last byte of the data. */
static void finish_true_extent(MpiType *type)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (uint32_t i = 0; i < type->n_blocks; i++) {
        low = MIN(low, type->blocks[i].offset);
        high = MAX(high, type->blocks[i].offset + (int64_t)block_bytes(&type->blocks[i]));
    }
    for (uint32_t i = 0; i < type->n_loops; i++) {
        int64_t reach = (int64_t)(type->loops[i].count - 1) * type->loops[i].stride;
        low += MIN(reach, 0);
        high += MAX(reach, 0);
    }
    type->true_lb = type->n_blocks ? low : 0;
    type->true_extent = type->n_blocks ? high - low : 0;
}

/* Whether the data lie in order without gaps from offset 0 to the extent. */
static bool is_contiguous(const MpiType *type)
{
    int64_t at = 0;
    for (uint32_t i = 0; i < type->n_blocks; i++) {
        if (type->blocks[i].offset != at) {
            return false;
        }
        at += (int64_t)block_bytes(&type->blocks[i]);
    }
    for (uint32_t i = type->n_loops; i-- > 0;) {
        if (type->loops[i].stride != at) {
            return false;
        }
        at *= (int64_t)type->loops[i].count;
    }
    return at == type->extent;
}

/* Fills in the fields that follow from blocks, loops and bounds. */
static void finish(MpiType *type)
{
    Signature signature = {0, 1};
    type->size = type->n_primitives = 0;
    type->refs = 1;
    for (uint32_t i = 0; i < type->n_blocks; i++) {
        type->size += block_bytes(&type->blocks[i]);
        type->n_primitives += type->blocks[i].count;
        signature = signature_join(signature, signature_block(&type->blocks[i], type->blocks[i].count));
    }
    for (uint32_t i = 0; i < type->n_loops; i++) {
        type->size *= type->loops[i].count;
        type->n_primitives *= type->loops[i].count;
        signature = signature_repeat(signature, type->loops[i].count);
    }
    type->signature = signature.hash;
    finish_true_extent(type);
    type->contiguous = is_contiguous(type);
    g_assert(type->n_loops < 64 && (type->n_blocks || !type->n_loops));
}

/* -- repetition -------------------------------------------------------------------------------- */

MpiType *mpi_type_make_copy(const MpiType *old)
{
    MpiType *type = g_new0(MpiType, 1);
    type->lb = old->lb;
    type->extent = old->extent;
    type->lb_set = old->lb_set;
    type->ub_set = old->ub_set;
    type->alignment = old->alignment;
    type->n_blocks = old->n_blocks;
    type->blocks = g_memdup2(old->blocks, old->n_blocks * sizeof *old->blocks);
    type->n_loops = old->n_loops;
    type->loops = g_memdup2(old->loops, old->n_loops * sizeof *old->loops);
    finish(type);
    return type;
}

static void clear_map(MpiType *type)
{
    g_clear_pointer(&type->blocks, g_free);
    g_clear_pointer(&type->loops, g_free);
    type->n_blocks = type->n_loops = 0;
}

/* Wraps a loop around the map of `type`. If the repetitions continue its only block or its outermost loop, that one
 * grows instead. */
static void add_loop(MpiType *type, uint64_t count, int64_t stride)
{
    if (!type->n_blocks || count == 1) {
        return;
    }
    MpiBlock *only = type->n_blocks == 1 && !type->n_loops ? &type->blocks[0] : NULL;
    MpiLoop *outer = type->n_loops ? &type->loops[0] : NULL;
    if (only && (int64_t)block_bytes(only) == stride) {
        only->count *= count;
    } else if (outer && (int64_t)outer->count * outer->stride == stride) {
        outer->count *= count;
    } else {
        type->loops = g_renew(MpiLoop, type->loops, type->n_loops + 1);
        memmove(type->loops + 1, type->loops, type->n_loops * sizeof *type->loops);
        type->loops[0] = (MpiLoop){count, stride};
        type->n_loops++;
    }
}

/* Whether n items of `size` bytes are more than MAX_BYTES. */
static bool too_large(uint64_t n, uint64_t size)
{
    uint64_t bytes = 0;
    return __builtin_mul_overflow(n, size, &bytes) || bytes > MAX_BYTES;
}

/* Repeats a type. Consumes `type`. */
static MpiType *repeat(MpiType *type, uint64_t count, int64_t stride)
{
    if (!type || too_large(count, type->size) || !is_near(type, 0, count, stride)) {
        mpi_type_unref(type);
        return NULL;
    }
    Bounds bounds = {0};
    if (count) {
        bounds_add(&bounds, type, 0);
        bounds_add(&bounds, type, (int64_t)(count - 1) * stride);
        add_loop(type, count, stride);
    } else {
        clear_map(type);
    }
    bounds_apply(&bounds, type, false);
    finish(type);
    return type;
}

MpiType *mpi_type_make_vector(uint64_t count, uint64_t length, int64_t stride, const MpiType *old)
{
    MpiType *type = repeat(mpi_type_make_copy(old), length, old->extent);
    return repeat(type, length ? count : 0, stride);
}

MpiType *mpi_type_make_resized(const MpiType *old, int64_t lb, int64_t extent)
{
    if (lb < -MAX_DISTANCE || lb > MAX_DISTANCE || extent < -MAX_DISTANCE - lb || extent > MAX_DISTANCE - lb) {
        return NULL;
    }
    MpiType *type = mpi_type_make_copy(old);
    type->lb = lb;
    type->extent = extent;
    type->lb_set = type->ub_set = true;
    finish(type);
    return type;
}

/* A subarray is a block of rows in an array; the size of the whole array is the extent (MPI-3.1 section 4.1.3). */
MpiType *mpi_type_make_subarray(unsigned n, const int64_t *sizes, const int64_t *subsizes, const int64_t *starts,
                                const MpiType *old)
{
    MpiType *type = mpi_type_make_copy(old);
    int64_t stride = old->extent, origin = 0;
    for (unsigned i = n; i-- > 0 && type;) {
        type = repeat(type, (uint64_t)subsizes[i], stride);
        int64_t start;
        if (__builtin_mul_overflow(starts[i], stride, &start) || __builtin_add_overflow(origin, start, &origin) ||
            __builtin_mul_overflow(stride, sizes[i], &stride)) {
            g_clear_pointer(&type, mpi_type_unref);
        }
    }
    if (!type || stride > MAX_DISTANCE || stride < -MAX_DISTANCE || !is_near(type, origin, 1, 0)) {
        mpi_type_unref(type);
        return NULL;
    }
    for (uint32_t i = 0; i < type->n_blocks; i++) {
        type->blocks[i].offset += origin;
    }
    type->lb = 0;
    type->extent = stride;
    type->lb_set = type->ub_set = true;
    finish(type);
    return type;
}

/* -- lists ------------------------------------------------------------------------------------- */

/* Appends a run of primitives, or lengthens the last one. */
static void append_block(GArray *blocks, MpiBlock block)
{
    MpiBlock *last = blocks->len ? &g_array_index(blocks, MpiBlock, blocks->len - 1) : NULL;
    if (last && last->primitive == block.primitive && last->offset + (int64_t)block_bytes(last) == block.offset) {
        last->count += block.count;
    } else {
        g_array_append_val(blocks, block);
    }
}

/* Unrolls the map of `type` from loop `level` inwards, shifted by `at`. Returns false if there are too many blocks. */
static bool append_map(GArray *blocks, const MpiType *type, uint32_t level, int64_t at)
{
    if (level < type->n_loops) {
        bool fits = true;
        for (uint64_t i = 0; i < type->loops[level].count && fits; i++) {
            fits = append_map(blocks, type, level + 1, at + (int64_t)i * type->loops[level].stride);
        }
        return fits;
    }
    for (uint32_t i = 0; i < type->n_blocks; i++) {
        MpiBlock block = type->blocks[i];
        block.offset += at;
        append_block(blocks, block);
    }
    return blocks->len <= MPI_TYPE_MAX_BLOCKS;
}

static bool append_part(GArray *blocks, const MpiTypePart *part)
{
    const MpiType *type = part->type;
    bool run = type->contiguous && type->n_blocks == 1 && !type->n_loops;
    if (!type->n_blocks || !part->count) {
        return true;
    }
    if (run) {
        append_block(blocks, (MpiBlock){part->displacement, part->count * type->blocks[0].count,
                                        type->blocks[0].primitive, type->blocks[0].bytes});
        return blocks->len <= MPI_TYPE_MAX_BLOCKS;
    }
    bool fits = true;
    for (uint64_t i = 0; i < part->count && fits; i++) {
        fits = append_map(blocks, type, 0, part->displacement + (int64_t)i * type->extent);
    }
    return fits;
}

static void bounds_add_part(Bounds *bounds, const MpiTypePart *part)
{
    if (part->count) {
        bounds_add(bounds, part->type, part->displacement);
        bounds_add(bounds, part->type, part->displacement + (int64_t)(part->count - 1) * part->type->extent);
    }
}

/* Makes a list of one part, which needs no unrolling: its loops stay loops. */
static MpiType *make_single(const MpiTypePart *part)
{
    MpiType *type = repeat(mpi_type_make_copy(part->type), part->count, part->type->extent);
    for (uint32_t i = 0; type && i < type->n_blocks; i++) {
        type->blocks[i].offset += part->displacement;
    }
    return type;
}

static MpiType *make_unrolled(const MpiTypePart *parts, size_t n)
{
    GArray *blocks = g_array_new(FALSE, FALSE, sizeof(MpiBlock));
    uint64_t size = 0;
    for (size_t i = 0; i < n; i++) {
        bool large = too_large(parts[i].count, parts[i].type->size) ||
                     (size += parts[i].count * parts[i].type->size) > MAX_BYTES;
        if (large || !append_part(blocks, &parts[i])) {
            g_array_free(blocks, TRUE);
            return NULL;
        }
    }
    MpiType *type = g_new0(MpiType, 1);
    type->n_blocks = blocks->len;
    type->blocks = (MpiBlock *)(void *)g_array_free(blocks, blocks->len == 0);
    return type;
}

MpiType *mpi_type_make_list(const MpiTypePart *parts, size_t n, bool pad)
{
    for (size_t i = 0; i < n; i++) {
        if (parts[i].count && !is_near(parts[i].type, parts[i].displacement, parts[i].count, parts[i].type->extent)) {
            return NULL;
        }
    }
    MpiType *type = n == 1 ? make_single(&parts[0]) : make_unrolled(parts, n);
    if (!type) {
        return NULL;
    }
    Bounds bounds = {0};
    type->alignment = 0;
    for (size_t i = 0; i < n; i++) {
        bounds_add_part(&bounds, &parts[i]);
        if (parts[i].count) {
            type->alignment = MAX(type->alignment, parts[i].type->alignment);
        }
    }
    bounds_apply(&bounds, type, pad);
    finish(type);
    return type;
}
