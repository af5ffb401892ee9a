/* remains.c - values that the code does not need any more, but that are still where they were.
 *
 * The compiler records where a variable is as long as its value is needed. An argument is often needed only once, at
 * the beginning; the reader of a report wants to see it later. Its register holds the argument until something else is
 * written there, and the code shows that. The analysis goes forward over the function. A location that the compiler
 * records begins a value. An instruction that writes the register ends it. Where paths meet that do not agree, nothing
 * is known.
 *
 *     remaining(pc) = where the variable is at pc, if the compiler says so; else what all ways to pc agree on
 */
#include "vm/rank/rank.h"
#include "vm/value.h"

#include <string.h>

enum { MOST_CODE = 1 << 20 };
enum { UNSEEN, NOWHERE, FIRST_REGISTER }; /* states; FIRST_REGISTER + r: the variable is in register r */

/* The analysis of one variable in one function. */
typedef struct Remains {
    const VcodeModule *module;
    const VcodeVariable *variable;
    uint32_t start, count;  /* of the function's code */
    uint32_t *state;        /* state before each instruction */
    uint32_t *work, n_work; /* stack of instructions whose state has changed */
    uint32_t going;         /* state behind the instruction that is being looked at */
} Remains;

/* Whether the instruction ends the value in a register: it writes the register, or is a call whose window covers it. */
static bool ends(VcodeInstr i, unsigned reg)
{
    VcodeForm form = vcode_op_info[vcode_op(i)].form;
    if (form == VCODE_FORM_CALL || form == VCODE_FORM_CALLI || form == VCODE_FORM_CALLX)
        return reg >= vcode_a(i);
    return vm_effects(i).written == (int)reg;
}

static void flow(Remains *r, uint32_t pc, uint32_t state)
{
    uint32_t *at = &r->state[pc];
    if (*at == state || *at == NOWHERE)
        return;
    *at = *at == UNSEEN ? state : NOWHERE;
    r->work[r->n_work++] = pc;
}

/* The state that the compiler records at pc, or else the state that has come there. */
static uint32_t stated(const Remains *r, uint32_t pc, uint32_t state)
{
    for (uint32_t i = 0; i < r->variable->count; i++) {
        const VcodePlace *place = &r->module->places.items[r->variable->first + i];
        if (r->start + pc >= place->pc_low && r->start + pc < place->pc_high)
            return FIRST_REGISTER + (uint32_t)place->where;
    }
    return state;
}

static void flow_state(void *user, uint32_t pc)
{
    Remains *r = user;
    flow(r, pc, r->going);
}

static void step(Remains *r, uint32_t pc)
{
    VcodeInstr i = r->module->code.items[r->start + pc];
    r->going = stated(r, pc, r->state[pc]);
    if (r->going >= FIRST_REGISTER && ends(i, r->going - FIRST_REGISTER))
        r->going = NOWHERE;
    vm_code_goes_to(r->module, pc, i, flow_state, r);
}

static bool is_aggregate(uint32_t kind)
{
    return kind == VCODE_TYPE_STRUCT || kind == VCODE_TYPE_UNION || kind == VCODE_TYPE_ARRAY ||
           kind == VCODE_TYPE_COMPLEX;
}

/* Whether the variable's value is in one register at a time. */
static bool is_plain(const VcodeModule *module, const VcodeVariable *variable)
{
    const VcodeType *type = vm_type_record(module, vm_type_strip(module, variable->type));
    if (!type || is_aggregate(type->kind) || variable->location != VCODE_AT_PLACES)
        return false;
    for (uint32_t i = 0; i < variable->count; i++) {
        const VcodePlace *place = &module->places.items[variable->first + i];
        if (place->location != VCODE_AT_REGISTER || place->offset != 0 || place->size != type->size)
            return false;
    }
    return type->size <= 8;
}

static bool has_computed_jumps(const Remains *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (vcode_op(r->module->code.items[r->start + i]) == VCODE_JMPR)
            return true;
    return false;
}

/* State at the function's entry. A parameter of the function itself arrives in the register of its number, behind the
 * address of a result that is a struct. */
static uint32_t on_entry(const Remains *r)
{
    const VcodeFunction *f = &r->module->functions.items[r->variable->function];
    uint32_t before = 0, all = 0;
    for (uint32_t i = 0; i < r->module->variables.count; i++) {
        const VcodeVariable *v = &r->module->variables.items[i];
        if (v->function != r->variable->function || v->inlined != VCODE_NONE || !(v->flags & VCODE_VARIABLE_PARAMETER))
            continue;
        before += v < r->variable;
        all++;
    }
    uint32_t named = f->parameters - (f->flags & VCODE_FUNCTION_VARIADIC ? 1 : 0);
    if (r->variable->inlined != VCODE_NONE || all > named || named > all + 1)
        return NOWHERE;
    return FIRST_REGISTER + before + (named - all);
}

/* Finds the state before each instruction of the function. The caller frees it with release(). */
static void find(Remains *r)
{
    r->state = g_new0(uint32_t, r->count);
    r->work = g_new(uint32_t, 2 * (size_t)r->count + 2); /* an instruction's state changes twice at most */
    flow(r, 0, on_entry(r));
    while (r->n_work)
        step(r, r->work[--r->n_work]);
}

static void release(Remains *r)
{
    g_free(r->state);
    g_free(r->work);
}

static bool is_asked(const Remains *r)
{
    return r->count <= MOST_CODE && is_plain(r->module, r->variable) && !has_computed_jumps(r);
}

static Remains remains_of(const VcodeModule *module, const VcodeVariable *variable)
{
    const VcodeFunction *f = &module->functions.items[variable->function];
    return (Remains){.module = module, .variable = variable, .start = f->code_start, .count = f->code_count};
}

bool vm_remains_registers(const VcodeModule *module, const VcodeVariable *variable, uint32_t *registers)
{
    Remains r = remains_of(module, variable);
    if (!is_asked(&r))
        return false;
    find(&r);
    for (uint32_t pc = 0; pc < r.count; pc++) {
        uint32_t state = stated(&r, pc, r.state[pc]);
        registers[pc] = state >= FIRST_REGISTER ? state - FIRST_REGISTER : VCODE_NONE;
    }
    release(&r);
    return true;
}

bool vm_variable_remains(const VcodeVariable *variable, const VmFrame *frame, const VcodeModule *module, VmValue *value)
{
    if (variable->function != frame->function || variable->inlined != frame->inlined)
        return false;
    Remains r = remains_of(module, variable);
    if (!is_asked(&r))
        return false;
    find(&r);
    uint32_t pc = frame->pc - r.start, state = stated(&r, pc, r.state[pc]);
    release(&r);
    VcodeInstr i = module->code.items[frame->pc];
    if (state < FIRST_REGISTER || (frame->level > 0 && ends(i, state - FIRST_REGISTER)))
        return false;
    *value = (VmValue){.shape = VM_OBJECT, .type = variable->type, .bits = frame->registers[state - FIRST_REGISTER]};
    return true;
}
