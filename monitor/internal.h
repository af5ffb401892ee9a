/* internal.h - what the files of monitor/ share: typed values of a stopped rank. */
#ifndef ORRERY_MONITOR_INTERNAL_H
#define ORRERY_MONITOR_INTERNAL_H

#include "monitor/monitor.h"

#define MON_ERROR (mon_error_quark())
GQuark mon_error_quark(void);
typedef enum MonError {
    MON_ERROR_PLACE,      /* no such line or function */
    MON_ERROR_EXPRESSION, /* cannot be parsed, unknown name, wrong operand */
    MON_ERROR_MEMORY,     /* points outside the rank's memory */
} MonError;

/* What a value is: something of the program with the type that the compiler recorded, or a result of computing. */
typedef enum MonShape {
    MON_OBJECT,   /* of `type` */
    MON_INTEGER,  /* a signed 64-bit integer */
    MON_UNSIGNED, /* an unsigned 64-bit integer */
    MON_REAL,     /* a double */
    MON_ADDRESS,  /* a pointer to `type`; VCODE_NONE: to void */
} MonShape;
typedef struct MonValue {
    MonShape shape;
    uint32_t type;   /* index into the module's types; VCODE_NONE for a plain 64-bit integer */
    uint32_t repeat; /* not 0: that many objects of `type` side by side, all in memory */
    bool in_memory;  /* then `bits` is its address (objects only) */
    uint64_t bits;
    /* A variable, or a part of one, that is in pieces (VCODE_AT_PLACES): in_memory too, `bits` is the offset in it. */
    const VcodeVariable *variable; /* NULL: not in pieces */
    VmFrame frame;                 /* whose variable it is */
} MonValue;

/* The value's scalar bits, canonical for its type (reads memory). */
bool mon_value_load(VmRank *rank, const MonValue *value, uint64_t *bits, GError **error);
/* Copies the object's bytes, from where it is; NULL: they cannot be read, or are optimised out. */
const void *mon_value_bytes(VmRank *rank, const MonValue *value, void *buffer, uint64_t size);
/* The part of an object at `offset` bytes, as `type`. */
MonValue mon_value_part(const MonValue *value, uint32_t type, uint64_t offset);
/* A bit-field of the object whose unit is at `value`, canonical for its type. */
bool mon_bit_field_load(VmRank *rank, const VcodeMember *member, const MonValue *value, uint64_t *bits);
/* The type behind typedefs; VCODE_NONE stays. */
uint32_t mon_type_strip(const VcodeModule *module, uint32_t type);
/* The same as a record; NULL for none. */
const VcodeType *mon_type_record(const VcodeModule *module, uint32_t type);
/* "int", "struct point *", "char [100]". */
void mon_type_format(const VcodeModule *module, uint32_t type, GString *out);
/* Appends the value as C people write it: 42, 97 'a', 2.5, 0x20010 "text", {x = 1, y = 2}, {1, 2, 3...}. */
void mon_value_format(VmRank *rank, const MonValue *value, GString *out);

/* The frame that a user counts as number `level`: inlined calls have frames of their own. False: there is none. */
bool mon_frame(VmRank *rank, uint32_t level, VmFrame *frame);
/* A variable that is in scope at pc in frame `level` of a rank: inner scopes first, then globals. */
bool mon_find_variable(VmRank *rank, uint32_t level, const char *name, MonValue *value);
/* Where a variable of a frame lives. */
MonValue mon_variable_value(const VcodeVariable *variable, const VmFrame *frame);
/* Whether the variable belongs to the frame and is in scope at its pc. */
bool mon_variable_in_scope(const VcodeVariable *variable, const VmFrame *frame);
/* The machine behind a debugger. */
Machine *mon_debugger_machine(MonDebugger *debugger);
/* Parses and evaluates (expression.c). */
bool mon_evaluate(VmRank *rank, uint32_t level, const char *text, MonValue *value, GError **error);

#endif
