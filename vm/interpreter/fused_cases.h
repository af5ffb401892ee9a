/* fused_cases.h - the cases of fused sequences (fused.def), in the middle of the threaded loop.
 *
 * Such a case keeps the registers that its instructions share in local variables, `values`, which the compiler keeps in
 * the processor's registers. So the next instruction gets a result without a way through memory, and a register that is
 * written twice is stored once. Names of registers and indices in `values` correspond: `a` to `c` are the first
 * instruction's operands, `d` to `f` the second's ...
 *
 * Registers written so far (`changed`) are stored after the last instruction, and before every instruction that does
 * something other than write a register: store, jump, call, charge. So at any moment everything behind `restart` can be
 * done again from the registers as they are. What is uncommon (memory that is not near, a division that traps) is left
 * to the ordinary cases, from `restart` on. `values`, `changed`, `first` and `restart` are constants at compile time,
 * so little of the text below is left in the code.
 */
#undef A
#undef B
#undef C
#undef ELSEWHERE
#undef REFUSED
#define A (*x)
#define B (*y)
#define C (*z)
#define ELSEWHERE(find)                                                                                                \
    {                                                                                                                  \
        ip = restart;                                                                                                  \
        goto alone;                                                                                                    \
    }
#define REFUSED(refusal, op) ELSEWHERE()

/* Index in `values` of operand `i` of an instruction whose registers have these names. */
#define PLACE_OF(names, i) (#names[i] == '_' ? 0 : #names[i] - 'a')
/* Whether the operand is the first in the sequence with this name. */
#define FIRST_NAMED(place, names, i) (#names[i] == 'a' + (place) + (i))

#define STORE_CHANGED_OF(at)                                                                                           \
    {                                                                                                                  \
        if (changed >> (3 * (at)) & 1)                                                                                 \
            R[first[at].a] = values[3 * (at)];                                                                         \
        if (changed >> (3 * (at) + 1) & 1)                                                                             \
            R[first[at].b] = values[3 * (at) + 1];                                                                     \
        if (changed >> (3 * (at) + 2) & 1)                                                                             \
            R[first[at].c] = values[3 * (at) + 2];                                                                     \
    }
#define STORE_CHANGED()                                                                                                \
    {                                                                                                                  \
        STORE_CHANGED_OF(0)                                                                                            \
        STORE_CHANGED_OF(1)                                                                                            \
        STORE_CHANGED_OF(2)                                                                                            \
        STORE_CHANGED_OF(3)                                                                                            \
        STORE_CHANGED_OF(4)                                                                                            \
        STORE_CHANGED_OF(5)                                                                                            \
        STORE_CHANGED_OF(6)                                                                                            \
        STORE_CHANGED_OF(7)                                                                                            \
        changed = 0;                                                                                                   \
    }

#define STEP(at, op, names)                                                                                            \
    {                                                                                                                  \
        if (FIRST_NAMED(3 * (at), names, 0))                                                                           \
            values[3 * (at)] = R[ip->a];                                                                               \
        if (FIRST_NAMED(3 * (at), names, 1))                                                                           \
            values[3 * (at) + 1] = R[ip->b];                                                                           \
        if (FIRST_NAMED(3 * (at), names, 2))                                                                           \
            values[3 * (at) + 2] = R[ip->c];                                                                           \
        uint64_t *const x = &values[PLACE_OF(names, 0)];                                                               \
        uint64_t *const y = &values[PLACE_OF(names, 1)];                                                               \
        uint64_t *const z = &values[PLACE_OF(names, 2)];                                                               \
        (void)x, (void)y, (void)z;                                                                                     \
        if (VM_COMPUTES_##op) {                                                                                        \
            changed |= 1u << PLACE_OF(names, 0);                                                                       \
        } else {                                                                                                       \
            STORE_CHANGED()                                                                                            \
            restart = ip;                                                                                              \
        }                                                                                                              \
        DO_##op;                                                                                                       \
        ip++;                                                                                                          \
        if (!VM_COMPUTES_##op)                                                                                         \
            restart = ip;                                                                                              \
    }

#define SEQUENCE(name, steps)                                                                                          \
    L_##name:                                                                                                          \
    {                                                                                                                  \
        uint64_t values[3 * VM_LONGEST_FUSED];                                                                         \
        unsigned changed = 0;                                                                                          \
        const VmInstr *const first = ip;                                                                               \
        const VmInstr *restart G_GNUC_UNUSED = ip;                                                                     \
        steps STORE_CHANGED() DISPATCH();                                                                              \
    }
#include "vm/code/fused.def"

/* clang-format off */
alone:
    goto *places[rank->image->ops[vm_image_pc(rank->image, ip)]];
/* clang-format on */

#undef STEP
#undef STORE_CHANGED
#undef STORE_CHANGED_OF
#undef FIRST_NAMED
#undef PLACE_OF
