/* loop.h - one interpreter loop; interpreter.c compiles it three times. cases.h has what the instructions do.
 *
 *   LOOP_NAME   the function
 *   LOOP_KIND   LOOP_FAST      dispatch by computed goto, with fused sequences; if `handlers` is given, only fill it in
 *               LOOP_CHECKING  dispatch by computed goto on rank->image->ops, keep shades (vm/check/shades.h) and call
 *                              the access hooks; a case has two places: L_, and BARE_ where its shades have been set
 *               LOOP_CAREFUL   dispatch by switch on rank->image->ops; the same, and call the debugger's hook
 */

#undef CASE
#undef AS
#undef DISPATCH
#undef JUMP
#undef NEXT
#undef SAVE
#undef CLEAR_LOST
#undef LOAD_STATE
#undef LOAD_MEMORY
#undef ACCESS
#undef A
#undef B
#undef C
#undef ELSEWHERE
#undef REFUSED
#undef SHADE
#undef SHADE_SLOWLY
#undef BARE
#undef LOAD_SHADES

/* CASE() begins a case, DISPATCH() goes to that of the instruction at ip. AS() does the running instruction as `what`,
 * whose handler in the fast loop is `handler`. */
#if LOOP_KIND == LOOP_FAST
#define CASE(op) L_##op:
/* NOLINTNEXTLINE(bugprone-macro-parentheses) */
#define DISPATCH()        goto *(ip->handler)
#define AS(what, handler) goto *(handler)
#elif LOOP_KIND == LOOP_CHECKING
#define CASE(op)          L_##op:
#define DISPATCH()        goto *places[ops[ip - code]]
#define AS(what, handler) goto *bare[what]
#else
#define CASE(op)   case VM_OP_##op:
#define DISPATCH() goto dispatch
#define AS(what, handler)                                                                                              \
    do {                                                                                                               \
        op = (what);                                                                                                   \
        goto again;                                                                                                    \
    } while (0)
#endif

/* Sets the shades as the running instruction does before it runs: at once if that is simple. LOAD_SHADES() follows
 * whatever may move registers or their shades. Shades are twice as long as registers, so those of the window R lie
 * twice as far from where shades begin. */
#if LOOP_KIND == LOOP_CHECKING
#define SHADE(op, form)                                                                                                \
    if (UNLIKELY(!vm_shades_step((VmShadesAt){.rank = rank,                                                            \
                                              .shadow = shadow,                                                        \
                                              .ip = ip,                                                                \
                                              .R = R,                                                                  \
                                              .S = (VmShade *)(shades + 2 * (uintptr_t)R),                             \
                                              .frame = frame,                                                          \
                                              .objects = objects,                                                      \
                                              .sp = sp,                                                                \
                                              .data_base = data_base,                                                  \
                                              .limit = limit},                                                         \
                                 VCODE_##op, VCODE_FORM_##form)))                                                      \
    goto shade
#define SHADE_SLOWLY() goto shade
#define BARE(op)       BARE_##op:
#define LOAD_SHADES()  shades = (uintptr_t)shadow->shades - 2 * (uintptr_t)rank->registers
#else
#define SHADE(op, form)
#define SHADE_SLOWLY()
#define BARE(op)
#define LOAD_SHADES()
#endif

/* Goes on at ip after a taken branch or call. A run may stop here. */
#define JUMP()                                                                                                         \
    do {                                                                                                               \
        if (UNLIKELY(fuel <= 0))                                                                                       \
            goto out_of_fuel;                                                                                          \
        DISPATCH();                                                                                                    \
    } while (0)

#define NEXT()                                                                                                         \
    do {                                                                                                               \
        ip++;                                                                                                          \
        DISPATCH();                                                                                                    \
    } while (0)

#define SAVE()                                                                                                         \
    do {                                                                                                               \
        rank->pc = vm_image_pc(rank->image, ip);                                                                       \
        rank->sp = sp;                                                                                                 \
        rank->depth = (uint32_t)(frame - rank->frames) + 1;                                                            \
        rank->clock.cycles = deadline - (uint64_t)fuel;                                                                \
    } while (0)

/* At a VM_OP_LOST: clears the lost registers if control comes from the call before it. */
#define CLEAR_LOST(lost)                                                                                               \
    do {                                                                                                               \
        for (uint32_t r = (lost)->from; frame->call == ip - 1 && r < (lost)->to; r++)                                  \
            R[r] = 0;                                                                                                  \
        frame->call = NULL;                                                                                            \
    } while (0)

/* Reads back all state that an extern, an upcall or growth may have changed. */
#define LOAD_STATE()                                                                                                   \
    do {                                                                                                               \
        ip = rank->image->code + rank->pc;                                                                             \
        sp = rank->sp;                                                                                                 \
        frame = rank->frames + rank->depth - 1;                                                                        \
        R = rank->registers + frame->window;                                                                           \
        fuel = (int64_t)(deadline - rank->clock.cycles);                                                               \
        LOAD_MEMORY();                                                                                                 \
    } while (0)

/* Reads back where the rank's memory lies and how much of it is near. */
#define LOAD_MEMORY()                                                                                                  \
    do {                                                                                                               \
        data_base = rank->near_low;                                                                                    \
        data = rank->memory + data_base;                                                                               \
        limit = rank->near_end - data_base - 7;                                                                        \
        LOAD_SHADES();                                                                                                 \
    } while (0)

/* The running instruction is about to access memory. A hook may charge cycles. */
#if LOOP_KIND == LOOP_FAST
#define ACCESS(address, size, write)
#else
#define ACCESS(address, size, write)                                                                                   \
    if (rank->watches) {                                                                                               \
        SAVE();                                                                                                        \
        if (UNLIKELY(!vm_memory_ask(rank, address, size, write)))                                                      \
            return VM_STOP_FAULT;                                                                                      \
        fuel = (int64_t)(deadline - rank->clock.cycles);                                                               \
    }
#endif

/* Operands of the running instruction. */
#define A (R[ip->a])
#define B (R[ip->b])
#define C (R[ip->c])

/* The slow way of an access that is not near. `find` looks up its host address. */
#define ELSEWHERE(find)                                                                                                \
    {                                                                                                                  \
        SAVE();                                                                                                        \
        host = find(rank, address, sizeof value);                                                                      \
        if (!host)                                                                                                     \
            return stop_of(rank);                                                                                      \
        LOAD_MEMORY();                                                                                                 \
    }

#define REFUSED(refusal, op)                                                                                           \
    {                                                                                                                  \
        SAVE();                                                                                                        \
        refuse_division(rank, refusal, op);                                                                            \
        return VM_STOP_FAULT;                                                                                          \
    }

#if LOOP_KIND == LOOP_FAST
static VmStop LOOP_NAME(VmRank *rank, uint64_t quantum, const void **handlers)
#else
VmStop LOOP_NAME(VmRank *rank, uint64_t quantum)
#endif
{
#if LOOP_KIND == LOOP_CHECKING
    static const void *const places[VM_OP_COUNT] = {
#define PLACE(label)                                                   [VM_OP_##label] = &&L_##label,
#define INSTRUCTION(name, mnemonic, form, cost, result, kind, meaning) PLACE(name)
#include "vcode/instructions.def"
#define ANY_PLACE(name, shift)     PLACE(ANY_##name)
#define BRANCH_PLACE(name, second) PLACE(PREDICTED_##name)
#define JUMP_PLACE(name)           PLACE(PREDICTED_##name)
        VM_INDEXED(ANY_PLACE) VM_PREDICTED_BRANCHES(BRANCH_PLACE) VM_PREDICTED_JUMPS(JUMP_PLACE) PLACE(LOST) PLACE(WIDE)
#undef PLACE
    };
    static const void *const bare[VM_OP_COUNT] = {
#define PLACE(label)                                                   [VM_OP_##label] = &&BARE_##label,
#define INSTRUCTION(name, mnemonic, form, cost, result, kind, meaning) PLACE(name)
#include "vcode/instructions.def"
        VM_INDEXED(ANY_PLACE) VM_PREDICTED_BRANCHES(BRANCH_PLACE) VM_PREDICTED_JUMPS(JUMP_PLACE) PLACE(LOST) PLACE(WIDE)
#undef PLACE
#undef ANY_PLACE
#undef BRANCH_PLACE
#undef JUMP_PLACE
    };
    VmShadow *const shadow = rank->shadow;
    const VmInstr *const code = rank->image->code;
    const uint8_t *const ops = rank->image->ops;
    const VcodeObject *const objects = rank->image->module->objects.items;
    uintptr_t shades;
    _Static_assert(sizeof(VmShade) == 2 * sizeof(uint64_t), "see LOAD_SHADES()");
#elif LOOP_KIND == LOOP_FAST
    static const void *const places[VM_OP_COUNT] = {
#define PLACE(label)                                                   &&L_##label,
#define INSTRUCTION(name, mnemonic, form, cost, result, kind, meaning) PLACE(name)
#include "vcode/instructions.def"
#define ANY_PLACE(name, shift)     PLACE(ANY_##name)
        VM_INDEXED(ANY_PLACE)
#define BRANCH_PLACE(name, second) PLACE(PREDICTED_##name)
#define JUMP_PLACE(name)           PLACE(PREDICTED_##name)
            VM_PREDICTED_BRANCHES(BRANCH_PLACE) VM_PREDICTED_JUMPS(JUMP_PLACE) PLACE(DIRECT) PLACE(NATIVE) PLACE(LOST)
                PLACE(WIDE)
#define SEQUENCE(name, steps)      PLACE(name)
#include "vm/code/fused.def"
#undef PLACE
#undef ANY_PLACE
#undef BRANCH_PLACE
#undef JUMP_PLACE
    };
    if (UNLIKELY(handlers)) {
        memcpy(handlers, places, sizeof places);
        return VM_STOP_QUANTUM;
    }
#endif
    if (UNLIKELY(rank->state != VM_STATE_READY))
        return stop_of(rank);
    const VmFunction *const functions = rank->image->functions;
    const uint64_t deadline = rank->clock.cycles + (uint64_t)fuel_of(quantum);
    const VmInstr *ip;
    uint64_t *R;
    VmCallFrame *frame;
    uint8_t *data;
    uint64_t sp, data_base, limit;
    int64_t fuel;
    LOAD_STATE();
#if LOOP_KIND != LOOP_CAREFUL
    DISPATCH();
#else
    unsigned op;
dispatch:
    op = rank->image->ops[vm_image_pc(rank->image, ip)];
    if (UNLIKELY(rank->segments)) {
        SAVE();
        if (!vm_shared_step(rank, ip, R)) /* before anybody sees the instruction, who should see it only once */
            return VM_STOP_REQUEST;
    }
    if (rank->hook && vm_bit(rank->hook_points, vm_image_pc(rank->image, ip))) {
        SAVE();
        if (!rank->hook_passed && rank->hook(rank, rank->pc, rank->hook_user)) {
            rank->hook_passed = true;
            return VM_STOP_HOOK;
        }
        rank->hook_passed = false;
    }
    if (UNLIKELY(rank->stepped)) {
        VmMeterFace *face = vm_meter_face(rank);
        if (LIKELY(face && face->within && face->cycles == deadline - (uint64_t)fuel)) {
            face->pc = vm_image_pc(rank->image, ip);
            face->within = !vm_meter_ends(rank->image, face->pc);
        } else {
            SAVE();
            vm_meter_step(rank);
        }
    }
    if (rank->image->decoded)
        fuel -= (int64_t)vm_out_of_order_step(rank, vm_image_pc(rank->image, ip), frame->window, R,
                                              deadline - (uint64_t)fuel);
    if (rank->shadow) {
        SAVE();
        if (UNLIKELY(!vm_shadow_step(rank, ip, R)))
            return VM_STOP_FAULT;
    }
again:
    switch (op) {
#endif

#define INSTRUCTION(name, mnemonic, form, cost, result, kind, meaning)                                                 \
    CASE(name)                                                                                                         \
    {                                                                                                                  \
        SHADE(name, form);                                                                                             \
        BARE(name)                                                                                                     \
        DO_##name;                                                                                                     \
        NEXT();                                                                                                        \
    }
#include "vcode/instructions.def"

#define ANY_CASE(name, shift)                                                                                          \
    CASE(ANY_##name)                                                                                                   \
    {                                                                                                                  \
        SHADE(name, STOREX); /* or LOADX */                                                                            \
        BARE(ANY_##name)                                                                                               \
        DO_ANY_##name;                                                                                                 \
        NEXT();                                                                                                        \
    }
    VM_INDEXED(ANY_CASE)
#undef ANY_CASE

#define BRANCH_CASE(name, second)                                                                                      \
    CASE(PREDICTED_##name)                                                                                             \
    {                                                                                                                  \
        SHADE_SLOWLY();                                                                                                \
        BARE(PREDICTED_##name)                                                                                         \
        PREDICTED_BRANCH(vcode_do_##name(A, second));                                                                  \
        NEXT();                                                                                                        \
    }
#define JUMP_CASE(name)                                                                                                \
    CASE(PREDICTED_##name)                                                                                             \
    {                                                                                                                  \
        SHADE_SLOWLY();                                                                                                \
        BARE(PREDICTED_##name)                                                                                         \
        DO_PREDICTED_##name;                                                                                           \
        NEXT();                                                                                                        \
    }
    VM_PREDICTED_BRANCHES(BRANCH_CASE)
    VM_PREDICTED_JUMPS(JUMP_CASE)
#undef BRANCH_CASE
#undef JUMP_CASE

#if LOOP_KIND == LOOP_FAST
    CASE(DIRECT)
    {
        if (rank->brief && deadline - (uint64_t)fuel - rank->clock.base_cycles < VERY_BRIEF)
            goto *places[rank->image->ops[vm_image_pc(rank->image, ip)]];
        const void *entry = __atomic_load_n(&ip->direct, __ATOMIC_ACQUIRE);
        if (UNLIKELY(!entry))
            entry = vm_direct_make(rank->image, ip);
        if (UNLIKELY(!entry))
            goto *places[rank->image->ops[vm_image_pc(rank->image, ip)]];
        VmDirectStay stay = {.registers = R,
                             .frame = frame,
                             .data = data,
                             .data_base = data_base,
                             .limit = limit,
                             .fuel = fuel,
                             .sp = sp,
                             .stack_low = rank->stack_low,
                             .rank = rank,
                             .deadline = deadline,
                             .frame_end = rank->frame_end,
                             .register_end = rank->register_end,
                             .code = rank->image->code};
        VmDirectEnd end = vm_direct_enter(rank->image, &stay, entry);
        ip = stay.ip;
        frame = stay.frame;
        R = stay.registers;
        fuel = stay.fuel;
        sp = stay.sp;
        if (end == VM_DIRECT_CALLED) { /* as in CALLX */
            if (stay.result != VM_CALL_JUMPED)
                return stop_of(rank);
            LOAD_STATE();
            JUMP();
        }
        LOAD_MEMORY();
        if (end == VM_DIRECT_DO)
            goto *places[rank->image->ops[vm_image_pc(rank->image, ip)]];
        if (end == VM_DIRECT_ARRIVED)
            JUMP();
        DISPATCH();
    }

    CASE(NATIVE)
    {
        const VmNativeCode *code = __atomic_load_n(&rank->image->native, __ATOMIC_ACQUIRE);
        const Way *way = __atomic_load_n(&code->ways[vm_image_pc(rank->image, ip)], __ATOMIC_ACQUIRE);
        SAVE();
        if (UNLIKELY(rank->image->ops[rank->pc] == VM_OP_LOST))
            CLEAR_LOST(vm_image_lost(rank->image, rank->pc));
        uint64_t cycles = rank->clock.cycles - rank->clock.base_cycles; /* cycles since the rank last communicated */
        if (rank->brief && cycles < VM_BRIEF_RUN)
            goto *places[rank->image->ops[vm_image_pc(rank->image, ip)]];
        if (LIKELY(way && vm_native_ready(rank, code, way, fuel))) {
            uint64_t result;
            VmNativeEnd end = vm_native_enter(rank, code, way, &fuel, &result);
            if (end == VM_NATIVE_RETURNED) { /* as in RETURN */
                frame = rank->frames + rank->depth - 1;
                R = rank->registers + frame->window;
                R[0] = result;
                rank->clock.cycles = deadline - (uint64_t)fuel;
                if (UNLIKELY(frame->outermost))
                    return vm_frames_leave(rank, result);
                sp = frame->entry_sp;
                frame--;
                ip = frame->call;
                R = rank->registers + frame->window;
                limit = rank->near_end - data_base - 7;
                NEXT();
            }
            if (UNLIKELY(rank->state != VM_STATE_READY))
                return stop_of(rank);
            LOAD_STATE();
            if (end == VM_NATIVE_AGAIN)
                DISPATCH();
        } else if (rank->nested && cycles > LONG_IN_NEST) {
            vm_nest_leave(rank);
            LOAD_MEMORY();
        }
        goto *places[rank->image->ops[vm_image_pc(rank->image, ip)]];
    }
#endif

    CASE(LOST)
    {
        SHADE_SLOWLY();
        BARE(LOST)
        const VmLost *lost = vm_image_lost(rank->image, vm_image_pc(rank->image, ip));
        CLEAR_LOST(lost);
        AS(lost->op, places[lost->op]);
    }

    CASE(WIDE)
    {
        SHADE_SLOWLY();
        BARE(WIDE)
        const VmWideCost *wide = vm_image_wide_cost(rank->image, vm_image_pc(rank->image, ip));
        fuel -= (int64_t)wide->cost;
        AS(wide->op, wide->handler);
    }

#if LOOP_KIND == LOOP_CHECKING
shade:
    SAVE();
    if (UNLIKELY(!vm_shadow_step(rank, ip, R)))
        return VM_STOP_FAULT;
    LOAD_SHADES();
    goto *bare[rank->image->ops[rank->pc]];
#elif LOOP_KIND == LOOP_FAST
#include "vm/interpreter/fused_cases.h"
#else
default: g_assert_not_reached();
}
#endif

out_of_fuel:
    SAVE();
    return VM_STOP_QUANTUM;
}
