/* cases.h - what each vCode instruction does: DO_name for every row of instructions.def, in its order.
 *
 * arithmetic.def has what purely computing instructions do. A body reads its operands as A, B, C (registers of the
 * running frame, or their values in a fused sequence) and ip->fields. Behind the body the loop goes on with the next
 * instruction. Bodies are macros, so that the loop can be compiled twice and fused.def can join several bodies in one
 * case. Each body changes no loop state but `ip`, so the next one finds its own operands.
 *
 * A body that calls out of the loop first does SAVE, so that a fault names this instruction. A, B, C, JUMP, SAVE,
 * LOAD_STATE, ACCESS and the slow ways of accesses (ELSEWHERE) and divisions (REFUSED) are in loop.h.
 */
#ifndef ORRERY_VM_CASES_H
#define ORRERY_VM_CASES_H

/* clang-format off */
#define WINDOW (R + ip->a)
#define IMMEDIATE ((int64_t)ip->c_signed)
#define BRANCH_IMMEDIATE ((int64_t)(int16_t)ip->b)
#define NEAR (B + (uint64_t)(int64_t)ip->c_signed)
#define INDEXED (B + (C << ip->n))
#define SCALED(shift) (B + (C << (shift)))

/* -- schemes ----------------------------------------------------------------------------------- */

#define DIVIDE(name)                                                                                                   \
    {                                                                                                                  \
        VcodeRefusal refusal = vcode_refuses_##name(B, C);                                                             \
        if (UNLIKELY(refusal != VCODE_DIVIDES))                                                                        \
            REFUSED(refusal, VCODE_##name)                                                                             \
        A = vcode_do_##name(B, C);                                                                                     \
    }

#define BRANCH(condition)                                                                                              \
    {                                                                                                                  \
        fuel -= ip->cost;                                                                                              \
        if (condition) {                                                                                               \
            ip += ip->target;                                                                                          \
            JUMP();                                                                                                    \
        }                                                                                                              \
    }

/* A branch that a predictor watches. */
#define PREDICTED_BRANCH(condition)                                                                                    \
    {                                                                                                                  \
        bool taken = (condition);                                                                                      \
        rank->clock.cycles = deadline - (uint64_t)fuel;                                                                \
        fuel -= (int64_t)ip->cost + vm_predictor_branch(rank, vm_image_pc(rank->image, ip), taken);                      \
        if (taken) {                                                                                                   \
            ip += ip->target;                                                                                          \
            JUMP();                                                                                                    \
        }                                                                                                              \
    }

/* `limit` is 7 bytes short of the private interval's end, so one comparison serves every size. Accesses to the last
 * bytes and to constants take the slow way. */
#define LOAD(type, location, conversion)                                                                               \
    {                                                                                                                  \
        uint64_t address = (location);                                                                                 \
        uint64_t offset = address - data_base;                                                                         \
        const uint8_t *host;                                                                                           \
        type value;                                                                                                    \
        ACCESS(address, sizeof value, false)                                                                           \
        if (UNLIKELY(offset >= limit))                                                                                 \
            ELSEWHERE(read_elsewhere)                                                                                  \
        else                                                                                                           \
            host = data + offset;                                                                                      \
        memcpy(&value, host, sizeof value);                                                                            \
        A = (uint64_t)(conversion)value;                                                                               \
    }

#define STORE(type, location)                                                                                          \
    {                                                                                                                  \
        uint64_t address = (location);                                                                                 \
        uint64_t offset = address - data_base;                                                                         \
        uint8_t *host;                                                                                                 \
        type value = (type)A;                                                                                          \
        ACCESS(address, sizeof value, true)                                                                            \
        if (UNLIKELY(offset >= limit))                                                                                 \
            ELSEWHERE(write_elsewhere)                                                                                 \
        else                                                                                                           \
            host = data + offset;                                                                                      \
        memcpy(host, &value, sizeof value);                                                                            \
    }

/* -- moves ------------------------------------------------------------------------------------- */

#define DO_NOP      
#define DO_MOV      A = B
#define DO_MOVI     A = ip->value
#define DO_MOVK     A = ip->value
#define DO_CMOV     { if (C) A = B; }

/* -- integers ---------------------------------------------------------------------------------- */

#define DO_ADD_W      A = vcode_do_ADD_W(B, C)
#define DO_ADD_UW     A = vcode_do_ADD_UW(B, C)
#define DO_ADD_L      A = vcode_do_ADD_L(B, C)
#define DO_SUB_W      A = vcode_do_SUB_W(B, C)
#define DO_SUB_UW     A = vcode_do_SUB_UW(B, C)
#define DO_SUB_L      A = vcode_do_SUB_L(B, C)
#define DO_MUL_W      A = vcode_do_MUL_W(B, C)
#define DO_MUL_UW     A = vcode_do_MUL_UW(B, C)
#define DO_MUL_L      A = vcode_do_MUL_L(B, C)
#define DO_DIV_W      DIVIDE(DIV_W)
#define DO_DIV_UW     DIVIDE(DIV_UW)
#define DO_DIV_L      DIVIDE(DIV_L)
#define DO_DIV_UL     DIVIDE(DIV_UL)
#define DO_MOD_W      DIVIDE(MOD_W)
#define DO_MOD_UW     DIVIDE(MOD_UW)
#define DO_MOD_L      DIVIDE(MOD_L)
#define DO_MOD_UL     DIVIDE(MOD_UL)
#define DO_NEG_W      A = vcode_do_NEG_W(B)
#define DO_NEG_UW     A = vcode_do_NEG_UW(B)
#define DO_NEG_L      A = vcode_do_NEG_L(B)
#define DO_NOT_UW     A = vcode_do_NOT_UW(B)
#define DO_NOT_L      A = vcode_do_NOT_L(B)
#define DO_AND        A = vcode_do_AND(B, C)
#define DO_OR         A = vcode_do_OR(B, C)
#define DO_XOR        A = vcode_do_XOR(B, C)
#define DO_SHL_W      A = vcode_do_SHL_W(B, C)
#define DO_SHL_UW     A = vcode_do_SHL_UW(B, C)
#define DO_SHL_L      A = vcode_do_SHL_L(B, C)
#define DO_SAR_W      A = vcode_do_SAR_W(B, C)
#define DO_SAR_L      A = vcode_do_SAR_L(B, C)
#define DO_SHR_UW     A = vcode_do_SHR_UW(B, C)
#define DO_SHR_UL     A = vcode_do_SHR_UL(B, C)
#define DO_ADDI_W     A = vcode_do_ADDI_W(B, IMMEDIATE)
#define DO_ADDI_UW    A = vcode_do_ADDI_UW(B, IMMEDIATE)
#define DO_ADDI_L     A = vcode_do_ADDI_L(B, IMMEDIATE)
#define DO_MULI_W     A = vcode_do_MULI_W(B, IMMEDIATE)
#define DO_MULI_UW    A = vcode_do_MULI_UW(B, IMMEDIATE)
#define DO_MULI_L     A = vcode_do_MULI_L(B, IMMEDIATE)
#define DO_ANDI       A = vcode_do_ANDI(B, IMMEDIATE)
#define DO_ORI        A = vcode_do_ORI(B, IMMEDIATE)
#define DO_XORI       A = vcode_do_XORI(B, IMMEDIATE)
#define DO_SHLI_W     A = vcode_do_SHLI_W(B, IMMEDIATE)
#define DO_SHLI_UW    A = vcode_do_SHLI_UW(B, IMMEDIATE)
#define DO_SHLI_L     A = vcode_do_SHLI_L(B, IMMEDIATE)
#define DO_SARI_W     A = vcode_do_SARI_W(B, IMMEDIATE)
#define DO_SARI_L     A = vcode_do_SARI_L(B, IMMEDIATE)
#define DO_SHRI_UW    A = vcode_do_SHRI_UW(B, IMMEDIATE)
#define DO_SHRI_UL    A = vcode_do_SHRI_UL(B, IMMEDIATE)
#define DO_SEXT8      A = vcode_do_SEXT8(B)
#define DO_SEXT16     A = vcode_do_SEXT16(B)
#define DO_SEXT32     A = vcode_do_SEXT32(B)
#define DO_ZEXT8      A = vcode_do_ZEXT8(B)
#define DO_ZEXT16     A = vcode_do_ZEXT16(B)
#define DO_ZEXT32     A = vcode_do_ZEXT32(B)
#define DO_CLZ_W      A = vcode_do_CLZ_W(B)
#define DO_CLZ_L      A = vcode_do_CLZ_L(B)
#define DO_CTZ_L      A = vcode_do_CTZ_L(B)
#define DO_POPCNT     A = vcode_do_POPCNT(B)
#define DO_BSWAP16    A = vcode_do_BSWAP16(B)
#define DO_BSWAP32    A = vcode_do_BSWAP32(B)
#define DO_BSWAP64    A = vcode_do_BSWAP64(B)
#define DO_MULH_L     A = vcode_do_MULH_L(B, C)
#define DO_MULH_UL    A = vcode_do_MULH_UL(B, C)
#define DO_SEQ        A = vcode_do_SEQ(B, C)
#define DO_SNE        A = vcode_do_SNE(B, C)
#define DO_SLT        A = vcode_do_SLT(B, C)
#define DO_SLE        A = vcode_do_SLE(B, C)
#define DO_SLTU       A = vcode_do_SLTU(B, C)
#define DO_SLEU       A = vcode_do_SLEU(B, C)
#define DO_SEQI       A = vcode_do_SEQI(B, IMMEDIATE)
#define DO_SNEI       A = vcode_do_SNEI(B, IMMEDIATE)
#define DO_SLTI       A = vcode_do_SLTI(B, IMMEDIATE)
#define DO_SLEI       A = vcode_do_SLEI(B, IMMEDIATE)
#define DO_SGTI       A = vcode_do_SGTI(B, IMMEDIATE)
#define DO_SGEI       A = vcode_do_SGEI(B, IMMEDIATE)
#define DO_SLTUI      A = vcode_do_SLTUI(B, IMMEDIATE)
#define DO_SGEUI      A = vcode_do_SGEUI(B, IMMEDIATE)

/* -- floating point ---------------------------------------------------------------------------- */

#define DO_ADD_D      A = vcode_do_ADD_D(B, C)
#define DO_SUB_D      A = vcode_do_SUB_D(B, C)
#define DO_MUL_D      A = vcode_do_MUL_D(B, C)
#define DO_DIV_D      A = vcode_do_DIV_D(B, C)
#define DO_NEG_D      A = vcode_do_NEG_D(B)
#define DO_ABS_D      A = vcode_do_ABS_D(B)
#define DO_SQRT_D     A = vcode_do_SQRT_D(B)
#define DO_ADD_F      A = vcode_do_ADD_F(B, C)
#define DO_SUB_F      A = vcode_do_SUB_F(B, C)
#define DO_MUL_F      A = vcode_do_MUL_F(B, C)
#define DO_DIV_F      A = vcode_do_DIV_F(B, C)
#define DO_NEG_F      A = vcode_do_NEG_F(B)
#define DO_SEQ_D      A = vcode_do_SEQ_D(B, C)
#define DO_SNE_D      A = vcode_do_SNE_D(B, C)
#define DO_SLT_D      A = vcode_do_SLT_D(B, C)
#define DO_SLE_D      A = vcode_do_SLE_D(B, C)
#define DO_SEQ_F      A = vcode_do_SEQ_F(B, C)
#define DO_SNE_F      A = vcode_do_SNE_F(B, C)
#define DO_SLT_F      A = vcode_do_SLT_F(B, C)
#define DO_SLE_F      A = vcode_do_SLE_F(B, C)
#define DO_CVT_D_L    A = vcode_do_CVT_D_L(B)
#define DO_CVT_D_UL   A = vcode_do_CVT_D_UL(B)
#define DO_CVT_F_L    A = vcode_do_CVT_F_L(B)
#define DO_CVT_F_UL   A = vcode_do_CVT_F_UL(B)
#define DO_CVT_W_D    A = vcode_do_CVT_W_D(B)
#define DO_CVT_L_D    A = vcode_do_CVT_L_D(B)
#define DO_CVT_UL_D   A = vcode_do_CVT_UL_D(B)
#define DO_CVT_D_F    A = vcode_do_CVT_D_F(B)
#define DO_CVT_F_D    A = vcode_do_CVT_F_D(B)

/* -- memory ------------------------------------------------------------------------------------ */

#define DO_LD8S     LOAD(int8_t, NEAR, int64_t)
#define DO_LD8U     LOAD(uint8_t, NEAR, uint64_t)
#define DO_LD16S    LOAD(int16_t, NEAR, int64_t)
#define DO_LD16U    LOAD(uint16_t, NEAR, uint64_t)
#define DO_LD32S    LOAD(int32_t, NEAR, int64_t)
#define DO_LD32U    LOAD(uint32_t, NEAR, uint64_t)
#define DO_LD64     LOAD(uint64_t, NEAR, uint64_t)
#define DO_LDX8S    LOAD(int8_t, SCALED(0), int64_t)
#define DO_LDX8U    LOAD(uint8_t, SCALED(0), uint64_t)
#define DO_LDX16S   LOAD(int16_t, SCALED(1), int64_t)
#define DO_LDX16U   LOAD(uint16_t, SCALED(1), uint64_t)
#define DO_LDX32S   LOAD(int32_t, SCALED(2), int64_t)
#define DO_LDX32U   LOAD(uint32_t, SCALED(2), uint64_t)
#define DO_LDX64    LOAD(uint64_t, SCALED(3), uint64_t)
#define DO_ST8      STORE(uint8_t, NEAR)
#define DO_ST16     STORE(uint16_t, NEAR)
#define DO_ST32     STORE(uint32_t, NEAR)
#define DO_ST64     STORE(uint64_t, NEAR)
#define DO_STX8     STORE(uint8_t, SCALED(0))
#define DO_STX16    STORE(uint16_t, SCALED(1))
#define DO_STX32    STORE(uint32_t, SCALED(2))
#define DO_STX64    STORE(uint64_t, SCALED(3))
#define DO_LEAX     A = INDEXED
#define DO_ANY_LDX8S    LOAD(int8_t, INDEXED, int64_t)
#define DO_ANY_LDX8U    LOAD(uint8_t, INDEXED, uint64_t)
#define DO_ANY_LDX16S   LOAD(int16_t, INDEXED, int64_t)
#define DO_ANY_LDX16U   LOAD(uint16_t, INDEXED, uint64_t)
#define DO_ANY_LDX32S   LOAD(int32_t, INDEXED, int64_t)
#define DO_ANY_LDX32U   LOAD(uint32_t, INDEXED, uint64_t)
#define DO_ANY_LDX64    LOAD(uint64_t, INDEXED, uint64_t)
#define DO_ANY_STX8     STORE(uint8_t, INDEXED)
#define DO_ANY_STX16    STORE(uint16_t, INDEXED)
#define DO_ANY_STX32    STORE(uint32_t, INDEXED)
#define DO_ANY_STX64    STORE(uint64_t, INDEXED)

#define DO_BCOPY                                                                                                       \
    {                                                                                                                  \
        uint64_t to = A - data_base, from = B - data_base, room = limit + 7 - ip->value;                               \
        ACCESS(B, ip->value, false)                                                                                    \
        ACCESS(A, ip->value, true)                                                                                     \
        if (LIKELY(to < limit && from < limit && ip->value < limit && to <= room && from <= room)) {                   \
            memmove(data + to, data + from, ip->value);                                                                \
        } else {                                                                                                       \
            SAVE();                                                                                                    \
            if (UNLIKELY(!copy_block(rank, A, B, ip->value)))                                                          \
                return stop_of(rank);                                                                                  \
            LOAD_MEMORY();                                                                                             \
        }                                                                                                              \
    }

#define DO_BZERO                                                                                                       \
    {                                                                                                                  \
        ACCESS(A, ip->value, true)                                                                                     \
        SAVE();                                                                                                        \
        if (UNLIKELY(!clear_block(rank, A, ip->value)))                                                                \
            return stop_of(rank);                                                                                      \
        LOAD_MEMORY();                                                                                                 \
    }

/* -- the memory stack -------------------------------------------------------------------------- */

#define DO_ENTER                                                                                                       \
    {                                                                                                                  \
        if (UNLIKELY(ip->value > sp - rank->stack_low)) {                                                              \
            SAVE();                                                                                                    \
            if (!stack_has_room(rank, ip->value))                                                                      \
                return VM_STOP_FAULT;                                                                                  \
            LOAD_MEMORY();                                                                                             \
        }                                                                                                              \
        sp -= ip->value;                                                                                               \
        A = sp;                                                                                                        \
    }

#define DO_ALLOCA                                                                                                      \
    {                                                                                                                  \
        uint64_t room = sp - rank->stack_low; /* a multiple of 16, as both are */                                      \
        if (UNLIKELY(B > room)) {                                                                                      \
            SAVE();                                                                                                    \
            if (!stack_has_room(rank, B))                                                                              \
                return VM_STOP_FAULT;                                                                                  \
            LOAD_MEMORY();                                                                                             \
        }                                                                                                              \
        sp -= (B + 15) & ~UINT64_C(15);                                                                                \
        A = sp;                                                                                                        \
    }

#define DO_GETSP    A = sp

#define DO_SETSP                                                                                                       \
    {                                                                                                                  \
        SAVE();                                                                                                        \
        if (UNLIKELY(!sp_is_own(rank, A))) {                                                                           \
            vm_rank_fault(rank, VM_FAULT_STACK_OVERFLOW, A, "the saved stack pointer of a block has been overwritten");\
            return VM_STOP_FAULT;                                                                                      \
        }                                                                                                              \
        sp = A;                                                                                                        \
    }

/* -- control ----------------------------------------------------------------------------------- */

#define DO_JMP                                                                                                         \
    {                                                                                                                  \
        fuel -= ip->cost;                                                                                              \
        ip += ip->target;                                                                                              \
        JUMP();                                                                                                        \
    }

#define DO_FALL     fuel -= ip->cost
#define DO_BEQ        BRANCH(vcode_do_BEQ(A, B))
#define DO_BNE        BRANCH(vcode_do_BNE(A, B))
#define DO_BLT        BRANCH(vcode_do_BLT(A, B))
#define DO_BLE        BRANCH(vcode_do_BLE(A, B))
#define DO_BLTU       BRANCH(vcode_do_BLTU(A, B))
#define DO_BLEU       BRANCH(vcode_do_BLEU(A, B))
#define DO_BEQI       BRANCH(vcode_do_BEQI(A, BRANCH_IMMEDIATE))
#define DO_BNEI       BRANCH(vcode_do_BNEI(A, BRANCH_IMMEDIATE))
#define DO_BLTI       BRANCH(vcode_do_BLTI(A, BRANCH_IMMEDIATE))
#define DO_BLEI       BRANCH(vcode_do_BLEI(A, BRANCH_IMMEDIATE))
#define DO_BGTI       BRANCH(vcode_do_BGTI(A, BRANCH_IMMEDIATE))
#define DO_BGEI       BRANCH(vcode_do_BGEI(A, BRANCH_IMMEDIATE))
#define DO_BLTUI      BRANCH(vcode_do_BLTUI(A, BRANCH_IMMEDIATE))
#define DO_BGEUI      BRANCH(vcode_do_BGEUI(A, BRANCH_IMMEDIATE))
#define DO_BEQ_D      BRANCH(vcode_do_BEQ_D(A, B))
#define DO_BNE_D      BRANCH(vcode_do_BNE_D(A, B))
#define DO_BLT_D      BRANCH(vcode_do_BLT_D(A, B))
#define DO_BLE_D      BRANCH(vcode_do_BLE_D(A, B))
#define DO_BNLT_D     BRANCH(vcode_do_BNLT_D(A, B))
#define DO_BNLE_D     BRANCH(vcode_do_BNLE_D(A, B))

#define DO_SWITCH                                                                                                      \
    {                                                                                                                  \
        const VmSwitch *table = &rank->image->switches[ip->target];                                                    \
        uint64_t entry = A - table->low;                                                                               \
        fuel -= ip->cost;                                                                                              \
        ip = entry < table->count ? table->targets[entry] : table->default_target;                                     \
        JUMP();                                                                                                        \
    }

#define DO_PREDICTED_SWITCH                                                                                            \
    {                                                                                                                  \
        const VmSwitch *all = &rank->image->switches[ip->target];                                                      \
        rank->clock.cycles = deadline - (uint64_t)fuel;                                                                \
        fuel -= vm_predictor_jump(rank, vm_image_pc(rank->image, ip), (uint32_t)MIN(A - all->low, all->count));          \
        DO_SWITCH                                                                                                      \
    }

#define DO_PREDICTED_JMPR                                                                                              \
    {                                                                                                                  \
        rank->clock.cycles = deadline - (uint64_t)fuel;                                                                \
        fuel -= vm_predictor_jump(rank, vm_image_pc(rank->image, ip), (uint32_t)A);                                      \
        DO_JMPR                                                                                                        \
    }

#define DO_PREDICTED_CALLI                                                                                             \
    {                                                                                                                  \
        rank->clock.cycles = deadline - (uint64_t)fuel;                                                                \
        fuel -= vm_predictor_jump(rank, vm_image_pc(rank->image, ip), (uint32_t)B);                                      \
        DO_CALLI                                                                                                       \
    }

#define DO_JMPR                                                                                                        \
    {                                                                                                                  \
        SAVE();                                                                                                        \
        const VmInstr *target = label_at(rank, A);                                                                     \
        if (UNLIKELY(!target))                                                                                         \
            return VM_STOP_FAULT;                                                                                      \
        fuel -= ip->cost;                                                                                              \
        ip = target;                                                                                                   \
        JUMP();                                                                                                        \
    }

/* -- calls ------------------------------------------------------------------------------------- */

/* A callee's window starts inside its caller's window. If it would pass the end of the registers, they grow (and move)
 * first. */
#define CALL_FUNCTION(f)                                                                                               \
    {                                                                                                                  \
        if (UNLIKELY(WINDOW + (f)->registers > rank->register_end || frame + 1 >= rank->frame_end)) {                  \
            SAVE();                                                                                                    \
            if (!vm_frames_reserve(rank, (uint32_t)(WINDOW - rank->registers), (f)->registers))                        \
                return VM_STOP_FAULT;                                                                                  \
            LOAD_STATE();                                                                                              \
        }                                                                                                              \
        fuel -= ip->cost;                                                                                              \
        frame[1].entry_sp = sp;                                                                                        \
        frame[1].mark = 0;                                                                                             \
        frame[1].window = frame->window + ip->a;                                                                       \
        frame[1].outermost = 0;                                                                                        \
        frame->call = ip;                                                                                              \
        frame++;                                                                                                       \
        R += ip->a;                                                                                                    \
        for (uint32_t r = (f)->clear_from; UNLIKELY(r < (f)->clear_to); r++)                                           \
            R[r] = 0;                                                                                                  \
        ip = (f)->entry;                                                                                               \
        JUMP();                                                                                                        \
    }

#define RETURN(value)                                                                                                  \
    {                                                                                                                  \
        fuel -= ip->cost;                                                                                              \
        R[0] = (value);                                                                                                \
        if (UNLIKELY(frame->outermost)) {                                                                              \
            SAVE();                                                                                                    \
            return vm_frames_leave(rank, R[0]);                                                                        \
        }                                                                                                              \
        sp = frame->entry_sp;                                                                                          \
        frame--;                                                                                                       \
        ip = frame->call;                                                                                              \
        R -= ip->a;                                                                                                    \
    }

#define DO_CALL                                                                                                        \
    {                                                                                                                  \
        const VmFunction *callee = &functions[ip->target];                                                             \
        CALL_FUNCTION(callee);                                                                                         \
    }

#define DO_CALLI                                                                                                       \
    {                                                                                                                  \
        uint32_t index = vm_image_function(rank->image, B);                                                            \
        if (UNLIKELY(index == VCODE_NONE || functions[index].shape != ip->c)) {                                        \
            SAVE();                                                                                                    \
            if (index == VCODE_NONE)                                                                                   \
                vm_fault_function(rank, B);                                                                            \
            if (index == VCODE_NONE || !vm_frames_fit(rank, index, (uint32_t)(WINDOW - rank->registers)))              \
                return VM_STOP_FAULT;                                                                                  \
            LOAD_STATE();                                                                                              \
        }                                                                                                              \
        const VmFunction *callee = &functions[index];                                                                  \
        CALL_FUNCTION(callee);                                                                                         \
    }

#define DO_CALLX                                                                                                       \
    {                                                                                                                  \
        fuel -= ip->cost;                                                                                              \
        frame->call = ip;                                                                                              \
        SAVE();                                                                                                        \
        VmCallResult result = vm_frames_call_extern(rank, (uint32_t)ip->target, WINDOW, ip->n);                        \
        if (UNLIKELY(result != VM_CALL_DONE)) {                                                                        \
            if (result != VM_CALL_JUMPED)                                                                              \
                return stop_of(rank);                                                                                  \
            LOAD_STATE();                                                                                              \
            JUMP();                                                                                                    \
        }                                                                                                              \
        if (UNLIKELY(rank->meter))                                                                                     \
            vm_meter_called(rank, rank->clock.cycles - deadline + (uint64_t)fuel);                                     \
        fuel = (int64_t)(deadline - rank->clock.cycles);                                                               \
        LOAD_MEMORY();                                                                                                 \
    }

#define DO_RET      RETURN(A)
#define DO_RETV     RETURN(0)

#define DO_TRAP                                                                                                        \
    {                                                                                                                  \
        fuel -= ip->cost;                                                                                              \
        SAVE();                                                                                                        \
        raise_trap(rank, ip->target);                                                                                  \
        return VM_STOP_FAULT;                                                                                          \
    }

/* clang-format on */
#endif
