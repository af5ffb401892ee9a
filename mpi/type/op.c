/* op.c - reduction operators: the predefined ones as loops over packed data, user functions as handles
 * (MPI-3.1 section 5.9).
 *
 * One table per group of types says which operator is defined on which type, as in section 5.9.2. The standard leaves
 * MPI_CHAR out, but it is among the C integers here, since programs reduce it and other libraries allow it. For the
 * same reason logical operators work on MPI_AINT and the like; --check=portability reports the latter.
 * Loops are plain C in the order of the elements: inout[i] = in[i] op inout[i]. So results are the same bit for bit
 * everywhere. Packed data has no alignment, so the element types are unaligned. Pairs are packed, too, without the
 * padding of the C struct.
 */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/stores.h"
#include "mpi/type/type.h"

#include <complex.h>

/* -- element types ----------------------------------------------------------------------------- */

#define UNALIGNED __attribute__((aligned(1), may_alias))
typedef int8_t Int8 UNALIGNED;
typedef int16_t Int16 UNALIGNED;
typedef int32_t Int32 UNALIGNED;
typedef int64_t Int64 UNALIGNED;
typedef uint8_t Uint8 UNALIGNED;
typedef uint16_t Uint16 UNALIGNED;
typedef uint32_t Uint32 UNALIGNED;
typedef uint64_t Uint64 UNALIGNED;
typedef float Float UNALIGNED;
typedef double Double UNALIGNED;
typedef float complex FloatComplex UNALIGNED;
typedef double complex DoubleComplex UNALIGNED;

/* Groups of types: ROW(function, primitive, element type). */
#define C_INTEGER(ROW, f)                                                                                              \
    ROW(f, CHAR, Int8)                                                                                                 \
    ROW(f, SIGNED_CHAR, Int8)                                                                                          \
    ROW(f, UNSIGNED_CHAR, Uint8)                                                                                       \
    ROW(f, SHORT, Int16)                                                                                               \
    ROW(f, UNSIGNED_SHORT, Uint16)                                                                                     \
    ROW(f, INT, Int32)                                                                                                 \
    ROW(f, UNSIGNED, Uint32)                                                                                           \
    ROW(f, LONG, Int64)                                                                                                \
    ROW(f, UNSIGNED_LONG, Uint64)                                                                                      \
    ROW(f, LONG_LONG_INT, Int64)                                                                                       \
    ROW(f, UNSIGNED_LONG_LONG, Uint64)                                                                                 \
    ROW(f, INT8_T, Int8)                                                                                               \
    ROW(f, INT16_T, Int16)                                                                                             \
    ROW(f, INT32_T, Int32)                                                                                             \
    ROW(f, INT64_T, Int64)                                                                                             \
    ROW(f, UINT8_T, Uint8)                                                                                             \
    ROW(f, UINT16_T, Uint16)                                                                                           \
    ROW(f, UINT32_T, Uint32)                                                                                           \
    ROW(f, UINT64_T, Uint64)
#define FORTRAN_INTEGER(ROW, f)                                                                                        \
    ROW(f, INTEGER, Int32)                                                                                             \
    ROW(f, INTEGER1, Int8)                                                                                             \
    ROW(f, INTEGER2, Int16)                                                                                            \
    ROW(f, INTEGER4, Int32)                                                                                            \
    ROW(f, INTEGER8, Int64)
#define MULTI_LANGUAGE(ROW, f)                                                                                         \
    ROW(f, AINT, Int64)                                                                                                \
    ROW(f, OFFSET, Int64)                                                                                              \
    ROW(f, COUNT, Int64)
#define FLOATING(ROW, f)                                                                                               \
    ROW(f, FLOAT, Float)                                                                                               \
    ROW(f, DOUBLE, Double)                                                                                             \
    ROW(f, LONG_DOUBLE, Double)                                                                                        \
    ROW(f, REAL, Float)                                                                                                \
    ROW(f, DOUBLE_PRECISION, Double)                                                                                   \
    ROW(f, REAL4, Float)                                                                                               \
    ROW(f, REAL8, Double)
#define LOGICAL_TYPES(ROW, f)                                                                                          \
    ROW(f, LOGICAL, Int32)                                                                                             \
    ROW(f, C_BOOL, Uint8)                                                                                              \
    ROW(f, CXX_BOOL, Uint8)
#define COMPLEX_TYPES(ROW, f)                                                                                          \
    ROW(f, C_COMPLEX, FloatComplex)                                                                                    \
    ROW(f, C_DOUBLE_COMPLEX, DoubleComplex)                                                                            \
    ROW(f, C_LONG_DOUBLE_COMPLEX, DoubleComplex)                                                                       \
    ROW(f, CXX_FLOAT_COMPLEX, FloatComplex)                                                                            \
    ROW(f, CXX_DOUBLE_COMPLEX, DoubleComplex)                                                                          \
    ROW(f, CXX_LONG_DOUBLE_COMPLEX, DoubleComplex)                                                                     \
    ROW(f, COMPLEX, FloatComplex)                                                                                      \
    ROW(f, DOUBLE_COMPLEX, DoubleComplex)                                                                              \
    ROW(f, COMPLEX8, FloatComplex)                                                                                     \
    ROW(f, COMPLEX16, DoubleComplex)
#define BYTE_TYPE(ROW, f) ROW(f, BYTE, Uint8)
#define PAIRS(ROW, f)                                                                                                  \
    ROW(f, FLOAT_INT, FloatInt)                                                                                        \
    ROW(f, DOUBLE_INT, DoubleInt)                                                                                      \
    ROW(f, LONG_INT, LongInt)                                                                                          \
    ROW(f, SHORT_INT, ShortInt)                                                                                        \
    ROW(f, 2INT, IntInt)                                                                                               \
    ROW(f, LONG_DOUBLE_INT, DoubleInt)                                                                                 \
    ROW(f, 2REAL, FloatFloat)                                                                                          \
    ROW(f, 2DOUBLE_PRECISION, DoubleDouble)                                                                            \
    ROW(f, 2INTEGER, IntInt)

/* -- loops ------------------------------------------------------------------------------------- */

/* Defines a loop that combines each element a of `in` with b of `inout`. */
#define LOOP(f, Element, expression)                                                                                   \
    static void f##_##Element(const void *in, void *inout, uint64_t count)                                             \
    {                                                                                                                  \
        const Element *from = in;                                                                                      \
        Element *to = inout;                                                                                           \
        for (uint64_t i = 0; i < count; i++) {                                                                         \
            __typeof__(+from[i]) a = from[i], b = to[i];                                                               \
            to[i] = (Element)(expression);                                                                             \
        }                                                                                                              \
    }

#define INTEGER_LOOPS(f, expression)                                                                                   \
    LOOP(f, Int8, expression)                                                                                          \
    LOOP(f, Int16, expression)                                                                                         \
    LOOP(f, Int32, expression)                                                                                         \
    LOOP(f, Int64, expression)                                                                                         \
    LOOP(f, Uint8, expression)                                                                                         \
    LOOP(f, Uint16, expression)                                                                                        \
    LOOP(f, Uint32, expression)                                                                                        \
    LOOP(f, Uint64, expression)
#define FLOATING_LOOPS(f, expression)                                                                                  \
    LOOP(f, Float, expression)                                                                                         \
    LOOP(f, Double, expression)
#define COMPLEX_LOOPS(f, expression)                                                                                   \
    LOOP(f, FloatComplex, expression)                                                                                  \
    LOOP(f, DoubleComplex, expression)

INTEGER_LOOPS(max, a > b ? a : b)
FLOATING_LOOPS(max, a > b ? a : b)
INTEGER_LOOPS(min, a < b ? a : b)
FLOATING_LOOPS(min, a < b ? a : b)
INTEGER_LOOPS(sum, a + b)
FLOATING_LOOPS(sum, a + b)
COMPLEX_LOOPS(sum, a + b)
INTEGER_LOOPS(prod, (a) * (b))
FLOATING_LOOPS(prod, (a) * (b))
COMPLEX_LOOPS(prod, (a) * (b))
INTEGER_LOOPS(land, (a) && (b))
INTEGER_LOOPS(lor, (a) || (b))
INTEGER_LOOPS(lxor, !a != !b)
INTEGER_LOOPS(band, (a) & (b))
INTEGER_LOOPS(bor, (a) | (b))
INTEGER_LOOPS(bxor, (a) ^ (b))

/* Pairs of value and index. Of equal values the lower index wins (MPI-3.1 section 5.9.4). */
#define PAIR_TYPE(Pair, Value, Index)                                                                                  \
    typedef struct Pair {                                                                                              \
        Value value;                                                                                                   \
        Index index;                                                                                                   \
    } UNALIGNED Pair;                                                                                                  \
    PAIR_LOOP(maxloc, Pair, >)                                                                                         \
    PAIR_LOOP(minloc, Pair, <)
#define PAIR_LOOP(f, Pair, better)                                                                                     \
    static void f##_##Pair(const void *in, void *inout, uint64_t count)                                                \
    {                                                                                                                  \
        const Pair *from = in;                                                                                         \
        Pair *to = inout;                                                                                              \
        for (uint64_t i = 0; i < count; i++) {                                                                         \
            if (from[i].value better to[i].value) {                                                                    \
                to[i] = from[i];                                                                                       \
            } else if (from[i].value == to[i].value && from[i].index < to[i].index) {                                  \
                to[i].index = from[i].index;                                                                           \
            }                                                                                                          \
        }                                                                                                              \
    }

PAIR_TYPE(FloatInt, Float, Int32)
PAIR_TYPE(DoubleInt, Double, Int32)
PAIR_TYPE(LongInt, Int64, Int32)
PAIR_TYPE(ShortInt, Int16, Int32)
PAIR_TYPE(IntInt, Int32, Int32)
PAIR_TYPE(FloatFloat, Float, Float)
PAIR_TYPE(DoubleDouble, Double, Double)

_Static_assert(sizeof(DoubleInt) == 12 && sizeof(ShortInt) == 6, "pairs are packed");

/* -- predefined operators ---------------------------------------------------------------------- */

#define ROW(f, primitive, Element) [MPI_PRIM_##primitive] = f##_##Element,
#define ARITHMETIC(f)              C_INTEGER(ROW, f) FORTRAN_INTEGER(ROW, f) MULTI_LANGUAGE(ROW, f) FLOATING(ROW, f)
#define OPERATOR(operator_name, number, ...)                                                                           \
    [number] = {.refs = 1,                                                                                             \
                .predefined = true,                                                                                    \
                .commutative = true,                                                                                   \
                .name = "MPI_" #operator_name,                                                                         \
                .apply = {__VA_ARGS__},                                                                                \
                .handle = MPI_HANDLE(MPI_KIND_OP, number)}

/* An operator that is for one-sided communication only (MPI-3.1 section 11.3.4): reductions allow it on no type. */
#define ONE_SIDED(operator_name, number)                                                                               \
    [number] = {.refs = 1, .predefined = true, .name = "MPI_" #operator_name, .handle = MPI_HANDLE(MPI_KIND_OP, number)}

enum {
#define MPI_PREDEFINED(kind, name, index) INDEX_##name = index,
#include "mpi/handles.def"
};

static const MpiOp operators[] = {
    OPERATOR(MAX, INDEX_MAX, ARITHMETIC(max)),
    OPERATOR(MIN, INDEX_MIN, ARITHMETIC(min)),
    OPERATOR(SUM, INDEX_SUM, ARITHMETIC(sum) COMPLEX_TYPES(ROW, sum)),
    OPERATOR(PROD, INDEX_PROD, ARITHMETIC(prod) COMPLEX_TYPES(ROW, prod)),
    OPERATOR(LAND, INDEX_LAND, C_INTEGER(ROW, land) LOGICAL_TYPES(ROW, land) MULTI_LANGUAGE(ROW, land)),
    OPERATOR(LOR, INDEX_LOR, C_INTEGER(ROW, lor) LOGICAL_TYPES(ROW, lor) MULTI_LANGUAGE(ROW, lor)),
    OPERATOR(LXOR, INDEX_LXOR, C_INTEGER(ROW, lxor) LOGICAL_TYPES(ROW, lxor) MULTI_LANGUAGE(ROW, lxor)),
    OPERATOR(BAND, INDEX_BAND,
             C_INTEGER(ROW, band) FORTRAN_INTEGER(ROW, band) BYTE_TYPE(ROW, band) MULTI_LANGUAGE(ROW, band)),
    OPERATOR(BOR, INDEX_BOR,
             C_INTEGER(ROW, bor) FORTRAN_INTEGER(ROW, bor) BYTE_TYPE(ROW, bor) MULTI_LANGUAGE(ROW, bor)),
    OPERATOR(BXOR, INDEX_BXOR,
             C_INTEGER(ROW, bxor) FORTRAN_INTEGER(ROW, bxor) BYTE_TYPE(ROW, bxor) MULTI_LANGUAGE(ROW, bxor)),
    OPERATOR(MAXLOC, INDEX_MAXLOC, PAIRS(ROW, maxloc)),
    OPERATOR(MINLOC, INDEX_MINLOC, PAIRS(ROW, minloc)),
    ONE_SIDED(REPLACE, INDEX_REPLACE),
    ONE_SIDED(NO_OP, INDEX_NO_OP),
};

const MpiOp *mpi_op_predefined(uint32_t index)
{
    return index < G_N_ELEMENTS(operators) && operators[index].predefined ? &operators[index] : NULL;
}

MpiOp *mpi_op_ref(MpiOp *op)
{
    if (!op->predefined) {
        g_atomic_int_inc(&op->refs);
    }
    return op;
}

void mpi_op_unref(MpiOp *op)
{
    if (op && !op->predefined && g_atomic_int_dec_and_test(&op->refs)) {
        g_free(op);
    }
}

/* Predefined operators work only on predefined types, including those of Fortran's kinds (MPI-3.1 section 5.9.1). */
bool mpi_op_allows(const MpiOp *op, const MpiType *type)
{
    return !op->predefined || ((type->predefined || mpi_type_is_f90(type)) && op->apply[mpi_type_primitive(type)]);
}

bool mpi_op_extends(const MpiOp *op, const MpiType *type)
{
    bool logical = op == &operators[INDEX_LAND] || op == &operators[INDEX_LOR] || op == &operators[INDEX_LXOR];
    MpiPrimitive primitive = mpi_type_primitive(type);
    return logical && (primitive == MPI_PRIM_AINT || primitive == MPI_PRIM_OFFSET || primitive == MPI_PRIM_COUNT);
}

void mpi_op_apply(const MpiOp *op, const MpiType *type, uint64_t count, const void *in, void *inout)
{
    g_assert(op->predefined && mpi_op_allows(op, type));
    op->apply[mpi_type_primitive(type)](in, inout, count);
}

/* -- MPI functions ----------------------------------------------------------------------------- */

MpiStep mpi_do_Op_create(MpiCall *call)
{
    enum { FUNCTION, COMMUTE, OP };
    MpiWord *handle;
    MpiStep step;
    if (!call->args[FUNCTION]) {
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "the function is a null pointer (argument 1)");
    }
    if (!mpi_check_output(call, NULL, OP, sizeof *handle, (void **)&handle, &step)) {
        return step;
    }
    MpiOp *op = g_new0(MpiOp, 1);
    op->refs = 1;
    op->commutative = mpi_int(call, COMMUTE) != 0;
    op->name = "a user operator";
    op->function = call->args[FUNCTION];
    op->large = call->large;
    *handle = op->handle = mpi_handle_register(call, MPI_KIND_OP, op);
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Op_free(MpiCall *call)
{
    MpiWord *handle;
    MpiStep step;
    if (!mpi_check_output(call, NULL, 0, sizeof *handle, (void **)&handle, &step)) {
        return step;
    }
    MpiOp *op = mpi_handle_lookup(call->rank, MPI_KIND_OP, *handle);
    if (!op) {
        return mpi_argument_bad_handle(call, NULL, MPI_KIND_OP, *handle, "argument 1 points to it");
    }
    if (op->predefined) {
        return mpi_call_error(call, NULL, MPI_ERR_OP, "%s is predefined and cannot be freed (argument 1)", op->name);
    }
    mpi_handle_unregister(call->rank, *handle);
    mpi_op_unref(op);
    *handle = MPI_HANDLE(MPI_KIND_OP, 0);
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Op_commutative(MpiCall *call)
{
    const MpiOp *op = mpi_handle_lookup(call->rank, MPI_KIND_OP, call->args[0]);
    MpiInt32 *commute;
    MpiStep step;
    if (!op) {
        return mpi_argument_bad_handle_of(call, NULL, MPI_KIND_OP, 0);
    }
    if (!mpi_check_output(call, NULL, 1, sizeof *commute, (void **)&commute, &step)) {
        return step;
    }
    *commute = op->commutative;
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

void mpi_op_store_items(MpiCall *call, uint64_t address, const MpiOp *op, uint64_t items)
{
    if (op->large)
        mpi_store_handle(call, address, items);
    else
        mpi_store_int(call, address, (int)items);
}
