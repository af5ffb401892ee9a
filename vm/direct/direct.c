/* direct.c - the direct code of an image: memory for it, making it, entering it.
 *
 * The memory is mapped twice, once to be written and once to be run, so that nothing is both, and code may be added
 * while other threads run what is there. Common to all functions are, at its beginning, the way in and the ways out.
 */
#include "internal.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__x86_64__) && defined(__linux__)
enum { HOST_CAN = true };
#else
enum { HOST_CAN = false };
#endif

enum { BYTES_PER_INSTRUCTION = 160, COMMON_BYTES = 4096 };
enum { MOST_INSTRUCTIONS = 1 << 22 }; /* their distances in bytes, and those of their code, fit into 31 bits */

typedef VmDirectEnd Enter(VmDirectStay *stay, const void *entry);

struct VmDirect {
    GMutex lock;
    bool *tried;     /* by function */
    uint8_t *writes; /* NULL: not mapped yet */
    uint8_t *runs;   /* the same memory, to be run */
    size_t size;
    uint8_t *next; /* in `writes` */
    Common common;
    Enter *enter;
};

_Static_assert(sizeof(VmInstr) == 1u << PC_SHIFT, "an instruction's distance is its index, shifted");

/* -- the way in and the ways out --------------------------------------------------------------- */

typedef struct Kept {
    uint8_t reg;
    uint8_t offset; /* in VmDirectStay */
} Kept;
static const Kept kept[] = {
    {REG_WINDOW, offsetof(VmDirectStay, registers)}, {REG_FRAME, offsetof(VmDirectStay, frame)},
    {REG_DATA, offsetof(VmDirectStay, data)},        {REG_DATA_BASE, offsetof(VmDirectStay, data_base)},
    {REG_LIMIT, offsetof(VmDirectStay, limit)},      {REG_FUEL, offsetof(VmDirectStay, fuel)},
};

/* The host's calling convention wants these back as they were; all but rdi and rsi are in `kept`. */
static void write_enter(X86Text *t)
{
    for (size_t k = 0; k < G_N_ELEMENTS(kept); k++)
        vm_x86_push(t, kept[k].reg);
    for (size_t k = 0; k < G_N_ELEMENTS(kept); k++)
        vm_x86_op(t, X_LOAD, true, kept[k].reg, vm_x86_at(REG_STAY, kept[k].offset));
    vm_x86_immediate(t, X_DO_SUB, true, vm_x86_reg(REG_WINDOW), -WINDOW_BIAS);
    vm_x86_jump_through(t, vm_x86_reg(X_RSI));
}

static void write_save(X86Text *t)
{
    vm_x86_op(t, X_LEA, true, X_RCX, vm_x86_at(REG_WINDOW, -WINDOW_BIAS));
    vm_x86_op(t, X_STORE, true, X_RCX, vm_x86_at(REG_STAY, offsetof(VmDirectStay, registers)));
    vm_x86_op(t, X_STORE, true, REG_FRAME, vm_x86_at(REG_STAY, offsetof(VmDirectStay, frame)));
    vm_x86_op(t, X_STORE, true, REG_FUEL, vm_x86_at(REG_STAY, offsetof(VmDirectStay, fuel)));
}

static void write_end(X86Text *t, VmDirectEnd end, Common *common)
{
    common->distance[end] = t->at;
    vm_x86_op(t, X_ADD, true, X_RAX, vm_x86_at(REG_STAY, offsetof(VmDirectStay, code)));
    common->at[end] = t->at;
    vm_x86_op(t, X_STORE, true, X_RAX, vm_x86_at(REG_STAY, offsetof(VmDirectStay, ip)));
    write_save(t);
    vm_x86_constant(t, X_RAX, end);
    for (size_t k = G_N_ELEMENTS(kept); k-- > 0;)
        vm_x86_pop(t, kept[k].reg);
    vm_x86_return(t);
}

/* Does what CALLX in cases.h does between charging its block and looking at the result. */
static VmCallResult call_extern(VmDirectStay *stay, const VmInstr *ip)
{
    VmRank *rank = stay->rank;
    stay->frame->call = ip;
    rank->pc = vm_image_pc(rank->image, ip);
    rank->sp = stay->sp;
    rank->depth = (uint32_t)(stay->frame - rank->frames) + 1;
    rank->clock.cycles = stay->deadline - (uint64_t)stay->fuel;
    stay->result = vm_frames_call_extern(rank, (uint32_t)ip->target, stay->registers + ip->a, ip->n);
    if (G_UNLIKELY(rank->meter != NULL) && stay->result == VM_CALL_DONE)
        vm_meter_called(rank, rank->clock.cycles - stay->deadline + (uint64_t)stay->fuel);
    stay->fuel = (int64_t)(stay->deadline - rank->clock.cycles);
    stay->data_base = rank->near_low;
    stay->data = rank->memory + rank->near_low;
    stay->limit = rank->near_end - rank->near_low - 7;
    stay->stack_low = rank->stack_low;
    return stay->result;
}

/* The host's stack must be a multiple of 16 where it is called: there are two return addresses, the `kept`, and two
 * more registers. */
static void write_call_extern(X86Text *t, Common *common)
{
    VmCallResult (*called)(VmDirectStay *, const VmInstr *) = call_extern;
    uint64_t address = 0;
    memcpy(&address, &called, sizeof called);
    common->call_extern = t->at;
    write_save(t);
    vm_x86_push(t, REG_STAY);
    vm_x86_push(t, X_RSI);
    vm_x86_constant(t, X_RAX, address);
    vm_x86_call_through(t, X_RAX);
    vm_x86_op(t, X_LOAD, false, X_RCX, vm_x86_reg(X_RAX));
    vm_x86_pop(t, X_RAX);
    vm_x86_pop(t, REG_STAY);
    for (size_t k = 0; k < G_N_ELEMENTS(kept); k++)
        if (kept[k].reg != REG_WINDOW && kept[k].reg != REG_FRAME)
            vm_x86_op(t, X_LOAD, true, kept[k].reg, vm_x86_at(REG_STAY, kept[k].offset));
    vm_x86_immediate(t, X_DO_CMP, false, vm_x86_reg(X_RCX), VM_CALL_DONE);
    vm_x86_return(t); /* in any case: who does not, spoils the processor's guesses at the returns that follow */
}

/* -- memory ------------------------------------------------------------------------------------ */

static void *map(int file, size_t size, int protection)
{
    void *memory = mmap(NULL, size, protection, MAP_SHARED | MAP_NORESERVE, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void unmap(VmDirect *direct)
{
    if (direct->writes)
        munmap(direct->writes, direct->size);
    if (direct->runs)
        munmap(direct->runs, direct->size);
    direct->writes = direct->runs = NULL;
}

/* A file that grows beyond what the host allows files ends the process. */
static bool may_be_file(size_t size)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && size <= limit.rlim_cur;
}

static bool map_twice(VmDirect *direct, size_t size)
{
    int file = may_be_file(size) ? memfd_create("orrery", MFD_CLOEXEC) : -1;
    if (file < 0)
        return false;
    direct->size = size;
    if (ftruncate(file, (off_t)size) == 0) {
        direct->writes = map(file, size, PROT_READ | PROT_WRITE);
        direct->runs = map(file, size, PROT_READ | PROT_EXEC);
    }
    close(file);
    if (!direct->writes || !direct->runs)
        unmap(direct);
    return direct->writes;
}

static const uint8_t *run_address(const VmDirect *direct, const uint8_t *written)
{
    return direct->runs + (written - direct->writes);
}

static bool begin(VmDirect *direct, const VmImage *image)
{
    if (!map_twice(direct, COMMON_BYTES + (size_t)image->module->code.count * BYTES_PER_INSTRUCTION))
        return false;
    X86Text text = {direct->writes};
    write_enter(&text);
    for (int end = VM_DIRECT_DO; end < END_KINDS; end++)
        write_end(&text, (VmDirectEnd)end, &direct->common);
    write_call_extern(&text, &direct->common);
    const uint8_t *enter = direct->runs;
    memcpy(&direct->enter, &enter, sizeof enter); /* ISO C knows no such conversion */
    direct->next = text.at;
    return true;
}

/* -- from outside ------------------------------------------------------------------------------ */

static void direct_free(VmDirect *direct)
{
    unmap(direct);
    g_free(direct->tried);
    g_mutex_clear(&direct->lock);
    g_free(direct);
}

/* Predictors and what is executed out of order are the interpreter's; floating-point flags are, too. */
void vm_direct_prepare(VmImage *image)
{
    if (!HOST_CAN || image->costs.predictor != VM_PREDICTOR_NONE || image->decoded || image->asks_flags ||
        image->module->code.count > MOST_INSTRUCTIONS)
        return;
    image->direct = g_new0(VmDirect, 1);
    image->direct_free = direct_free;
    image->direct->tried = g_new0(bool, image->module->functions.count + 1);
    g_mutex_init(&image->direct->lock);
    for (uint32_t f = 0; f < image->module->functions.count; f++)
        image->code[image->functions[f].start].handler = image->handlers[VM_OP_DIRECT];
}

void vm_direct_forgo(VmImage *image)
{
    if (!image->direct)
        return;
    g_clear_pointer(&image->direct, direct_free);
    for (uint32_t f = 0; f < image->module->functions.count; f++) {
        uint32_t pc = image->functions[f].start;
        image->code[pc].handler = image->handlers[image->ops[pc]];
    }
}

/* Has the interpreter enter here, unless it enters native code. */
static void lead_in(VmImage *image, VmInstr *i, bool useful)
{
    const void *now = __atomic_load_n(&i->handler, __ATOMIC_ACQUIRE);
    const void *own = image->handlers[image->ops[i - image->code]];
    if (useful && now != image->handlers[VM_OP_NATIVE])
        __atomic_compare_exchange_n(&i->handler, &now, image->handlers[VM_OP_DIRECT], false, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED);
    else if (!useful && now == image->handlers[VM_OP_DIRECT])
        __atomic_compare_exchange_n(&i->handler, &now, own, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

static void make(VmImage *image, uint32_t function)
{
    VmDirect *direct = image->direct;
    const VcodeFunction *f = &image->module->functions.items[function];
    VmInstr *code = image->code + f->code_start;
    uint8_t *end = NULL;
    g_autofree DirectEntry *entries = g_new0(DirectEntry, f->code_count);
    if (direct->writes || begin(direct, image))
        end = vm_function_make(image, function, &direct->common, direct->next, direct->writes + direct->size, entries);
    if (!end) {
        lead_in(image, code, false);
        return;
    }
    direct->next = end;
    for (uint32_t k = 0; k < f->code_count; k++) {
        if (!entries[k].text)
            continue;
        __atomic_store_n(&code[k].direct, run_address(direct, entries[k].text), __ATOMIC_RELEASE);
        lead_in(image, &code[k], entries[k].useful);
    }
}

const void *vm_direct_make(VmImage *image, const VmInstr *ip)
{
    VmDirect *direct = image->direct;
    uint32_t pc = vm_image_pc(image, ip), function = vm_image_function_of(image, pc);
    g_mutex_lock(&direct->lock);
    if (!direct->tried[function]) {
        direct->tried[function] = true;
        make(image, function);
    }
    g_mutex_unlock(&direct->lock);
    return __atomic_load_n(&ip->direct, __ATOMIC_ACQUIRE);
}

void vm_direct_withdraw(VmImage *image, uint32_t function)
{
    VmDirect *direct = image->direct;
    const VcodeFunction *f = &image->module->functions.items[function];
    if (!direct)
        return;
    g_mutex_lock(&direct->lock);
    direct->tried[function] = true;
    for (uint32_t pc = f->code_start; pc < f->code_start + f->code_count; pc++) {
        __atomic_store_n(&image->code[pc].direct, NULL, __ATOMIC_RELEASE);
        lead_in(image, &image->code[pc], false);
    }
    g_mutex_unlock(&direct->lock);
}

VmDirectEnd vm_direct_enter(const VmImage *image, VmDirectStay *stay, const void *entry)
{
    return image->direct->enter(stay, entry);
}
