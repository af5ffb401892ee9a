/* value.h - typed values of a stopped rank: what debuggers and reports show of variables and arguments.
 *
 * The types and locations are those that the compiler recorded; programs linked without debug information have none.
 * Reading a value is no access of the rank and cannot fault.
 */
#ifndef ORRERY_VM_VALUE_H
#define ORRERY_VM_VALUE_H

#include "vm/vm.h"

#include <string.h>

/* What a value is: an object of the program with the type that the compiler recorded, or the result of an
 * expression. */
typedef enum VmShape {
    VM_OBJECT,   /* an object of `type` */
    VM_INTEGER,  /* a signed 64-bit integer */
    VM_UNSIGNED, /* an unsigned 64-bit integer */
    VM_REAL,     /* a double */
    VM_ADDRESS,  /* a pointer to `type`; VCODE_NONE: a pointer to void */
} VmShape;
typedef struct VmValue {
    VmShape shape;
    uint32_t type;   /* index into the module's types; VCODE_NONE for a plain 64-bit integer */
    uint32_t repeat; /* not 0: that many objects of `type` side by side, all in memory */
    bool in_memory;  /* `bits` is its address (objects only) */
    uint64_t bits;
    /* For a variable, or a part of one, that is in pieces (VCODE_AT_PLACES): in_memory is set too, and `bits` is the
     * offset in the variable. */
    const VcodeVariable *variable; /* NULL: not in pieces */
    VmFrame frame; /* the frame of the variable, or the frame in which to look up the lengths of arrays */
    bool framed;   /* whether `frame` is set */
} VmValue;

/* Reads the value's scalar bits, canonical for its type. Returns false with `error` if they cannot be read. */
bool vm_value_load(VmRank *rank, const VmValue *value, uint64_t *bits, GError **error);
/* Copies the first `size` bytes of an object, wherever it is, into `bytes`. Returns false with `error` if they cannot
 * be read. */
bool vm_value_copy(VmRank *rank, const VmValue *value, void *bytes, uint64_t size, GError **error);
/* For debuggers: replaces `size` bytes at `offset` of an object, which is memory at `value`, or the variable `home` of
 * the frame of `value`. Returns false with `error` if they cannot be written. The rank must not be running. */
bool vm_value_store(VmRank *rank, const VmValue *value, const VcodeVariable *home, const void *bytes, uint64_t size,
                    GError **error);
/* Returns the part of an object at `offset` bytes, as a value of `type`. */
VmValue vm_value_part(const VmValue *value, uint32_t type, uint64_t offset);
/* Reads a bit-field of the object whose unit is at `value`. The bits are canonical for its type. */
bool vm_value_load_bit_field(VmRank *rank, const VcodeMember *member, const VmValue *value, uint64_t *bits);
/* Returns the type behind typedefs; VCODE_NONE stays VCODE_NONE. */
uint32_t vm_type_strip(const VcodeModule *module, uint32_t type);
/* Returns the record of the type behind typedefs; NULL if it has none. */
const VcodeType *vm_type_record(const VcodeModule *module, uint32_t type);
/* Appends the type as C writes it: "int", "struct point *", "char [100]", "int (*)[3]". */
void vm_type_format(const VcodeModule *module, uint32_t type, GString *out);
/* Appends the type as vm_type_format() does, but gives arrays of variable length the length that they have in `frame`.
 * NULL: no frame. */
void vm_type_format_in(VmRank *rank, const VmFrame *frame, uint32_t type, GString *out);
/* Finds the number of elements of an array; returns false if its length is not known here. vm_type_size() returns the
 * bytes of a type, or 0 if they are not known. */
bool vm_type_array_count(VmRank *rank, const VmFrame *frame, const VcodeType *array, uint64_t *count);
uint64_t vm_type_size(VmRank *rank, const VmFrame *frame, uint32_t type);
/* Whether the compiler made the variable itself: its name has a dot, which no name in C has. */
static inline bool vm_variable_is_hidden(const VcodeModule *module, const VcodeVariable *variable)
{
    return strchr(vcode_text(module, variable->name), '.');
}
/* Appends the value as C people write it: 42, 97 'a', 2.5, 0x20010 "text", {x = 1, y = 2}, {1, 2, 3...}. */
void vm_value_format(VmRank *rank, const VmValue *value, GString *out);

/* Returns the value of a variable of a frame: where it lives. */
VmValue vm_variable_value(const VcodeVariable *variable, const VmFrame *frame);
/* Whether the variable belongs to the frame and is in scope at its pc. */
bool vm_variable_in_scope(const VcodeVariable *variable, const VmFrame *frame);
/* Tells, for each instruction of the function, which register holds the variable before it; VCODE_NONE: none does.
 * These are the registers that the compiler recorded, and those where the last value remains. Returns false if the
 * variable is not in one register at a time. */
bool vm_remains_registers(const VcodeModule *module, const VcodeVariable *variable, uint32_t *registers);
/* Finds a variable that the compiler no longer locates here, but whose last value still is in a register
 * (remains.c). */
bool vm_variable_remains(const VcodeVariable *variable, const VmFrame *frame, const VcodeModule *module,
                         VmValue *value);
/* Appends the parameters of a frame with their values: `name=0x10010 "hello", n=10`. A value longer than `longest`
 * bytes is cut off. */
void vm_variable_parameters(VmRank *rank, const VmFrame *frame, size_t longest, GString *out);

#endif
