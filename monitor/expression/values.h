/* values.h - what the files of this room share: expressions that have been read, and values of them.
 *
 * A function that returns false has set the scope's error, if none was set before.
 */
#ifndef ORRERY_MONITOR_EXPRESSION_VALUES_H
#define ORRERY_MONITOR_EXPRESSION_VALUES_H

#include "compiler/inquiry.h"
#include "monitor/expression/expression.h"
#include "monitor/look.h"
#include "vm/value.h"

struct MonExpression {
    char *text;
    CcInquiry *inquiry;
    const VcodeModule *module;
    uint32_t function, inlined, pc; /* of the frame that it was read for; function VCODE_NONE: there was none */
    bool changes, calls;
};

/* Where an expression is evaluated, and what it may do. */
typedef struct MonScope {
    const MonSpot *spot;
    VmRank *rank;
    const VcodeModule *module;
    VmFrame frame;
    bool framed;
    bool may_change, in_copy;
    const char *text; /* for the caret; may be NULL */
    GError **error;
} MonScope;

enum { MON_MOST_DIMENSIONS = 4 };
typedef struct MonDimension { /* of a section */
    uint64_t count;
    int64_t stride; /* bytes */
} MonDimension;

typedef struct MonValue {
    const CcType *type;
    enum {
        MON_BITS,   /* `bits`, canonical for its type */
        MON_REAL,   /* `real` */
        MON_OBJECT, /* an object of the program at `at` */
        MON_PIECES, /* a pointer into an array that optimised code has in pieces, at `at` */
        MON_TEXT,   /* a string literal: no object of the program */
        MON_NOTHING /* void */
    } what;
    uint64_t bits;
    double real;
    VmValue at;
    const VcodeVariable *home; /* OBJECT: a whole variable; NULL: a part of one, or memory */
    const CcMember *field;     /* OBJECT: a bit-field in the unit at `at`; NULL: none */
    const char *literal;       /* TEXT: `literal_size` bytes, owned by the inquiry */
    uint64_t literal_size;
    MonDimension dimensions[MON_MOST_DIMENSIONS]; /* OBJECT, BITS of a pointer: of the section, outermost first */
    unsigned n_dimensions;                        /* 0: one object */
} MonValue;

/* Sets the error; with a location, the text has a caret. */
bool mon_expression_fail(MonScope *scope, const CcLoc *loc, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* Fills in a scope. Returns false if the rank has no such frame, and the expression needs one. */
bool mon_expression_open(MonScope *scope, const MonExpression *expression, const MonSpot *spot, GError **error);

/* -- read.c -- */

/* Returns the text of a macro that the sources of a program define by one line, or NULL (macros.c). The module's texts
 * are kept until mon_macros_free(). */
typedef struct MonMacros MonMacros;
const char *mon_macros_find(MonMacros **macros, const VcodeModule *module, const char *name);
void mon_macros_free(MonMacros *macros);

/* -- expressions.c -- */

/* mon_expression_new() for a frame of which function, pc and expansion are known. NULL: none. */
MonExpression *mon_expression_read(const VcodeModule *module, const VmFrame *frame, const char *text, GError **error);

/* -- evaluate.c -- */

bool mon_evaluate(MonScope *scope, const CcExpr *expr, MonValue *value);
/* Makes BITS, REAL or TEXT out of a scalar object. */
bool mon_expression_load(MonScope *scope, const CcLoc *loc, MonValue *value);
/* Bytes of a type: 0 if they are not known. Arrays of variable length have that of the frame. */
uint64_t mon_expression_type_size(MonScope *scope, const CcType *type);
uint64_t mon_expression_type_length(MonScope *scope, const CcType *array);
MonValue mon_expression_bits(const CcType *type, uint64_t bits);
MonValue mon_expression_real(const CcType *type, double real);
double mon_expression_as_real(const MonValue *value);
bool mon_expression_is_true(const MonValue *value);
/* The bytes of a scalar value, as memory has them: at most 8. */
uint64_t mon_expression_raw(const MonValue *value);

/* -- operators.c -- */

/* Both operands have been loaded. */
bool mon_expression_operate(MonScope *scope, const CcExpr *expr, CcExprKind kind, const CcType *type,
                            const MonValue *left, const MonValue *right, MonValue *value);
bool mon_expression_convert(MonScope *scope, const CcExpr *expr, const CcType *type, const MonValue *from,
                            MonValue *value);

/* -- calls.c -- */

/* Calls a function of the program. Only in a copy. */
bool mon_call(MonScope *scope, const CcExpr *call, const MonValue *callee, const MonValue *arguments, MonValue *value);
/* -- print.c, memory.c -- */

void mon_value_print(MonScope *scope, const MonValue *value, const MonFormat *format, GString *out);
/* Appends the scalar with these raw bytes of `size` bytes by a letter of MonFormat. */
void mon_raw_print(MonScope *scope, const CcType *type, uint64_t raw, unsigned size, char letter, GString *out);
/* Appends a string of the program in quotes. Returns false if there is none at the address. */
bool mon_string_print(MonScope *scope, uint64_t address, uint64_t limit, GString *out);

#endif
