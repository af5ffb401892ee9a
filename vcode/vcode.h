/* vcode.h - the vCode format: what the compiler writes and the VM runs.
 *
 * This library uses no other library of Orrery but base. It owns the instruction set (instructions.def), the cost
 * classes (costs.def), the module in memory, its file form, the verifier and the disassembler. It knows nothing of C,
 * MPI or time. The compiler's linker and the VM's loader are both built on it.
 *
 *   compiler --> VcodeModule (object) --> linker --> VcodeModule (program) --> vm
 *
 * A module is a set of flat tables of fixed-width records. Writing a module means writing its tables; reading one means
 * checking them. A name is an offset into the module's string table. Index 0 of a table is an ordinary record.
 *
 * Address map of a simulated process. It is the same for every rank of a program. Addresses have 64 bits, and all but
 * those of the heap are fixed at link time:
 *
 *   0x0000_0000 .. 0x0000_ffff   never mapped: null pointers fault
 *   0x0001_0000 = VCODE_RODATA_BASE   constants, shared by all ranks, read-only
 *   D = program->data_base (VCODE_DATA_BASE as linked)
 *                                  initialised data, then bss, private
 *   below D                        stack of VmLimits.stack_bytes, grows down
 *   from the end of bss on         heap, grows up
 *      (Where D is too low for the stack, the stack is behind bss and the heap behind that.)
 *   VCODE_CODE_BASE + 16 * i       address of function i (never readable)
 *   from VCODE_SHARED_BASE on      memory that ranks share
 */
#ifndef ORRERY_VCODE_H
#define ORRERY_VCODE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Version of the file format and the instruction set. Files of another version are refused. */
#define VCODE_VERSION 3u

#define VCODE_RODATA_BASE UINT64_C(0x10000)
/* Beyond 32 bits, as on most hosts, so that a program that squeezes a pointer into an int fails here, too. In the
 * middle of a page, so that the data of a small program share that page with its stack. */
#define VCODE_DATA_BASE     ((UINT64_C(1) << 36) + 2048)
#define VCODE_CODE_BASE     (UINT64_C(1) << 40)
#define VCODE_SHARED_BASE   (UINT64_C(1) << 42) /* memory that ranks share */
#define VCODE_SHARED_BYTES  (UINT64_C(1) << 42)
#define VCODE_LABEL_BASE    (UINT64_C(1) << 41) /* &&label: base + instruction index within its function */
#define VCODE_MAX_REGISTERS 65535u
#define VCODE_MAX_ARGUMENTS 255u

/* -- instructions ------------------------------------------------------------------------------ */

typedef enum VcodeOp {
#define INSTRUCTION(name, mnemonic, form, cost, result, kind, meaning) VCODE_##name,
#include "vcode/instructions.def"
    VCODE_OP_COUNT
} VcodeOp;

typedef enum VcodeCost {
#define COST_CLASS(name, key, cycles_q8, help) VCODE_COST_##name,
#include "vcode/costs.def"
    VCODE_COST_COUNT
} VcodeCost;

/* What the fields of an instruction hold (r: register, i: immediate, -: nothing, the fields are zero). */
typedef enum VcodeForm {
    VCODE_FORM_NONE,   /* -                                             */
    VCODE_FORM_R,      /* a=r                                           */
    VCODE_FORM_RR,     /* a=r b=r                                       */
    VCODE_FORM_RRR,    /* a=r b=r c=r                                   */
    VCODE_FORM_RRI,    /* a=r b=r c=i16                                 */
    VCODE_FORM_RI32,   /* a=r imm32                                     */
    VCODE_FORM_RK,     /* a=r imm32=constant index                      */
    VCODE_FORM_I32,    /* imm32                                         */
    VCODE_FORM_LOAD,   /* a=r b=r c=i16 displacement                    */
    VCODE_FORM_STORE,  /* a=r (value) b=r c=i16 displacement            */
    VCODE_FORM_LOADX,  /* a=r b=r c=r n=shift 0..3 (leax: 0..31)        */
    VCODE_FORM_STOREX, /* a=r (value) b=r c=r n=shift 0..3              */
    VCODE_FORM_BLOCK,  /* a=r b=r, bytes = n << 16 | c                  */
    VCODE_FORM_JUMP,   /* imm32 = distance from the next instruction    */
    VCODE_FORM_BRR,    /* a=r b=r, off24                                */
    VCODE_FORM_BRI,    /* a=r b=i16, off24                              */
    VCODE_FORM_SWITCH, /* a=r imm32=switch table                        */
    VCODE_FORM_CALL,   /* a=window n=arguments imm32=function index     */
    VCODE_FORM_CALLI,  /* a=window n=arguments b=r                      */
    VCODE_FORM_CALLX,  /* a=window n=arguments imm32=extern index       */
} VcodeForm;

typedef uint64_t VcodeInstr;

static inline VcodeInstr vcode_pack(VcodeOp op, unsigned n, unsigned a, unsigned b, unsigned c)
{
    return (uint64_t)(uint8_t)op | (uint64_t)(uint8_t)n << 8 | (uint64_t)(uint16_t)a << 16 |
           (uint64_t)(uint16_t)b << 32 | (uint64_t)(uint16_t)c << 48;
}
static inline VcodeInstr vcode_pack_imm32(VcodeOp op, unsigned n, unsigned a, int32_t imm)
{
    return (uint64_t)(uint8_t)op | (uint64_t)(uint8_t)n << 8 | (uint64_t)(uint16_t)a << 16 |
           (uint64_t)(uint32_t)imm << 32;
}
static inline VcodeOp vcode_op(VcodeInstr i)
{
    return (VcodeOp)(i & 0xff);
}
static inline unsigned vcode_n(VcodeInstr i)
{
    return (unsigned)(i >> 8 & 0xff);
}
static inline unsigned vcode_a(VcodeInstr i)
{
    return (unsigned)(i >> 16 & 0xffff);
}
static inline unsigned vcode_b(VcodeInstr i)
{
    return (unsigned)(i >> 32 & 0xffff);
}
static inline unsigned vcode_c(VcodeInstr i)
{
    return (unsigned)(i >> 48);
}
static inline int vcode_simm_b(VcodeInstr i)
{
    return (int16_t)(i >> 32);
}
static inline int vcode_simm_c(VcodeInstr i)
{
    return (int16_t)(i >> 48);
}
static inline int32_t vcode_imm32(VcodeInstr i)
{
    return (int32_t)(i >> 32);
}
/* Returns the branch distance of an instruction of form BRR or BRI. */
static inline int32_t vcode_off24(VcodeInstr i)
{
    return (int32_t)(int8_t)(i >> 8) * 65536 + (int32_t)(i >> 48);
}
/* Returns the byte count of an instruction of form BLOCK. */
static inline uint32_t vcode_block_bytes(VcodeInstr i)
{
    return vcode_n(i) << 16 | vcode_c(i);
}

/* The group that an instruction belongs to. The kinds up to VCODE_KIND_DIVIDE only compute (arithmetic.def). Such an
 * instruction may be folded if its operands are known. */
typedef enum VcodeKind {
    VCODE_KIND_COMPUTE,      /* any other computation of arithmetic.def */
    VCODE_KIND_COMPARE,      /* compares integers; the result is 0 or 1 */
    VCODE_KIND_COMPARE_REAL, /* compares floating-point numbers; the result is 0 or 1 */
    VCODE_KIND_DIVIDE,       /* divides integers; may have no result (VcodeRefusal in arithmetic.h) */
    VCODE_KIND_LOAD,
    VCODE_KIND_STORE,
    VCODE_KIND_BRANCH,      /* branches after comparing integers */
    VCODE_KIND_BRANCH_REAL, /* branches after comparing floating-point numbers */
    VCODE_KIND_OTHER,
} VcodeKind;

/* A row of instructions.def. */
typedef struct VcodeOpInfo {
    const char *mnemonic;
    VcodeForm form;
    VcodeCost cost;
    uint8_t result_bits; /* width of R[a] as an integer, at most; 0: the instruction sets no R[a] */
    bool result_signed;  /* R[a] is in [-2^(bits-1), 2^(bits-1)); false: in [0, 2^bits) */
    VcodeKind kind;
    const char *meaning; /* for the manual page */
} VcodeOpInfo;

/* One row per VcodeOp, in order. */
extern const VcodeOpInfo vcode_op_info[VCODE_OP_COUNT];

/* A row of costs.def. */
typedef struct VcodeCostInfo {
    const char *name;    /* name of the class, e.g. "FP_ADD" */
    const char *key;     /* key in section [cost] of a machine file; NULL: the cost cannot be set */
    uint32_t default_q8; /* default cost in 1/256 cycle */
    const char *help;
} VcodeCostInfo;
extern const VcodeCostInfo vcode_cost_info[VCODE_COST_COUNT];

/* Returns whether the instruction only computes, so that it may be folded. */
static inline bool vcode_op_folds(VcodeOp op)
{
    return vcode_op_info[op].kind <= VCODE_KIND_DIVIDE;
}
/* Returns whether the instruction ends a basic block (cost class BRANCH, CALL or END). */
bool vcode_op_ends_block(VcodeOp op);

/* Operand of the instruction `trap`: why the program stops. */
typedef enum VcodeTrap {
    VCODE_TRAP_UNREACHABLE = 1, /* __builtin_unreachable, or the end of a switch that control cannot leave */
    VCODE_TRAP_ABORT = 2,       /* __builtin_trap */
    VCODE_TRAP_UNDEFINED = 3,   /* undefined behaviour that the compiler detected */
} VcodeTrap;

/* -- module tables ----------------------------------------------------------------------------- */

typedef enum VcodeModuleKind { VCODE_OBJECT = 1, VCODE_PROGRAM = 2 } VcodeModuleKind;

#define VCODE_NONE UINT32_MAX /* "no such record" in any index field */

enum { VCODE_FUNCTION_VARIADIC = 1, VCODE_FUNCTION_LIBRARY = 2 /* of the runtime: a debugger steps over it */ };

/* A function and its code. */
typedef struct VcodeFunction {
    uint32_t name;        /* offset in strings[] */
    uint32_t code_start;  /* first instruction in code[] */
    uint32_t code_count;  /* number of instructions */
    uint32_t registers;   /* size of the frame in registers, arguments included; at most VCODE_MAX_REGISTERS */
    uint16_t parameters;  /* number of registers that the caller fills, R[0..parameters), hidden ones included */
    uint16_t flags;       /* VCODE_FUNCTION_* */
    uint32_t file;        /* file of the definition: index into files[], or VCODE_NONE */
    uint32_t line;        /* line of the definition, 1-based; 0: unknown */
    uint32_t return_type; /* index into types[], or VCODE_NONE */
} VcodeFunction;

/* A function that the simulator provides (C library, MPI). The program calls it by name. */
typedef struct VcodeExtern {
    uint32_t name;
} VcodeExtern;

/* A jump table: value low + k jumps to targets[first + k], for k < count. */
typedef struct VcodeSwitch {
    int64_t low;    /* value of the first entry */
    uint32_t first; /* index of the first entry in targets[] */
    uint32_t count;
    uint32_t default_target; /* instruction index within the function */
    uint32_t function;       /* index of the function that the table belongs to */
} VcodeSwitch;

typedef enum VcodeSection {
    VCODE_SECTION_UNDEFINED, /* the symbol is defined elsewhere */
    VCODE_SECTION_FUNCTION,  /* VcodeSymbol.value is an index into functions[] */
    VCODE_SECTION_RODATA,    /* VcodeSymbol.value is a byte offset in the section, as for data and bss */
    VCODE_SECTION_DATA,
    VCODE_SECTION_BSS,
    VCODE_SECTION_COMMON, /* tentative definition; VcodeSymbol.value is its alignment */
} VcodeSection;
typedef enum VcodeBinding { VCODE_LOCAL, VCODE_GLOBAL, VCODE_WEAK } VcodeBinding;

/* A symbol that the unit defines or refers to. */
typedef struct VcodeSymbol {
    uint32_t name;
    uint8_t section; /* VcodeSection */
    uint8_t binding; /* VcodeBinding */
    uint16_t align;  /* bytes, a power of two; 0 for functions */
    uint64_t value;  /* depends on the section (VcodeSection) */
    uint64_t size;   /* bytes; 0 for functions */
    uint32_t file;   /* where the symbol is declared or, if undefined, first used: index into files[] */
    uint32_t line;
    uint32_t type;  /* index into types[], or VCODE_NONE */
    uint32_t alias; /* index of the symbol that this one is another name for, or VCODE_NONE */
} VcodeSymbol;

typedef enum VcodeRelocKind {
    VCODE_RELOC_CALL = 1, /* code[where]: `call` gets the index of the function, or becomes a `callx` */
    VCODE_RELOC_CONSTANT, /* constants[where] becomes the address of symbol + addend */
    VCODE_RELOC_DATA,     /* the 8 bytes at offset `where` of data become the address of symbol + addend */
    VCODE_RELOC_RODATA,   /* the 8 bytes at offset `where` of rodata become the address of symbol + addend */
} VcodeRelocKind;

/* A place that the linker fills in when it knows the address of a symbol. */
typedef struct VcodeReloc {
    uint32_t kind;   /* VcodeRelocKind */
    uint32_t symbol; /* index into symbols[] */
    uint64_t where;  /* what is patched; see VcodeRelocKind */
    int64_t addend;
    uint32_t file; /* position of the use in the source, for "undefined reference" */
    uint32_t line;
} VcodeReloc;

/* A row of the line table. It covers the code from `pc` up to the next row's. */
typedef struct VcodeLine {
    uint32_t pc;   /* first instruction: index into code[]; rows ascend by pc */
    uint32_t file; /* index into files[] */
    uint32_t line;
    uint16_t column;
    uint16_t flags;   /* VCODE_LINE_* */
    uint32_t inlined; /* index into inlines[] of the innermost expansion that contains the code, or VCODE_NONE */
} VcodeLine;
enum {
    VCODE_LINE_STATEMENT = 1, /* a debugger may stop here */
    VCODE_LINE_UNALIGNED = 2, /* the instruction may access memory at any address, aligned or not */
    VCODE_LINE_MARK = 8,      /* the bits from here on are the mark of the instruction */
};
/* Marks say what an access is to other threads, for checks; they change nothing else. Those of atomic operations: */
enum {
    VCODE_MARK_ATOMIC = 1,  /* the access is part of an atomic operation, or the call is a fence */
    VCODE_MARK_ACQUIRE = 2, /* ... which acquires: a load or a fence */
    VCODE_MARK_RELEASE = 4, /* ... which releases: a store or a fence */
    VCODE_MARK_UPDATE = 8,  /* ... which loads and stores */
    /* Without ATOMIC it is a note of the runtime library: ACQUIRE and RELEASE are about the address, load or store. */
    VCODE_MARK_GATHER = 16, /* what was released there, for the thread's next note TASK | RELEASE or GATHER | ACQUIRE */
    VCODE_MARK_TASK = 32,   /* with RELEASE: a task is made, with ACQUIRE: it begins, alone: it ends */
    VCODE_MARK_SETTLE = 64, /* the thread knows of the tasks that it has run; with TASK: and will know */
    VCODE_MARK_ASIDE = 8,   /* with GATHER: not for that note; with RELEASE: nothing but what was gathered aside */
};

/* An expansion: a call that the compiler replaced by the body of the called function. The line table says which code
 * belongs to it, because that code need not be contiguous. An expansion comes after the one that contains it;
 * expansions ascend by function. */
typedef struct VcodeInline {
    uint32_t name;      /* the function that was called: offset in strings[] */
    uint32_t function;  /* the function that now contains the code: index into functions[] */
    uint32_t parent;    /* index into inlines[] of the expansion that contains the call, or VCODE_NONE */
    uint32_t call_file; /* position of the call: index into files[], or VCODE_NONE */
    uint32_t call_line;
    uint16_t call_column;
    uint16_t pad;
    uint32_t file; /* position of the called function's definition */
    uint32_t line;
} VcodeInline;

/* How VcodeVariable.where and VcodePlace.where are to be read. */
typedef enum VcodeLocation {
    VCODE_AT_REGISTER = 1,     /* `where` is a register of the frame */
    VCODE_AT_FRAME,            /* `where` is a byte offset from the register that ENTER set (SP at entry) */
    VCODE_AT_REGISTER_ADDRESS, /* `where` is a register that holds the variable's address (VLA, big parameter) */
    VCODE_AT_DATA,             /* `where` is a symbol index (object) or an absolute address (program) */
    VCODE_AT_PLACES,           /* the variable's records in places[] say; elsewhere in its scope it is optimised out */
    VCODE_AT_CONSTANT,         /* the variable has no location; `where` is its value, in the form that registers hold */
} VcodeLocation;

/* A variable, for the debugger. */
typedef struct VcodeVariable {
    uint32_t name;
    uint32_t type;     /* index into types[] */
    uint32_t function; /* function that it belongs to; VCODE_NONE: a global */
    uint32_t location; /* VcodeLocation */
    int64_t where;     /* depends on `location` */
    uint32_t pc_low;   /* its scope is [pc_low, pc_high), indices into code[] */
    uint32_t pc_high;
    uint32_t line;    /* line of the declaration */
    uint32_t flags;   /* VCODE_VARIABLE_PARAMETER, VCODE_VARIABLE_LIBRARY */
    uint32_t inlined; /* index into inlines[] of the expansion that it is a variable of, or VCODE_NONE */
    uint32_t first;   /* VCODE_AT_PLACES: its records are places[first .. first + count) */
    uint32_t count;
    uint32_t pad;
} VcodeVariable;
enum { VCODE_VARIABLE_PARAMETER = 1, VCODE_VARIABLE_LIBRARY = 2 /* a global of the runtime library */ };

/* Says where a variable, or a part of it, is while code in [pc_low, pc_high) runs. */
typedef struct VcodePlace {
    uint32_t pc_low;
    uint32_t pc_high;
    uint32_t location; /* VCODE_AT_REGISTER, VCODE_AT_FRAME, VCODE_AT_REGISTER_ADDRESS */
    uint32_t offset;   /* first byte of the part within the variable */
    uint32_t size;     /* size of the part in bytes */
    uint32_t pad;
    int64_t where; /* depends on `location`, as in VcodeVariable */
} VcodePlace;

/* A memory object with bounds of its own, for checks at run time. An object file records those of frames only; a
 * program records those of sections, too. The objects of one function are contiguous, and the functions ascend. */
typedef struct VcodeObject {
    uint32_t name;     /* offset in strings[]; the empty string if C gives it no name */
    uint32_t type;     /* index into types[], or VCODE_NONE */
    uint32_t function; /* function whose frame contains it, or VCODE_NONE */
    uint32_t file;     /* position of the declaration: index into files[], or VCODE_NONE */
    uint32_t line;
    uint32_t flags; /* VCODE_OBJECT_* */
    int64_t where;  /* byte offset from SP at entry, or, without a function, absolute address */
    uint64_t size;  /* bytes */
} VcodeObject;
enum {
    VCODE_OBJECT_LIBRARY = 1,   /* belongs to the runtime library */
    VCODE_OBJECT_STRING = 2,    /* a string literal */
    VCODE_OBJECT_TEMPORARY = 4, /* made by the compiler, for arguments and results */
};

/* Says that an instruction computes an address in an object from the frame's register, or loads such an address. From
 * then on the result counts as an address of this object, wherever it points. */
typedef struct VcodeOrigin {
    uint32_t pc;     /* index of the instruction in code[]; records ascend by pc */
    uint32_t object; /* index into objects[] */
} VcodeOrigin;

typedef enum VcodeTypeKind {
    VCODE_TYPE_VOID = 1,
    VCODE_TYPE_BOOL,
    VCODE_TYPE_CHAR,
    VCODE_TYPE_SIGNED,
    VCODE_TYPE_UNSIGNED,
    VCODE_TYPE_FLOAT,
    VCODE_TYPE_COMPLEX,
    VCODE_TYPE_POINTER,
    VCODE_TYPE_ARRAY,
    VCODE_TYPE_STRUCT,
    VCODE_TYPE_UNION,
    VCODE_TYPE_ENUM,
    VCODE_TYPE_FUNCTION,
    VCODE_TYPE_TYPEDEF,
} VcodeTypeKind;

typedef struct VcodeType {
    uint32_t kind; /* VcodeTypeKind */
    uint32_t name; /* "unsigned int", a tag or a typedef name; may be the empty string. For an ARRAY of variable length:
                      name of the hidden variable that holds the length */
    uint64_t size; /* bytes */
    uint32_t target; /* pointee, element, return or aliased type: index into types[], or VCODE_NONE */
    uint32_t first;  /* first record in members[]: members of a struct, union or enum; parameters of a function */
    uint32_t count;  /* number of members; for an ARRAY: number of elements */
    uint32_t pad;
} VcodeType;

/* A member of a struct or union, an enumerator, or a parameter of a function. */
typedef struct VcodeMember {
    uint32_t name;
    uint32_t type;      /* index into types[]; VCODE_NONE for an enumerator */
    int64_t value;      /* byte offset; for an enumerator: its value */
    uint8_t bit_offset; /* bit-field: its first bit within the unit at `value` */
    uint8_t bit_width;  /* 0: not a bit-field */
    uint16_t pad0;
    uint32_t pad1;
} VcodeMember;

/* Every table of a module: TABLE(field, record type). The sections of a file have the same order. */
#define VCODE_TABLES(TABLE)                                                                                            \
    TABLE(strings, char)                                                                                               \
    TABLE(code, VcodeInstr)                                                                                            \
    TABLE(constants, uint64_t)                                                                                         \
    TABLE(functions, VcodeFunction)                                                                                    \
    TABLE(externs, VcodeExtern)                                                                                        \
    TABLE(switches, VcodeSwitch)                                                                                       \
    TABLE(targets, uint32_t)                                                                                           \
    TABLE(rodata, uint8_t)                                                                                             \
    TABLE(data, uint8_t)                                                                                               \
    TABLE(symbols, VcodeSymbol)                                                                                        \
    TABLE(relocs, VcodeReloc)                                                                                          \
    TABLE(files, uint32_t)                                                                                             \
    TABLE(lines, VcodeLine)                                                                                            \
    TABLE(inlines, VcodeInline)                                                                                        \
    TABLE(variables, VcodeVariable)                                                                                    \
    TABLE(places, VcodePlace)                                                                                          \
    TABLE(objects, VcodeObject)                                                                                        \
    TABLE(origins, VcodeOrigin)                                                                                        \
    TABLE(types, VcodeType)                                                                                            \
    TABLE(members, VcodeMember)

/* A growable table with records items[0..count). It grows by vcode_push() or vcode_push_many(). The records of
 * functions[] ascend by code_start and do not overlap; those of lines[] ascend by pc. */
#define VCODE_TABLE_FIELD(field, record)                                                                               \
    struct {                                                                                                           \
        record *items;                                                                                                 \
        uint32_t count;                                                                                                \
        uint32_t capacity;                                                                                             \
    } field; /* NOLINT(bugprone-macro-parentheses) */

/* An object or a program, in memory. */
typedef struct VcodeModule {
    VcodeModuleKind kind;
    uint32_t entry;     /* program: index of the start function in functions[] */
    uint64_t bss_bytes; /* size of the bss section */
    uint64_t data_base; /* program: address of data[0]; a multiple of 16 */
    VCODE_TABLES(VCODE_TABLE_FIELD)
    GHashTable *string_index;   /* used while building: string -> offset; NULL until needed */
    GHashTable *constant_index; /* used while building: value -> index; NULL until needed */
    GHashTable *file_index;     /* used while building: string offset -> index; NULL until needed */
    uint64_t *file_bytes;       /* content of the file it was read from, or NULL; tables of capacity 0 point into it */
} VcodeModule;

/* Appends one zeroed record to a table and returns its address. The address is valid until the next push. */
#define vcode_push(module, field)                                                                                      \
    (vcode_module_grow_((void **)&(module)->field.items, &(module)->field.count, &(module)->field.capacity,            \
                        sizeof *(module)->field.items, 1),                                                             \
     &(module)->field.items[(module)->field.count - 1])
/* Appends `n` zeroed records to a table and returns the address of the first. */
#define vcode_push_many(module, field, n)                                                                              \
    (vcode_module_grow_((void **)&(module)->field.items, &(module)->field.count, &(module)->field.capacity,            \
                        sizeof *(module)->field.items, (n)),                                                           \
     &(module)->field.items[(module)->field.count - (n)])
/* Grows a table for vcode_push() and vcode_push_many(): adds `more` zeroed records of `record` bytes. */
void vcode_module_grow_(void **items, uint32_t *count, uint32_t *capacity, size_t record, uint32_t more);

/* -- module functions -------------------------------------------------------------------------- */

VcodeModule *vcode_module_new(VcodeModuleKind kind);
void vcode_module_free(VcodeModule *module);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(VcodeModule, vcode_module_free)

/* Returns the offset of `text` in the string table. Adds the text if it is not there yet. */
uint32_t vcode_string(VcodeModule *module, const char *text);
/* Returns the string at `offset`, or "" for VCODE_NONE. The module owns it. */
static inline const char *vcode_text(const VcodeModule *module, uint32_t offset)
{
    if (offset == VCODE_NONE)
        return "";
    g_assert(offset < module->strings.count);
    return &module->strings.items[offset];
}
/* Returns the index of a 64-bit constant. An equal constant is shared, unless `fresh` asks for one of its own (for a
 * constant that a relocation fills). */
uint32_t vcode_constant(VcodeModule *module, uint64_t value, bool fresh);
/* Returns the index of `path` in files[]. Adds the path if it is not there yet. */
uint32_t vcode_source_file(VcodeModule *module, const char *path);

/* Appends the records of `object` to `into`, and renumbers all references in them. Resolves no symbols. */
void vcode_join_object(VcodeModule *into, const VcodeModule *object);

#define VCODE_ERROR (vcode_error_quark())
GQuark vcode_error_quark(void);
typedef enum VcodeError {
    VCODE_ERROR_IO,      /* the host refused to read or write */
    VCODE_ERROR_FORMAT,  /* not a vCode file, truncated, or damaged */
    VCODE_ERROR_VERSION, /* the file has another version */
    VCODE_ERROR_VERIFY,  /* well formed but unsafe to run */
} VcodeError;

/* Writes the module atomically (temporary file, then rename), so it never leaves half a file. If `interpreter` is not
 * NULL, the file starts with "#!interpreter\n" and is made executable. */
bool vcode_file_write(const VcodeModule *module, const char *path, const char *interpreter, GError **error);
/* Returns the bytes of such a file, for vcode_file_read_bytes(). The caller frees them with g_bytes_unref(). */
GBytes *vcode_file_bytes(const VcodeModule *module);
/* Reads and checks a file: magic, version, section bounds, checksum, every index in every record. The module that it
 * returns is safe to walk, but not yet safe to run (see vcode_verify()). Returns NULL on failure. Free the module with
 * vcode_module_free(). */
VcodeModule *vcode_file_read(const char *path, GError **error);
/* Reads and checks a module from a copy of `bytes`, like vcode_file_read(). `name` is the module's name in messages. */
VcodeModule *vcode_file_read_bytes(const void *bytes, size_t size, const char *name, GError **error);
/* Returns the checksum that the header of a file holds. It covers the whole file with the checksum field set to 0.
 * `size` is a multiple of 8. */
uint64_t vcode_file_checksum(const uint8_t *bytes, size_t size);
/* Returns whether the file starts like a vCode file (a shebang line may come first). False if it cannot be read. */
bool vcode_file_is_vcode(const char *path);
/* Returns whether the file starts like a linked program. False if it cannot be read. */
bool vcode_file_is_program(const char *path);
/* Returns whether the bytes start like a vCode file. */
bool vcode_file_is_vcode_bytes(const void *bytes, size_t size);

/* Checks that a run of the program cannot leave its frames, code or tables: opcodes, registers, branch targets (inside
 * the function, at the start of a block), call and constant indices, switch tables, last instruction. On failure
 * `error` names the function, the instruction and the reason. O(code). */
bool vcode_verify(const VcodeModule *program, GError **error);

/* -- looking things up ------------------------------------------------------------------------- */

/* Returns the index of the function that contains instruction `pc`, or VCODE_NONE. O(log functions). */
uint32_t vcode_pc_function(const VcodeModule *module, uint32_t pc);
/* Returns the line entry that covers `pc`, or NULL. O(log lines). */
const VcodeLine *vcode_pc_line(const VcodeModule *module, uint32_t pc);
/* Returns the innermost expansion of an inlined function that contains `pc`, or VCODE_NONE. O(log lines). */
uint32_t vcode_pc_inlined(const VcodeModule *module, uint32_t pc);
/* Returns whether expansion `inner` is `outer` or lies within it. */
bool vcode_inline_within(const VcodeModule *module, uint32_t inner, uint32_t outer);
/* Returns the number of expansions around `inlined`, itself included; 0 for VCODE_NONE. */
uint32_t vcode_inline_depth(const VcodeModule *module, uint32_t inlined);
/* Returns the path of files[index], or "?" for VCODE_NONE. */
const char *vcode_source_name(const VcodeModule *module, uint32_t index);
/* Returns the text of files[index] in lines, and their number in `count`. Returns NULL unless it is an ordinary file
 * that can be read. The caller frees the lines with g_strfreev(). */
char **vcode_source_lines(const VcodeModule *module, uint32_t index, uint32_t *count);

/* -- disassembler ------------------------------------------------------------------------------ */

/* Appends one instruction as text ("add.w r3, r1, r2"), with the names of callees and the meaning of constants where
 * known. Accepts damaged code. */
void vcode_disassemble_instruction(const VcodeModule *module, uint32_t pc, GString *out);
/* Appends the text of the whole module: header, functions, labels, data, symbols. With `source`, the source lines are
 * quoted where their files can be read. */
void vcode_disassemble(const VcodeModule *module, bool source, GString *out);
/* Appends the manual page of the instruction set, docs/vcode.md. It is made from instructions.def and costs.def. */
void vcode_manual(GString *out);

#endif
