/* loop.h - the interpreter's cases, written once and compiled twice by interpreter.c (see there).
 *
 *   LOOP_NAME      the function
 *   LOOP_THREADED  1: dispatch by computed goto; with `handlers` it only tells where its cases are
 *                  0: dispatch by switch, and ask the debugger's hook
 *
 * A case reads its operands as A, B, C (registers) and ip->fields, and ends in NEXT, in a jump, or in one of
 * the ways out at the bottom. Whatever calls out of the loop first SAVEs, so that faults name this instruction.
 */

#undef A
#undef B
#undef C
#undef CASE
#undef DISPATCH
#define A (R[ip->a])
#define B (R[ip->b])
#define C (R[ip->c])

#if LOOP_THREADED
#define CASE(op)   L_##op:
#define DISPATCH() goto *(void *)((char *)&&L_NOP + ip->handler)
#else
#define CASE(op)   case VM_OP_##op:
#define DISPATCH() goto dispatch
#endif

#undef NEXT
#define NEXT()                                                                                                         \
    do {                                                                                                               \
        ip++;                                                                                                          \
        DISPATCH();                                                                                                    \
    } while (0)

#undef SAVE
#define SAVE()                                                                                                         \
    do {                                                                                                               \
        rank->pc = (uint32_t)(ip - code);                                                                              \
        rank->sp = sp;                                                                                                 \
        rank->depth = (uint32_t)(frame - rank->frames) + 1;                                                            \
        rank->clock.cycles = deadline - (uint64_t)fuel;                                                                \
    } while (0)

/* Reads everything back that an extern, an upcall or growth may have changed. */
#undef LOAD_STATE
#define LOAD_STATE()                                                                                                   \
    do {                                                                                                               \
        ip = code + rank->pc;                                                                                          \
        sp = rank->sp;                                                                                                 \
        frame = rank->frames + rank->depth - 1;                                                                        \
        R = rank->registers + frame->window;                                                                           \
        fuel = (int64_t)(deadline - rank->clock.cycles);                                                               \
        limit = rank->heap_end - data_base - 7;                                                                        \
    } while (0)

#undef OP
#define OP(name, expression)                                                                                           \
    CASE(name)                                                                                                         \
    {                                                                                                                  \
        A = (expression);                                                                                              \
        NEXT();                                                                                                        \
    }

#undef DIVISION
#define DIVISION(name, by_zero, overflow, remainder, expression)                                                       \
    CASE(name)                                                                                                         \
    {                                                                                                                  \
        if (UNLIKELY((by_zero) || (overflow))) {                                                                       \
            SAVE();                                                                                                    \
            refuse_division(rank, by_zero, remainder);                                                                 \
            return VM_STOP_FAULT;                                                                                      \
        }                                                                                                              \
        A = (expression);                                                                                              \
        NEXT();                                                                                                        \
    }

#undef JUMP
#define JUMP()                                                                                                         \
    do {                                                                                                               \
        if (UNLIKELY(fuel <= 0))                                                                                       \
            goto out_of_fuel;                                                                                          \
        DISPATCH();                                                                                                    \
    } while (0)

#undef BRANCH
#define BRANCH(name, condition)                                                                                        \
    CASE(name)                                                                                                         \
    {                                                                                                                  \
        fuel -= ip->cost;                                                                                              \
        if (condition) {                                                                                               \
            ip += ip->target;                                                                                          \
            JUMP();                                                                                                    \
        }                                                                                                              \
        NEXT();                                                                                                        \
    }

/* `limit` is 7 bytes short of the private interval's end, so that one comparison serves every size; the last bytes
 * take the slow way. */
#undef LOAD_
#define LOAD_(name, type, location, conversion)                                                                        \
    CASE(name)                                                                                                         \
    {                                                                                                                  \
        uint64_t address = (location);                                                                                 \
        uint64_t offset = address - data_base;                                                                         \
        const uint8_t *host;                                                                                           \
        type value;                                                                                                    \
        if (UNLIKELY(offset >= limit)) {                                                                               \
            SAVE();                                                                                                    \
            host = read_elsewhere(rank, address, sizeof value);                                                        \
            if (!host)                                                                                                 \
                return VM_STOP_FAULT;                                                                                  \
        } else {                                                                                                       \
            host = data + offset;                                                                                      \
        }                                                                                                              \
        memcpy(&value, host, sizeof value);                                                                            \
        A = (uint64_t)(conversion)value;                                                                               \
        NEXT();                                                                                                        \
    }

#undef STORE_
#define STORE_(name, type, location)                                                                                   \
    CASE(name)                                                                                                         \
    {                                                                                                                  \
        uint64_t address = (location);                                                                                 \
        uint64_t offset = address - data_base;                                                                         \
        uint8_t *host;                                                                                                 \
        type value = (type)A;                                                                                          \
        if (UNLIKELY(offset >= limit)) {                                                                               \
            SAVE();                                                                                                    \
            host = write_elsewhere(rank, address, sizeof value);                                                       \
            if (!host)                                                                                                 \
                return VM_STOP_FAULT;                                                                                  \
        } else {                                                                                                       \
            host = data + offset;                                                                                      \
        }                                                                                                              \
        memcpy(host, &value, sizeof value);                                                                            \
        NEXT();                                                                                                        \
    }

#undef NEAR
#undef INDEXED
#define NEAR    (B + (uint64_t)(int64_t)ip->c_signed)
#define INDEXED (B + (C << ip->n))

#undef SIGNED
#undef IMMEDIATE
#undef U32
#undef S32
#define SIGNED(x) ((int64_t)(x))
#define IMMEDIATE ((int64_t)ip->c_signed)
#define U32(x)    ((uint32_t)(x))
#define S32(x)    ((int32_t)(x))
#undef BRANCH_IMMEDIATE
#define BRANCH_IMMEDIATE ((int64_t)(int16_t)ip->b)

/* A window starts in its caller's window; where it would pass the end of the registers, they grow (and move) first. */
#undef CALL_FUNCTION
#define CALL_FUNCTION(callee)                                                                                          \
    do {                                                                                                               \
        const VmFunction *f = &image->functions[callee];                                                               \
        if (UNLIKELY(&A + f->registers > rank->register_end || frame + 1 >= rank->frame_end)) {                        \
            SAVE();                                                                                                    \
            if (!vm_frames_reserve(rank, (uint32_t)(&A - rank->registers), f->registers))                              \
                return VM_STOP_FAULT;                                                                                  \
            LOAD_STATE();                                                                                              \
        }                                                                                                              \
        fuel -= ip->cost;                                                                                              \
        uint32_t window = frame->window + ip->a;                                                                       \
        frame->pc = (uint32_t)(ip - code);                                                                             \
        R += ip->a;                                                                                                    \
        frame++;                                                                                                       \
        frame->entry_sp = sp;                                                                                          \
        frame->window = window;                                                                                        \
        frame->function = callee;                                                                                      \
        frame->mark = 0;                                                                                               \
        frame->outermost = 0;                                                                                          \
        for (uint32_t r = f->clear_from; UNLIKELY(r < f->clear_to); r++)                                               \
            R[r] = 0;                                                                                                  \
        ip = code + f->start;                                                                                          \
        JUMP();                                                                                                        \
    } while (0)

#undef RETURN
#define RETURN(value)                                                                                                  \
    do {                                                                                                               \
        fuel -= ip->cost;                                                                                              \
        R[0] = (value);                                                                                                \
        if (UNLIKELY(frame->outermost)) {                                                                              \
            SAVE();                                                                                                    \
            return vm_frames_leave(rank, R[0]);                                                                        \
        }                                                                                                              \
        sp = frame->entry_sp;                                                                                          \
        frame--;                                                                                                       \
        ip = code + frame->pc;                                                                                         \
        R -= ip->a;                                                                                                    \
        NEXT();                                                                                                        \
    } while (0)

/* -- */

#if LOOP_THREADED
static VmStop LOOP_NAME(VmRank *rank, uint64_t quantum, int32_t *handlers)
#else
VmStop LOOP_NAME(VmRank *rank, uint64_t quantum)
#endif
{
#if LOOP_THREADED
    if (UNLIKELY(handlers != NULL)) {
        /* Distances, so that the table of a shared object would need no relocation either. */
        static const int32_t distances[VM_OP_COUNT] = {
#define INSTRUCTION(name, mnemonic, form, cost, meaning) (char *)&&L_##name - (char *)&&L_NOP,
#include "vcode/instructions.def"
            (char *)&&L_WIDE - (char *)&&L_NOP,
        };
        memcpy(handlers, distances, sizeof distances);
        return VM_STOP_QUANTUM;
    }
#endif
    if (UNLIKELY(rank->state != VM_STATE_READY))
        return stop_of(rank);
    const VmImage *image = rank->image;
    const VmInstr *const code = image->code;
    const uint64_t data_base = rank->data_base;
    uint8_t *const data = rank->memory + data_base;
    const uint64_t deadline = rank->clock.cycles + (uint64_t)fuel_of(quantum);
    const VmInstr *ip;
    uint64_t *R;
    VmCallFrame *frame;
    uint64_t sp, limit;
    int64_t fuel;
    LOAD_STATE();
#if LOOP_THREADED
    DISPATCH();
#else
    unsigned op;
dispatch:
    op = image->ops[ip - code];
    if (rank->hook && vm_bit(image->statement_starts, (uint32_t)(ip - code))) {
        SAVE();
        if (!rank->hook_passed && rank->hook(rank, rank->pc, rank->hook_user)) {
            rank->hook_passed = true;
            return VM_STOP_HOOK;
        }
        rank->hook_passed = false;
    }
again:
    switch ((VmOp)op) {
#endif

    /* clang-format off */
    CASE(NOP) { NEXT(); }
    OP(MOV, B)
    OP(MOVI, ip->value)
    OP(MOVK, ip->value)
    CASE(CMOV) { if (C) A = B; NEXT(); }

    OP(ADD_W, sext32(U32(B) + U32(C)))
    OP(ADD_UW, U32(B) + U32(C))
    OP(ADD_L, B + C)
    OP(SUB_W, sext32(U32(B) - U32(C)))
    OP(SUB_UW, U32(B) - U32(C))
    OP(SUB_L, B - C)
    OP(MUL_W, sext32(U32(B) * U32(C)))
    OP(MUL_UW, U32(B) * U32(C))
    OP(MUL_L, B * C)
    DIVISION(DIV_W, S32(C) == 0, S32(C) == -1 && S32(B) == INT32_MIN, false, sext32((uint32_t)(S32(B) / S32(C))))
    DIVISION(DIV_UW, U32(C) == 0, false, false, U32(B) / U32(C))
    DIVISION(DIV_L, C == 0, SIGNED(C) == -1 && SIGNED(B) == INT64_MIN, false, (uint64_t)(SIGNED(B) / SIGNED(C)))
    DIVISION(DIV_UL, C == 0, false, false, B / C)
    DIVISION(MOD_W, S32(C) == 0, S32(C) == -1 && S32(B) == INT32_MIN, true, sext32((uint32_t)(S32(B) % S32(C))))
    DIVISION(MOD_UW, U32(C) == 0, false, true, U32(B) % U32(C))
    DIVISION(MOD_L, C == 0, SIGNED(C) == -1 && SIGNED(B) == INT64_MIN, true, (uint64_t)(SIGNED(B) % SIGNED(C)))
    DIVISION(MOD_UL, C == 0, false, true, B % C)
    OP(NEG_W, sext32(-U32(B)))
    OP(NEG_UW, (uint32_t)-U32(B))
    OP(NEG_L, -B)
    OP(NOT_UW, (uint32_t)~U32(B))
    OP(NOT_L, ~B)
    OP(AND, B & C)
    OP(OR, B | C)
    OP(XOR, B ^ C)
    OP(SHL_W, sext32(U32(B) << (C & 31)))
    OP(SHL_UW, U32(B) << (C & 31))
    OP(SHL_L, B << (C & 63))
    OP(SAR_W, (uint64_t)(int64_t)(S32(B) >> (C & 31)))
    OP(SAR_L, (uint64_t)(SIGNED(B) >> (C & 63)))
    OP(SHR_UW, U32(B) >> (C & 31))
    OP(SHR_UL, B >> (C & 63))

    OP(ADDI_W, sext32(U32(B) + U32(IMMEDIATE)))
    OP(ADDI_UW, U32(B) + U32(IMMEDIATE))
    OP(ADDI_L, B + (uint64_t)IMMEDIATE)
    OP(MULI_W, sext32(U32(B) * U32(IMMEDIATE)))
    OP(MULI_UW, U32(B) * U32(IMMEDIATE))
    OP(MULI_L, B * (uint64_t)IMMEDIATE)
    OP(ANDI, B & (uint64_t)IMMEDIATE)
    OP(ORI, B | (uint64_t)IMMEDIATE)
    OP(XORI, B ^ (uint64_t)IMMEDIATE)
    OP(SHLI_W, sext32(U32(B) << (ip->c & 31)))
    OP(SHLI_UW, U32(B) << (ip->c & 31))
    OP(SHLI_L, B << (ip->c & 63))
    OP(SARI_W, (uint64_t)(int64_t)(S32(B) >> (ip->c & 31)))
    OP(SARI_L, (uint64_t)(SIGNED(B) >> (ip->c & 63)))
    OP(SHRI_UW, U32(B) >> (ip->c & 31))
    OP(SHRI_UL, B >> (ip->c & 63))

    OP(SEXT8, (uint64_t)(int64_t)(int8_t)B)
    OP(SEXT16, (uint64_t)(int64_t)(int16_t)B)
    OP(SEXT32, sext32(U32(B)))
    OP(ZEXT8, (uint8_t)B)
    OP(ZEXT16, (uint16_t)B)
    OP(ZEXT32, U32(B))

    OP(CLZ_W, leading_zeros(U32(B)) - 32)
    OP(CLZ_L, leading_zeros(B))
    OP(CTZ_L, trailing_zeros(B))
    OP(POPCNT, (uint64_t)__builtin_popcountll(B))
    OP(BSWAP16, __builtin_bswap16((uint16_t)B))
    OP(BSWAP32, __builtin_bswap32(U32(B)))
    OP(BSWAP64, __builtin_bswap64(B))
    OP(MULH_L, (uint64_t)((__int128)SIGNED(B) * SIGNED(C) >> 64))
    OP(MULH_UL, (uint64_t)((unsigned __int128)B * C >> 64))

    OP(SEQ, B == C)
    OP(SNE, B != C)
    OP(SLT, SIGNED(B) < SIGNED(C))
    OP(SLE, SIGNED(B) <= SIGNED(C))
    OP(SLTU, B < C)
    OP(SLEU, B <= C)
    OP(SEQI, SIGNED(B) == IMMEDIATE)
    OP(SNEI, SIGNED(B) != IMMEDIATE)
    OP(SLTI, SIGNED(B) < IMMEDIATE)
    OP(SLEI, SIGNED(B) <= IMMEDIATE)
    OP(SGTI, SIGNED(B) > IMMEDIATE)
    OP(SGEI, SIGNED(B) >= IMMEDIATE)
    OP(SLTUI, B < (uint64_t)IMMEDIATE)
    OP(SGEUI, B >= (uint64_t)IMMEDIATE)

    OP(ADD_D, from_double(as_double(B) + as_double(C)))
    OP(SUB_D, from_double(as_double(B) - as_double(C)))
    OP(MUL_D, from_double(as_double(B) * as_double(C)))
    OP(DIV_D, from_double(as_double(B) / as_double(C)))
    OP(NEG_D, B ^ UINT64_C(1) << 63)
    OP(ABS_D, B & ~(UINT64_C(1) << 63))
    OP(SQRT_D, from_double(sqrt(as_double(B))))
    OP(ADD_F, from_float(as_float(B) + as_float(C)))
    OP(SUB_F, from_float(as_float(B) - as_float(C)))
    OP(MUL_F, from_float(as_float(B) * as_float(C)))
    OP(DIV_F, from_float(as_float(B) / as_float(C)))
    OP(NEG_F, U32(B) ^ UINT32_C(0x80000000))
    OP(SEQ_D, as_double(B) == as_double(C))
    OP(SNE_D, as_double(B) != as_double(C))
    OP(SLT_D, as_double(B) < as_double(C))
    OP(SLE_D, as_double(B) <= as_double(C))
    OP(SEQ_F, as_float(B) == as_float(C))
    OP(SNE_F, as_float(B) != as_float(C))
    OP(SLT_F, as_float(B) < as_float(C))
    OP(SLE_F, as_float(B) <= as_float(C))

    OP(CVT_D_L, from_double((double)SIGNED(B)))
    OP(CVT_D_UL, from_double((double)B))
    OP(CVT_F_L, from_float((float)SIGNED(B)))
    OP(CVT_F_UL, from_float((float)B))
    OP(CVT_W_D, double_to_w(as_double(B)))
    OP(CVT_L_D, double_to_l(as_double(B)))
    OP(CVT_UL_D, double_to_ul(as_double(B)))
    OP(CVT_D_F, from_double((double)as_float(B)))
    OP(CVT_F_D, from_float((float)as_double(B)))

    LOAD_(LD8S, int8_t, NEAR, int64_t)
    LOAD_(LD8U, uint8_t, NEAR, uint64_t)
    LOAD_(LD16S, int16_t, NEAR, int64_t)
    LOAD_(LD16U, uint16_t, NEAR, uint64_t)
    LOAD_(LD32S, int32_t, NEAR, int64_t)
    LOAD_(LD32U, uint32_t, NEAR, uint64_t)
    LOAD_(LD64, uint64_t, NEAR, uint64_t)
    STORE_(ST8, uint8_t, NEAR)
    STORE_(ST16, uint16_t, NEAR)
    STORE_(ST32, uint32_t, NEAR)
    STORE_(ST64, uint64_t, NEAR)
    LOAD_(LDX8S, int8_t, INDEXED, int64_t)
    LOAD_(LDX8U, uint8_t, INDEXED, uint64_t)
    LOAD_(LDX16S, int16_t, INDEXED, int64_t)
    LOAD_(LDX16U, uint16_t, INDEXED, uint64_t)
    LOAD_(LDX32S, int32_t, INDEXED, int64_t)
    LOAD_(LDX32U, uint32_t, INDEXED, uint64_t)
    LOAD_(LDX64, uint64_t, INDEXED, uint64_t)
    STORE_(STX8, uint8_t, INDEXED)
    STORE_(STX16, uint16_t, INDEXED)
    STORE_(STX32, uint32_t, INDEXED)
    STORE_(STX64, uint64_t, INDEXED)
    OP(LEAX, INDEXED)
    /* clang-format on */

    CASE(BCOPY)
    {
        SAVE();
        if (UNLIKELY(!copy_block(rank, A, B, ip->value)))
            return VM_STOP_FAULT;
        NEXT();
    }
    CASE(BZERO)
    {
        SAVE();
        if (UNLIKELY(!clear_block(rank, A, ip->value)))
            return VM_STOP_FAULT;
        NEXT();
    }

    /* -- the memory stack -- */

    CASE(ENTER)
    {
        if (UNLIKELY(ip->value > sp - rank->stack_low)) {
            SAVE();
            refuse_stack(rank, ip->value);
            return VM_STOP_FAULT;
        }
        sp -= ip->value;
        A = sp;
        NEXT();
    }
    CASE(ALLOCA)
    {
        uint64_t room = sp - rank->stack_low; /* a multiple of 16, as both are */
        if (UNLIKELY(B > room)) {
            SAVE();
            refuse_stack(rank, B);
            return VM_STOP_FAULT;
        }
        sp -= (B + 15) & ~UINT64_C(15);
        A = sp;
        NEXT();
    }
    OP(GETSP, sp)
    CASE(SETSP)
    {
        SAVE();
        if (UNLIKELY(!sp_is_own(rank, frame, A))) {
            vm_rank_fault(rank, VM_FAULT_STACK_OVERFLOW, A, "the saved stack pointer of a block has been overwritten");
            return VM_STOP_FAULT;
        }
        sp = A;
        NEXT();
    }

    /* -- control -- */

    CASE(JMP)
    {
        fuel -= ip->cost;
        ip += ip->target;
        JUMP();
    }
    CASE(FALL)
    {
        fuel -= ip->cost;
        NEXT();
    }
    /* clang-format off */
    BRANCH(BEQ, A == B)
    BRANCH(BNE, A != B)
    BRANCH(BLT, SIGNED(A) < SIGNED(B))
    BRANCH(BLE, SIGNED(A) <= SIGNED(B))
    BRANCH(BLTU, A < B)
    BRANCH(BLEU, A <= B)
    BRANCH(BEQI, SIGNED(A) == BRANCH_IMMEDIATE)
    BRANCH(BNEI, SIGNED(A) != BRANCH_IMMEDIATE)
    BRANCH(BLTI, SIGNED(A) < BRANCH_IMMEDIATE)
    BRANCH(BLEI, SIGNED(A) <= BRANCH_IMMEDIATE)
    BRANCH(BGTI, SIGNED(A) > BRANCH_IMMEDIATE)
    BRANCH(BGEI, SIGNED(A) >= BRANCH_IMMEDIATE)
    BRANCH(BLTUI, A < (uint64_t)BRANCH_IMMEDIATE)
    BRANCH(BGEUI, A >= (uint64_t)BRANCH_IMMEDIATE)
    BRANCH(BEQ_D, as_double(A) == as_double(B))
    BRANCH(BNE_D, as_double(A) != as_double(B))
    BRANCH(BLT_D, as_double(A) < as_double(B))
    BRANCH(BLE_D, as_double(A) <= as_double(B))
    BRANCH(BNLT_D, !(as_double(A) < as_double(B)))
    BRANCH(BNLE_D, !(as_double(A) <= as_double(B)))
    /* clang-format on */

    CASE(SWITCH)
    {
        const VmSwitch *table = &image->switches[ip->target];
        uint64_t entry = A - table->low;
        fuel -= ip->cost;
        ip = code + (entry < table->count ? table->targets[entry] : table->default_target);
        JUMP();
    }
    CASE(JMPR)
    {
        const VmFunction *f = &image->functions[frame->function];
        uint64_t entry = A - VCODE_LABEL_BASE;
        if (UNLIKELY(entry >= f->count || !vm_bit(image->block_starts, f->start + (uint32_t)entry))) {
            SAVE();
            vm_rank_fault(rank, VM_FAULT_BAD_JUMP, A, "a computed goto to 0x%" G_GINT64_MODIFIER "x, which is no label",
                          A);
            return VM_STOP_FAULT;
        }
        fuel -= ip->cost;
        ip = code + f->start + entry;
        JUMP();
    }

    /* -- calls -- */

    CASE(CALLI)
    {
        uint32_t callee = vm_image_function(image, B);
        if (UNLIKELY(callee == VCODE_NONE || image->functions[callee].parameters != (uint32_t)ip->target)) {
            SAVE();
            vm_fault_function(rank, B, (unsigned)ip->target);
            return VM_STOP_FAULT;
        }
        CALL_FUNCTION(callee);
    }
    CASE(CALL)
    {
        CALL_FUNCTION((uint32_t)ip->target);
    }
    CASE(CALLX)
    {
        fuel -= ip->cost;
        SAVE();
        switch (vm_frames_call_extern(rank, (uint32_t)ip->target, &A, ip->b)) {
        case VM_CALL_DONE:
            fuel = (int64_t)(deadline - rank->clock.cycles);
            limit = rank->heap_end - data_base - 7;
            NEXT();
        case VM_CALL_JUMPED: LOAD_STATE(); JUMP();
        case VM_CALL_REQUEST: return VM_STOP_REQUEST;
        case VM_CALL_FAULT: return VM_STOP_FAULT;
        case VM_CALL_EXIT: return VM_STOP_EXITED;
        }
        g_assert_not_reached();
    }
    CASE(RETV)
    {
        RETURN(0);
    }
    CASE(RET)
    {
        RETURN(A);
    }
    CASE(TRAP)
    {
        fuel -= ip->cost;
        SAVE();
        raise_trap(rank, ip->target);
        return VM_STOP_FAULT;
    }
    CASE(WIDE)
    {
        const VmWideCost *wide = wide_cost(image, (uint32_t)(ip - code));
        fuel -= (int64_t)wide->cost;
#if LOOP_THREADED
        goto *(void *)((char *)&&L_NOP + wide->handler);
#else
        op = wide->op;
        goto again;
#endif
    }
#if !LOOP_THREADED
case VM_OP_COUNT: break;
}
g_assert_not_reached();
#endif

out_of_fuel:
    SAVE();
    return VM_STOP_QUANTUM;
}
