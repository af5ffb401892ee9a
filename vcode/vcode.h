/* vcode.h - the vCode format: what the compiler writes and the VM runs.
 *
 * This library sits at the bottom of the house. It owns the instruction set
 * (instructions.def), the cost classes (costs.def), the module in memory, its
 * file form, the verifier and the disassembler. It knows neither C nor MPI nor
 * time. The compiler's linker and the VM's loader both stand on it.
 *
 *   compiler --> VcodeModule (object) --> linker --> VcodeModule (program) --> vm
 *
 * A module is a bundle of flat tables of fixed-width records, so writing it is
 * writing the tables and reading it is checking them. Names are offsets into one
 * string table; record 0 of a table is an ordinary record.
 *
 * Address map of a simulated process, the same for every rank of a program (64-bit
 * addresses, all fixed at link time except the heap):
 *
 *   0x0000_0000 .. 0x0000_ffff   never mapped: null pointers fault
 *   0x0001_0000 = VCODE_RODATA_BASE   constants, shared by all ranks, read-only
 *   D = program->data_base (VCODE_DATA_BASE as linked)
 *                                  initialised data, then bss, private
 *   below D                        stack of VmLimits.stack_bytes, grows down
 *   from the end of bss on         heap, grows up
 *      (Where D is too low for the stack, the stack is behind bss and the heap behind that.)
 *   VCODE_CODE_BASE + 16 * i       address of function i (never readable)
 */
#ifndef ORRERY_VCODE_H
#define ORRERY_VCODE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Version of format and instruction set; files of another version are refused. */
#define VCODE_VERSION 3u

#define VCODE_RODATA_BASE UINT64_C(0x10000)
/* Beyond 32 bits, as on most hosts, so that a pointer squeezed into an int shows here, too. In the middle of a page: a
 * small program's data share it with its stack. */
#define VCODE_DATA_BASE     ((UINT64_C(1) << 36) + 2048)
#define VCODE_CODE_BASE     (UINT64_C(1) << 40)
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

/* What the fields of an instruction hold (r register, i immediate, - zero). */
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
/* Branch distance of forms BRR and BRI. */
static inline int32_t vcode_off24(VcodeInstr i)
{
    return (int32_t)(int8_t)(i >> 8) * 65536 + (int32_t)(i >> 48);
}
/* Byte count of form BLOCK. */
static inline uint32_t vcode_block_bytes(VcodeInstr i)
{
    return vcode_n(i) << 16 | vcode_c(i);
}

/* What an instruction is. Those up to DIVIDE only compute (arithmetic.def) and may be folded where their operands are
 * known. */
typedef enum VcodeKind {
    VCODE_KIND_COMPUTE,
    VCODE_KIND_COMPARE,      /* integers, to 0 or 1 */
    VCODE_KIND_COMPARE_REAL, /* floating-point numbers, to 0 or 1 */
    VCODE_KIND_DIVIDE,       /* integers: may refuse */
    VCODE_KIND_LOAD,
    VCODE_KIND_STORE,
    VCODE_KIND_BRANCH,      /* by comparing integers */
    VCODE_KIND_BRANCH_REAL, /* by comparing floating-point numbers */
    VCODE_KIND_OTHER,
} VcodeKind;

typedef struct VcodeOpInfo {
    const char *mnemonic;
    VcodeForm form;
    VcodeCost cost;
    uint8_t result_bits; /* of R[a] at most, as an integer; 0: it sets none */
    bool result_signed;  /* R[a] is in [-2^(bits-1), 2^(bits-1)), else in [0, 2^bits) */
    VcodeKind kind;
    const char *meaning;
} VcodeOpInfo;

/* One row per VcodeOp, in order. */
extern const VcodeOpInfo vcode_op_info[VCODE_OP_COUNT];

typedef struct VcodeCostInfo {
    const char *name;    /* "FP_ADD" */
    const char *key;     /* config key, NULL where it cannot be set */
    uint32_t default_q8; /* 1/256 cycle */
    const char *help;
} VcodeCostInfo;
extern const VcodeCostInfo vcode_cost_info[VCODE_COST_COUNT];

/* Whether the instruction only computes. */
static inline bool vcode_op_folds(VcodeOp op)
{
    return vcode_op_info[op].kind <= VCODE_KIND_DIVIDE;
}
/* Whether the instruction ends a basic block (class BRANCH, CALL or END). */
bool vcode_op_ends_block(VcodeOp op);

typedef enum VcodeTrap {
    VCODE_TRAP_UNREACHABLE = 1, /* __builtin_unreachable, end of a switch that cannot fall out */
    VCODE_TRAP_ABORT = 2,       /* __builtin_trap */
    VCODE_TRAP_UNDEFINED = 3,   /* undefined behaviour that the compiler saw */
} VcodeTrap;

/* -- module tables ----------------------------------------------------------------------------- */

typedef enum VcodeModuleKind { VCODE_OBJECT = 1, VCODE_PROGRAM = 2 } VcodeModuleKind;

#define VCODE_NONE UINT32_MAX /* "no such record" in any index field */

enum { VCODE_FUNCTION_VARIADIC = 1, VCODE_FUNCTION_LIBRARY = 2 /* from the runtime: steps go over it */ };

typedef struct VcodeFunction {
    uint32_t name;       /* string */
    uint32_t code_start; /* first instruction in code[] */
    uint32_t code_count;
    uint32_t registers;   /* frame size in registers, arguments included; <= VCODE_MAX_REGISTERS */
    uint16_t parameters;  /* registers R[0..parameters) that the caller fills, hidden ones included */
    uint16_t flags;       /* VCODE_FUNCTION_* */
    uint32_t file;        /* index into files[], or VCODE_NONE */
    uint32_t line;        /* of the definition, 1-based, 0 unknown */
    uint32_t return_type; /* index into types[], or VCODE_NONE */
} VcodeFunction;

/* A function of the simulator (C library, MPI) that the program calls by name. */
typedef struct VcodeExtern {
    uint32_t name;
} VcodeExtern;

typedef struct VcodeSwitch {
    int64_t low;    /* value of the first entry */
    uint32_t first; /* first entry in targets[] */
    uint32_t count;
    uint32_t default_target; /* instruction index within the function */
    uint32_t function;       /* the function it belongs to */
} VcodeSwitch;

typedef enum VcodeSection {
    VCODE_SECTION_UNDEFINED, /* symbol is defined elsewhere */
    VCODE_SECTION_FUNCTION,  /* value: index into functions[] */
    VCODE_SECTION_RODATA,    /* value: byte offset */
    VCODE_SECTION_DATA,
    VCODE_SECTION_BSS,
    VCODE_SECTION_COMMON, /* tentative definition; value: alignment */
} VcodeSection;
typedef enum VcodeBinding { VCODE_LOCAL, VCODE_GLOBAL, VCODE_WEAK } VcodeBinding;

typedef struct VcodeSymbol {
    uint32_t name;
    uint8_t section; /* VcodeSection */
    uint8_t binding; /* VcodeBinding */
    uint16_t align;  /* bytes, a power of two; 0 for functions */
    uint64_t value;
    uint64_t size; /* bytes; 0 for functions */
    uint32_t file; /* where it is declared or, if undefined, first used */
    uint32_t line;
    uint32_t type;  /* index into types[], or VCODE_NONE */
    uint32_t alias; /* symbol that this one is another name for, or VCODE_NONE */
} VcodeSymbol;

typedef enum VcodeRelocKind {
    VCODE_RELOC_CALL = 1, /* code[where]: imm32 of call becomes a function; or call becomes callx */
    VCODE_RELOC_CONSTANT, /* constants[where] = address of symbol + addend */
    VCODE_RELOC_DATA,     /* 8 bytes at data offset `where` */
    VCODE_RELOC_RODATA,   /* 8 bytes at rodata offset `where` */
} VcodeRelocKind;

typedef struct VcodeReloc {
    uint32_t kind;
    uint32_t symbol;
    uint64_t where;
    int64_t addend;
    uint32_t file; /* the use, for "undefined reference" */
    uint32_t line;
} VcodeReloc;

/* Debug information. */
typedef struct VcodeLine {
    uint32_t pc;   /* first instruction (index into code[]); entries ascend by pc */
    uint32_t file; /* index into files[] */
    uint32_t line;
    uint16_t column;
    uint16_t flags;   /* VCODE_LINE_* */
    uint32_t inlined; /* index into inlines[] of the innermost expansion that the code belongs to, or VCODE_NONE */
} VcodeLine;
enum {
    VCODE_LINE_STATEMENT = 1, /* a debugger may stop here */
    VCODE_LINE_UNALIGNED = 2, /* the access to memory may be at any address, whatever its size */
};

/* A call that the compiler replaced by the body of the called function. Which code belongs to it, the line table says:
 * it need not be in one piece. Expansions come after those that they are in, and ascend by function. */
typedef struct VcodeInline {
    uint32_t name;      /* string: the function that was called */
    uint32_t function;  /* index into functions[]: where its code is now */
    uint32_t parent;    /* index into inlines[] of the expansion that the call itself was in, or VCODE_NONE */
    uint32_t call_file; /* where the call stands: index into files[], or VCODE_NONE */
    uint32_t call_line;
    uint16_t call_column;
    uint16_t pad;
    uint32_t file; /* of the called function's definition */
    uint32_t line;
} VcodeInline;

typedef enum VcodeLocation {
    VCODE_AT_REGISTER = 1,     /* where: register of the frame */
    VCODE_AT_FRAME,            /* where: byte offset from the register that ENTER set (SP at entry) */
    VCODE_AT_REGISTER_ADDRESS, /* where: register that holds its address (VLA, big parameter) */
    VCODE_AT_DATA,             /* where: symbol index (object) or absolute address (program) */
    VCODE_AT_PLACES,           /* where its places[] say; elsewhere in its scope it is optimised out */
    VCODE_AT_CONSTANT,         /* nowhere: where is its value, in the form that registers have */
} VcodeLocation;

typedef struct VcodeVariable {
    uint32_t name;
    uint32_t type;     /* index into types[] */
    uint32_t function; /* VCODE_NONE for a global */
    uint32_t location; /* VcodeLocation */
    int64_t where;
    uint32_t pc_low; /* scope [pc_low, pc_high), indices into code[] */
    uint32_t pc_high;
    uint32_t line;    /* of the declaration */
    uint32_t flags;   /* VCODE_VARIABLE_PARAMETER, VCODE_VARIABLE_LIBRARY */
    uint32_t inlined; /* the expansion that it is a variable of: index into inlines[], or VCODE_NONE */
    uint32_t first;   /* VCODE_AT_PLACES: its part of places[] */
    uint32_t count;
    uint32_t pad;
} VcodeVariable;
enum { VCODE_VARIABLE_PARAMETER = 1, VCODE_VARIABLE_LIBRARY = 2 /* a global of the runtime */ };

/* Where a variable, or a part of it, is while code in [pc_low, pc_high) runs. */
typedef struct VcodePlace {
    uint32_t pc_low;
    uint32_t pc_high;
    uint32_t location; /* VCODE_AT_REGISTER, VCODE_AT_FRAME, VCODE_AT_REGISTER_ADDRESS */
    uint32_t offset;   /* the part's first byte within the variable */
    uint32_t size;     /* its bytes */
    uint32_t pad;
    int64_t where; /* as in VcodeVariable */
} VcodePlace;

/* Something in memory with an extent of its own, for checks at run time: in objects those of frames, where programs
 * have those of sections too. The objects of a function stand side by side, functions in ascending order. */
typedef struct VcodeObject {
    uint32_t name;     /* string; empty: it has none in C */
    uint32_t type;     /* index into types[], or VCODE_NONE */
    uint32_t function; /* whose frame it is in, or VCODE_NONE */
    uint32_t file;     /* of the declaration: index into files[], or VCODE_NONE */
    uint32_t line;
    uint32_t flags; /* VCODE_OBJECT_* */
    int64_t where;  /* byte offset from SP at entry, or absolute address */
    uint64_t size;
} VcodeObject;
enum {
    VCODE_OBJECT_LIBRARY = 1,   /* of the runtime */
    VCODE_OBJECT_STRING = 2,    /* a string literal */
    VCODE_OBJECT_TEMPORARY = 4, /* of the compiler: arguments, results */
};

/* The instruction computes an address in an object from the frame's register, or loads one: from there on it is an
 * address of this object, wherever it points. */
typedef struct VcodeOrigin {
    uint32_t pc; /* ascending */
    uint32_t object;
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
    uint32_t kind;
    uint32_t name;   /* "unsigned int", tag, typedef name; may be the empty string. Of an ARRAY of variable length: the
                        hidden variable that has it */
    uint64_t size;   /* bytes */
    uint32_t target; /* pointee, element, return or aliased type; VCODE_NONE where there is none */
    uint32_t first;  /* members[] of a struct, union, enum or parameters of a function */
    uint32_t count;  /* number of members; of an ARRAY: elements */
    uint32_t pad;
} VcodeType;

typedef struct VcodeMember {
    uint32_t name;
    uint32_t type;
    int64_t value;      /* byte offset; of an enumerator: its value */
    uint8_t bit_offset; /* bit-field: first bit within the unit at `value` */
    uint8_t bit_width;  /* 0: not a bit-field */
    uint16_t pad0;
    uint32_t pad1;
} VcodeMember;

/* Every table of a module: TABLE(field, record type). File sections come in this order. */
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

/* A growable table: items[0..count). Grow with vcode_push or vcode_push_many. Functions ascend by code_start and do not
 * overlap; lines ascend by pc. */
#define VCODE_TABLE_FIELD(field, record)                                                                               \
    struct {                                                                                                           \
        record *items;                                                                                                 \
        uint32_t count;                                                                                                \
        uint32_t capacity;                                                                                             \
    } field; /* NOLINT(bugprone-macro-parentheses) */

typedef struct VcodeModule {
    VcodeModuleKind kind;
    uint32_t entry; /* program: index of the start function */
    uint64_t bss_bytes;
    uint64_t data_base; /* program: address of data[0]; 16-byte aligned */
    VCODE_TABLES(VCODE_TABLE_FIELD)
    GHashTable *string_index;   /* builder only: string -> offset */
    GHashTable *constant_index; /* builder only: value -> index */
    GHashTable *file_index;     /* builder only: string offset -> index */
    uint64_t *file_bytes;       /* reader only: the file's content; tables of capacity 0 point into it */
} VcodeModule;

/* Appends one zeroed record to a table and returns its address (valid until the next push). */
#define vcode_push(module, field)                                                                                      \
    (vcode_module_grow_((void **)&(module)->field.items, &(module)->field.count, &(module)->field.capacity,            \
                        sizeof *(module)->field.items, 1),                                                             \
     &(module)->field.items[(module)->field.count - 1])
/* Appends `n` zeroed records; returns the first. */
#define vcode_push_many(module, field, n)                                                                              \
    (vcode_module_grow_((void **)&(module)->field.items, &(module)->field.count, &(module)->field.capacity,            \
                        sizeof *(module)->field.items, (n)),                                                           \
     &(module)->field.items[(module)->field.count - (n)])
void vcode_module_grow_(void **items, uint32_t *count, uint32_t *capacity, size_t record, uint32_t more);

/* -- module functions -------------------------------------------------------------------------- */

VcodeModule *vcode_module_new(VcodeModuleKind kind);
void vcode_module_free(VcodeModule *module);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(VcodeModule, vcode_module_free)

/* Offset of `text` in the string table, added once. */
uint32_t vcode_string(VcodeModule *module, const char *text);
/* The string at an offset; "" for VCODE_NONE. The module owns it. */
static inline const char *vcode_text(const VcodeModule *module, uint32_t offset)
{
    if (offset == VCODE_NONE)
        return "";
    g_assert(offset < module->strings.count);
    return &module->strings.items[offset];
}
/* Index of the 64-bit constant, added once unless `fresh` (for constants that a relocation fills). */
uint32_t vcode_constant(VcodeModule *module, uint64_t value, bool fresh);
/* Index in files[] of a path, added once. */
uint32_t vcode_source_file(VcodeModule *module, const char *path);

/* Puts the records of an object behind those of another that is being made, all references renumbered. */
void vcode_join_object(VcodeModule *into, const VcodeModule *object);

#define VCODE_ERROR (vcode_error_quark())
GQuark vcode_error_quark(void);
typedef enum VcodeError {
    VCODE_ERROR_IO,      /* the host refused to read or write */
    VCODE_ERROR_FORMAT,  /* not a vCode file, truncated, or damaged */
    VCODE_ERROR_VERSION, /* another version's file */
    VCODE_ERROR_VERIFY,  /* well formed but unsafe to run */
} VcodeError;

/* Writes atomically (temporary file, then rename): never leaves half a file. With `interpreter` not NULL, the
 * file starts with "#!interpreter\n" and is made executable. */
bool vcode_file_write(const VcodeModule *module, const char *path, const char *interpreter, GError **error);
/* Reads and checks a file: magic, version, section bounds, checksum, every index in every record. What it returns
 * is safe to walk but not yet safe to run (see vcode_verify). */
VcodeModule *vcode_file_read(const char *path, GError **error);
/* The same from memory; `name` is for messages. */
VcodeModule *vcode_file_read_bytes(const void *bytes, size_t size, const char *name, GError **error);
/* The sum that a file's header holds of all of it, taken with 0 in that place; size is a multiple of 8. */
uint64_t vcode_file_checksum(const uint8_t *bytes, size_t size);
/* Whether the file starts like a vCode file (shebang line allowed). False when it cannot be read. */
bool vcode_file_is_vcode(const char *path);
/* Whether it starts like a linked program. */
bool vcode_file_is_program(const char *path);
bool vcode_file_is_vcode_bytes(const void *bytes, size_t size);

/* Checks that running the program cannot leave its frames, code or tables: opcodes, registers, branch targets
 * (inside the function, at the start of a block), call and constant indices, switch tables, last instruction.
 * O(code). Names function, instruction and reason on failure. */
bool vcode_verify(const VcodeModule *program, GError **error);

/* -- looking things up ------------------------------------------------------------------------- */

/* The function that contains instruction `pc`, or VCODE_NONE. O(log functions). */
uint32_t vcode_pc_function(const VcodeModule *module, uint32_t pc);
/* The line entry that covers `pc`, or NULL. O(log lines). */
const VcodeLine *vcode_pc_line(const VcodeModule *module, uint32_t pc);
/* The expansion of an inlined function that `pc` belongs to, or VCODE_NONE. */
uint32_t vcode_pc_inlined(const VcodeModule *module, uint32_t pc);
/* Whether expansion `inner` is `outer` or lies in it. */
bool vcode_inline_within(const VcodeModule *module, uint32_t inner, uint32_t outer);
/* Number of expansions that are around `inlined`, itself included; 0 for VCODE_NONE. */
uint32_t vcode_inline_depth(const VcodeModule *module, uint32_t inlined);
/* The path of files[index], or "?" for VCODE_NONE. */
const char *vcode_source_name(const VcodeModule *module, uint32_t index);
/* The lines of that file, if it is an ordinary file that can be read, else NULL; g_strfreev. */
char **vcode_source_lines(const VcodeModule *module, uint32_t index, uint32_t *count);

/* -- disassembler ------------------------------------------------------------------------------ */

/* Appends one instruction as text ("add.w r3, r1, r2"), with names of callees and constants where known. */
void vcode_disassemble_instruction(const VcodeModule *module, uint32_t pc, GString *out);
/* Prints the whole module: header, functions with source lines, labels, data, symbols. `source` adds the text of the
 * source lines where the files can be read. */
void vcode_disassemble(const VcodeModule *module, bool source, GString *out);
/* Prints the manual page of the instruction set, docs/vcode.md (made from instructions.def and costs.def). */
void vcode_manual(GString *out);

#endif
