/* expression.h - what the files of a debugger's expressions share: the grammar (expression.c) above, values
 * (expression_values.c) and operators (expression_operators.c) below.
 *
 * A function that returns false has set the scope's error, if none was set before. Its text addresses the user who
 * typed the expression.
 */
#ifndef ORRERY_MONITOR_DEBUG_EXPRESSION_H
#define ORRERY_MONITOR_DEBUG_EXPRESSION_H

#include "monitor/debug/type_names.h"
#include "vm/value.h"

/* Where an expression is evaluated. */
typedef struct MonScope {
    VmRank *rank;
    const VcodeModule *module;
    uint32_t level; /* number of the frame as a user counts: 0 is the innermost */
    GError **error;
    int skip; /* above 0: C would not evaluate this operand, so nothing is read from the rank */
} MonScope;

bool mon_expression_fail(MonScope *scope, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* -- values ------------------------------------------------------------------------------------ */

/* The kinds of numbers that operators work on. */
typedef enum MonNumberKind { MON_SIGNED, MON_UNSIGNED, MON_REAL, MON_POINTER } MonNumberKind;
typedef struct MonNumber {
    MonNumberKind kind;
    uint64_t bits; /* value of all kinds but MON_REAL */
    double real;
    uint32_t target; /* MON_POINTER: index into the module's types, VCODE_NONE for void */
} MonNumber;

/* Converts an operand to a number or pointer, which is loaded from the rank. */
bool mon_expression_number_of(MonScope *scope, const VmValue *value, MonNumber *number);
double mon_expression_number_real(const MonNumber *number);
bool mon_expression_number_truth(const MonNumber *number);
VmValue mon_expression_integer(int64_t number);
VmValue mon_expression_real(double number);
/* Returns a type without its names and qualifiers; NULL for void. */
const VcodeType *mon_expression_stripped(MonScope *scope, uint32_t type);
/* Returns the size of a type in bytes, at least 1. */
uint64_t mon_expression_size_of(MonScope *scope, uint32_t type);

/* Finds a variable in scope, else a function, else an enumerator. */
bool mon_named_value(MonScope *scope, const char *name, VmValue *value);
/* Evaluate &operand; operand[index], where index 0 also serves *operand; operand.name; (type)operand. */
bool mon_expression_address_of(MonScope *scope, const VmValue *operand, VmValue *value);
bool mon_expression_dereference(MonScope *scope, const VmValue *pointer, int64_t index, VmValue *value);
bool mon_expression_member(MonScope *scope, const VmValue *object, const char *name, VmValue *value);
bool mon_expression_cast(MonScope *scope, const MonTypeName *type, const VmValue *operand, VmValue *value);

/* -- operators --------------------------------------------------------------------------------- */

typedef enum MonOperation {
    MON_OR,
    MON_AND,
    MON_BIT_OR,
    MON_BIT_XOR,
    MON_BIT_AND,
    MON_EQUAL,
    MON_UNEQUAL,
    MON_LESS_EQUAL,
    MON_GREATER_EQUAL,
    MON_LEFT,
    MON_RIGHT,
    MON_LESS,
    MON_GREATER,
    MON_ADD,
    MON_SUBTRACT,
    MON_MULTIPLY,
    MON_DIVIDE,
    MON_REMAINDER,
    MON_REPEAT,
} MonOperation;

typedef struct MonOperator {
    const char *token;
    int level; /* precedence: higher binds tighter */
    MonOperation operation;
} MonOperator;

/* Returns the binary operator that `text` begins with, or NULL. */
const MonOperator *mon_operator_at(const char *text);
/* Evaluates + - ! ~. */
bool mon_expression_unary(MonScope *scope, char sign, const VmValue *operand, VmValue *value);
/* Evaluates all binary operators except && and ||, which do not always evaluate their right operand. */
bool mon_expression_binary(MonScope *scope, const MonOperator *sign, const VmValue *left, const VmValue *right,
                           VmValue *value);

#endif
