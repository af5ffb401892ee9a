/* value.h - typed values of a stopped rank: what debuggers and reports show of variables and arguments.
 *
 * Types and places are those that the compiler recorded (programs linked without debug information have none). Reading
 * is no access of the rank and cannot fault.
 */
#ifndef ORRERY_VM_VALUE_H
#define ORRERY_VM_VALUE_H

#include "vm/vm.h"

#include <string.h>

/* What a value is: something of the program with the type that the compiler recorded, or a result of computing. */
typedef enum VmShape {
    VM_OBJECT,   /* of `type` */
    VM_INTEGER,  /* a signed 64-bit integer */
    VM_UNSIGNED, /* an unsigned 64-bit integer */
    VM_REAL,     /* a double */
    VM_ADDRESS,  /* a pointer to `type`; VCODE_NONE: to void */
} VmShape;
typedef struct VmValue {
    VmShape shape;
    uint32_t type;   /* index into the module's types; VCODE_NONE for a plain 64-bit integer */
    uint32_t repeat; /* not 0: that many objects of `type` side by side, all in memory */
    bool in_memory;  /* then `bits` is its address (objects only) */
    uint64_t bits;
    /* A variable, or a part of one, that is in pieces (VCODE_AT_PLACES): in_memory too, `bits` is the offset in it. */
    const VcodeVariable *variable; /* NULL: not in pieces */
    VmFrame frame;                 /* whose variable it is, or in which lengths of arrays are to be looked up ... */
    bool framed;                   /* ... if it is there */
} VmValue;

/* The value's scalar bits, canonical for its type (reads memory). */
bool vm_value_load(VmRank *rank, const VmValue *value, uint64_t *bits, GError **error);
/* The part of an object at `offset` bytes, as `type`. */
VmValue vm_value_part(const VmValue *value, uint32_t type, uint64_t offset);
/* A bit-field of the object whose unit is at `value`, canonical for its type. */
bool vm_value_load_bit_field(VmRank *rank, const VcodeMember *member, const VmValue *value, uint64_t *bits);
/* The type behind typedefs; VCODE_NONE stays. */
uint32_t vm_type_strip(const VcodeModule *module, uint32_t type);
/* The same as a record; NULL for none. */
const VcodeType *vm_type_record(const VcodeModule *module, uint32_t type);
/* "int", "struct point *", "char [100]", "int (*)[3]". */
void vm_type_format(const VcodeModule *module, uint32_t type, GString *out);
/* The same where arrays of variable length have that of a frame; NULL: there is none. */
void vm_type_format_in(VmRank *rank, const VmFrame *frame, uint32_t type, GString *out);
/* Elements of an array; false: its length is not known here. Bytes of a type, 0 where that is not known. */
bool vm_type_array_count(VmRank *rank, const VmFrame *frame, const VcodeType *array, uint64_t *count);
uint64_t vm_type_size(VmRank *rank, const VmFrame *frame, uint32_t type);
/* Whether a variable is the compiler's own: no name of C has a dot. */
static inline bool vm_variable_is_hidden(const VcodeModule *module, const VcodeVariable *variable)
{
    return strchr(vcode_text(module, variable->name), '.');
}
/* Appends the value as C people write it: 42, 97 'a', 2.5, 0x20010 "text", {x = 1, y = 2}, {1, 2, 3...}. */
void vm_value_format(VmRank *rank, const VmValue *value, GString *out);

/* Where a variable of a frame lives. */
VmValue vm_variable_value(const VcodeVariable *variable, const VmFrame *frame);
/* Whether the variable belongs to the frame and is in scope at its pc. */
bool vm_variable_in_scope(const VcodeVariable *variable, const VmFrame *frame);
/* The register that shows a variable before each instruction of its function, VCODE_NONE where none does: where the
 * compiler says so, and where it remains. False: not one that is in one register at a time. */
bool vm_remains_registers(const VcodeModule *module, const VcodeVariable *variable, uint32_t *registers);
/* A variable that the compiler does not tell of any more here, but whose last value still is in a register (remains.c).
 */
bool vm_variable_remains(const VcodeVariable *variable, const VmFrame *frame, const VcodeModule *module,
                         VmValue *value);
/* `name=0x10010 "hello", n=10`: the parameters of a frame with their values, each cut off where it is longer than
 * `longest` bytes. */
void vm_variable_parameters(VmRank *rank, const VmFrame *frame, size_t longest, GString *out);

#endif
