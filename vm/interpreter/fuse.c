/* fuse.c - finds where the sequences of fused.def fit in a decoded program. Their first instructions get the handlers
 * of whole sequences. A row fits if its instructions are there and its names can be bound to their registers, one to
 * each. Blocks of wide cost and branches that a predictor watches end in other instructions (VmOp) and never fit. */
#include "vm/interpreter/fused.h"
#include "vm/interpreter/interpreter.h"

#include <string.h>

enum { NAMES = 3 * VM_LONGEST_FUSED };

typedef struct Step {
    uint8_t op;
    bool computes;
    char names[4]; /* names of the registers in the instruction's fields */
} Step;

typedef struct Sequence {
    Step steps[VM_LONGEST_FUSED];
} Sequence;

static const Sequence sequences[] = {
#define STEP(at, op, names)   {VM_OP_##op, VM_COMPUTES_##op, #names},
#define SEQUENCE(name, steps) {{steps}},
#include "vm/code/fused.def"
};
/* Sequences by their first instruction; each list is in the order of the table. */
typedef struct Sequences {
    uint16_t first[VM_OP_WIDE + 1];
    uint16_t next[G_N_ELEMENTS(sequences)];
} Sequences;
enum { NO_SEQUENCE = UINT16_MAX };

static void sort_sequences(Sequences *sorted)
{
    memset(sorted, UINT8_MAX, sizeof *sorted);
    for (size_t s = G_N_ELEMENTS(sequences); s-- > 0;) {
        uint16_t *first = &sorted->first[sequences[s].steps[0].op];
        sorted->next[s] = *first;
        *first = (uint16_t)s;
    }
}

/* The names of a sequence, bound to registers of the code at hand. */
typedef struct Bound {
    uint32_t named, written; /* bit sets of names: 'a' is bit 0 */
    uint16_t registers[NAMES];
} Bound;

/* Binds a name to a register, or checks its binding. Names stand for different registers, unless none of them is
 * written. */
static bool bind_name(Bound *bound, unsigned place, bool is_first, uint16_t reg)
{
    if (!is_first)
        return bound->registers[place] == reg;
    for (unsigned p = 0; p < place; p++)
        if (bound->named >> p & 1 && bound->registers[p] == reg && (bound->written >> p | bound->written >> place) & 1)
            return false;
    bound->named |= 1u << place;
    bound->registers[place] = reg;
    return true;
}

static uint16_t field(const VmInstr *d, unsigned i)
{
    return i == 0 ? d->a : i == 1 ? d->b : d->c;
}

/* Number of instructions of the sequence if it fits at the start of [code, code + count); 0: it does not. */
static unsigned sequence_fits(const Sequence *s, const uint8_t *ops, const VmInstr *code, uint32_t count)
{
    Bound bound = {0};
    unsigned length = 0;
    for (const Step *step = s->steps; length < VM_LONGEST_FUSED && step->names[0]; step++, length++) {
        if (length == count || step->op != ops[length])
            return 0;
        if (step->computes)
            bound.written |= 1u << (step->names[0] - 'a');
    }
    for (unsigned i = 0; i < 3 * length; i++) {
        char name = s->steps[i / 3].names[i % 3];
        if (name != '_' &&
            !bind_name(&bound, (unsigned)(name - 'a'), name == (char)('a' + i), field(&code[i / 3], i % 3)))
            return 0;
    }
    return length;
}

/* Gives instructions where a sequence begins its handler. Goes backwards from the function's end: each instruction gets
 * the sequence with which the fewest dispatches remain to the end. */
static void fuse_function(VmImage *image, const VcodeFunction *f, const Sequences *sorted, const void *const *handlers)
{
    const uint8_t *ops = image->ops + f->code_start;
    VmInstr *code = image->code + f->code_start;
    g_autofree uint32_t *way = g_new0(uint32_t, f->code_count + 1);
    for (uint32_t i = f->code_count; i-- > 0;) {
        way[i] = way[i + 1] + 1;
        for (uint16_t s = sorted->first[ops[i]]; s != NO_SEQUENCE; s = sorted->next[s]) {
            unsigned length = sequence_fits(&sequences[s], ops + i, code + i, f->code_count - i);
            if (length > 0 && way[i + length] + 1 < way[i]) {
                way[i] = way[i + length] + 1;
                code[i].handler = handlers[VM_OP_WIDE + 1 + s];
            }
        }
    }
}

void vm_fuse(VmImage *image, const void *const *handlers)
{
    Sequences sorted;
    sort_sequences(&sorted);
    for (uint32_t i = 0; i < image->module->functions.count; i++)
        fuse_function(image, &image->module->functions.items[i], &sorted, handlers);
}
