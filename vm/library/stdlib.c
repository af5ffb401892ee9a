/* stdlib.c - numbers from text, pseudo-random numbers, and the end of the process (C11 7.22).
 *
 * The host converts numbers, in the C locale. The generators are computed here, per rank, because the host's keep their
 * state globally. They give glibc's sequences:
 *  - random() and rand(): the additive feedback generator x^31 + x^3 + 1, seeded by the "minimal standard" generator of
 *    Park and Miller (CACM 31, 1988), the first 310 values dropped;
 *  - rand_r(): three steps of a 32-bit linear congruential generator;
 *  - drand48() and its family: the 48-bit linear congruential generator that POSIX prescribes.
 */
#include "vm/library/calls.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

/* -- numbers from text ------------------------------------------------------------------------- */

/* Stores the end of the number through the program's pointer args[1], if it is not null. */
static bool store_end(VmRank *rank, const uint64_t *args, const char *text, const char *end)
{
    g_assert(end >= text);
    c_charge(rank, (uint64_t)(end - text));
    if (args[1] == 0)
        return true;
    uint64_t address = args[0] + (uint64_t)(end - text);
    return c_store(1, &address, sizeof address);
}

static VmCallResult convert_integer(VmRank *rank, uint64_t *args, bool is_signed)
{
    const char *text = c_string(0);
    if (!text)
        return VM_CALL_FAULT;
    int base = c_int(args[2]);
    if (base < 0 || base == 1 || base > 36)
        return c_fail(rank, args, EINVAL, 0); /* as in glibc, without storing an end */
    char *end;
    errno = 0;
    uint64_t value = is_signed ? (uint64_t)strtoll(text, &end, base) : strtoull(text, &end, base);
    if (errno)
        vm_library_set_errno(rank, errno);
    return store_end(rank, args, text, end) ? c_return(args, value) : VM_CALL_FAULT;
}

C_FUNCTION(strtol)
{
    return convert_integer(rank, args, true);
}

C_FUNCTION(strtoll)
{
    return convert_integer(rank, args, true);
}

C_FUNCTION(strtoimax)
{
    return convert_integer(rank, args, true);
}

C_FUNCTION(strtoul)
{
    return convert_integer(rank, args, false);
}

C_FUNCTION(strtoull)
{
    return convert_integer(rank, args, false);
}

C_FUNCTION(strtoumax)
{
    return convert_integer(rank, args, false);
}

/* atoi narrows the result of strtol, as in glibc. */
static VmCallResult convert_plain(VmRank *rank, uint64_t *args, bool narrow)
{
    const char *text = c_string(0);
    if (!text)
        return VM_CALL_FAULT;
    char *end;
    int64_t value = strtoll(text, &end, 10);
    c_charge(rank, (uint64_t)(end - text));
    return narrow ? c_return_int(args, (int)value) : c_return(args, (uint64_t)value);
}

C_FUNCTION(atoi)
{
    return convert_plain(rank, args, true);
}

C_FUNCTION(atol)
{
    return convert_plain(rank, args, false);
}

C_FUNCTION(atoll)
{
    return convert_plain(rank, args, false);
}

static double to_double(VmRank *rank, const char *text, char **end)
{
    CLocale locale;
    vm_library_locale_begin(&locale);
    errno = 0;
    double value = strtod(text, end);
    int error = errno;
    vm_library_locale_end(&locale);
    if (error)
        vm_library_set_errno(rank, error);
    return value;
}

C_FUNCTION(strtod)
{
    const char *text = c_string(0);
    if (!text)
        return VM_CALL_FAULT;
    char *end;
    double value = to_double(rank, text, &end);
    return store_end(rank, args, text, end) ? c_return_double(args, value) : VM_CALL_FAULT;
}

C_FUNCTION(strtold)
{
    return vm_library_c_strtod(rank, args);
}

C_FUNCTION(strtof)
{
    const char *text = c_string(0);
    if (!text)
        return VM_CALL_FAULT;
    CLocale locale;
    char *end;
    vm_library_locale_begin(&locale);
    errno = 0;
    float value = strtof(text, &end);
    int error = errno;
    vm_library_locale_end(&locale);
    if (error)
        vm_library_set_errno(rank, error);
    return store_end(rank, args, text, end) ? c_return_float(args, value) : VM_CALL_FAULT;
}

C_FUNCTION(atof)
{
    const char *text = c_string(0);
    if (!text)
        return VM_CALL_FAULT;
    char *end;
    double value = to_double(rank, text, &end);
    c_charge(rank, (uint64_t)(end - text));
    return c_return_double(args, value);
}

/* -- random() and rand() ----------------------------------------------------------------------- */

/* Kinds of generators for initstate(), by the size of the state. Kind 0 is a linear congruential generator. */
static const struct {
    uint8_t degree, separation;
} random_kinds[] = {{1, 0}, {7, 3}, {15, 1}, {31, 3}, {63, 1}};
enum { USUAL_KIND = 3 };

static uint32_t next_random(CRandom *random)
{
    g_assert(random->kind < G_N_ELEMENTS(random_kinds));
    if (random->kind == 0) {
        random->state[0] = (int32_t)(((uint32_t)random->state[0] * 1103515245u + 12345u) & 0x7fffffff);
        return (uint32_t)random->state[0];
    }
    uint8_t degree = random_kinds[random->kind].degree;
    g_assert(random->front < degree && random->rear < degree);
    uint32_t value = (uint32_t)random->state[random->front] + (uint32_t)random->state[random->rear];
    random->state[random->front] = (int32_t)value;
    random->front = (uint8_t)(random->front + 1 == degree ? 0 : random->front + 1);
    random->rear = (uint8_t)(random->rear + 1 == degree ? 0 : random->rear + 1);
    return value >> 1;
}

/* Returns the rank's generator. It is of the usual kind unless initstate() has installed another. */
static CRandom *random_of(VmRank *rank)
{
    CRandom *random = &vm_library_of(rank)->random;
    if (!random->seeded && random->kind == 0)
        random->kind = USUAL_KIND;
    return random;
}

static void seed_random(CRandom *random, uint32_t seed)
{
    int32_t word = seed ? (int32_t)seed : 1;
    uint8_t degree = random_kinds[random->kind].degree;
    random->state[0] = word;
    random->seeded = true;
    if (random->kind == 0)
        return;
    for (int i = 1; i < degree; i++) {
        /* word = 16807 * word mod 2^31 - 1, without overflow (Schrage's method) */
        word = 16807 * (word % 127773) - 2836 * (word / 127773);
        if (word < 0)
            word += INT32_MAX;
        random->state[i] = word;
    }
    random->front = random_kinds[random->kind].separation;
    random->rear = 0;
    for (int i = 0; i < 10 * degree; i++)
        next_random(random);
}

static CRandom *seeded_random(VmRank *rank)
{
    CRandom *random = random_of(rank);
    if (!random->seeded)
        seed_random(random, 1);
    return random;
}

/* The runtime's setstate and initstate: installs a generator of kind args[0] with its words at args[1] and the rear
 * index args[2]. */
C_FUNCTION(__orrery_random_load)
{
    unsigned kind = (unsigned)args[0], rear = (unsigned)args[2];
    if (kind >= G_N_ELEMENTS(random_kinds))
        return c_fail(rank, args, EINVAL, -1);
    uint8_t degree = random_kinds[kind].degree;
    const void *words = c_read(1, degree * sizeof(int32_t));
    if (!words)
        return VM_CALL_FAULT;
    CRandom *random = random_of(rank);
    *random = (CRandom){.seeded = true, .kind = (uint8_t)kind, .rear = (uint8_t)(rear % degree)};
    random->front = (uint8_t)((random->rear + random_kinds[kind].separation) % degree);
    memcpy(random->state, words, degree * sizeof(int32_t));
    return c_return_int(args, 0);
}

/* Stores the words of the present generator at args[0]. Returns 5 * rear + kind, the first word of glibc's states. */
C_FUNCTION(__orrery_random_save)
{
    CRandom *random = seeded_random(rank);
    uint8_t degree = random_kinds[random->kind].degree;
    void *words = c_write(0, degree * sizeof(int32_t));
    if (!words)
        return VM_CALL_FAULT;
    memcpy(words, random->state, degree * sizeof(int32_t));
    return c_return_int(args, 5 * (random->kind ? random->rear : 0) + random->kind);
}

C_FUNCTION(random)
{
    return c_return(args, next_random(seeded_random(rank)));
}

C_FUNCTION(rand)
{
    return vm_library_c_random(rank, args);
}

C_FUNCTION(srandom)
{
    seed_random(random_of(rank), (uint32_t)args[0]);
    return c_return(args, 0);
}

C_FUNCTION(srand)
{
    return vm_library_c_srandom(rank, args);
}

C_FUNCTION(rand_r)
{
    CWord32 *seed = c_write(0, sizeof *seed);
    if (!seed)
        return VM_CALL_FAULT;
    uint32_t next = *seed, result = 0;
    static const struct {
        unsigned shift, bits;
    } parts[] = {{0, 2047}, {10, 1023}, {10, 1023}};
    for (int i = 0; i < 3; i++) {
        next = next * 1103515245u + 12345u;
        uint32_t part = next / 65536 % (parts[i].bits + 1);
        result = result << parts[i].shift ^ part;
    }
    *seed = next;
    return c_return_int(args, (int)result);
}

/* -- drand48() and its family ------------------------------------------------------------------ */

static uint64_t step48(const CRandom48 *random, uint64_t x)
{
    uint64_t a = random->a ? random->a : UINT64_C(0x5deece66d);
    uint64_t c = random->a ? random->c : 0xb;
    return (x * a + c) & ((UINT64_C(1) << 48) - 1);
}

/* Steps the generator's own state, or the program's three shorts at args[0]. */
static bool next48(VmRank *rank, const uint64_t *args, bool own, uint64_t *x)
{
    CRandom48 *random = &vm_library_of(rank)->random48;
    if (own) {
        *x = random->x = step48(random, random->x);
        return true;
    }
    CWord16 *place = c_write(0, 6);
    if (!place)
        return false;
    *x = step48(random, place[0] | (uint64_t)place[1] << 16 | (uint64_t)place[2] << 32);
    for (int i = 0; i < 3; i++)
        place[i] = (uint16_t)(*x >> 16 * i);
    return true;
}

static VmCallResult real48(VmRank *rank, uint64_t *args, bool own)
{
    uint64_t x;
    return next48(rank, args, own, &x) ? c_return_double(args, (double)x * 0x1p-48) : VM_CALL_FAULT;
}

static VmCallResult unsigned48(VmRank *rank, uint64_t *args, bool own)
{
    uint64_t x;
    return next48(rank, args, own, &x) ? c_return(args, x >> 17) : VM_CALL_FAULT;
}

static VmCallResult signed48(VmRank *rank, uint64_t *args, bool own)
{
    uint64_t x;
    return next48(rank, args, own, &x) ? c_return_int(args, (int32_t)(uint32_t)(x >> 16)) : VM_CALL_FAULT;
}

C_FUNCTION(drand48)
{
    return real48(rank, args, true);
}

C_FUNCTION(erand48)
{
    return real48(rank, args, false);
}

C_FUNCTION(lrand48)
{
    return unsigned48(rank, args, true);
}

C_FUNCTION(nrand48)
{
    return unsigned48(rank, args, false);
}

C_FUNCTION(mrand48)
{
    return signed48(rank, args, true);
}

C_FUNCTION(jrand48)
{
    return signed48(rank, args, false);
}

C_FUNCTION(srand48)
{
    vm_library_of(rank)->random48 = (CRandom48){.x = (uint64_t)(uint32_t)args[0] << 16 | 0x330e};
    return c_return(args, 0);
}

/* The runtime's seed48: reads the new state from args[0] and stores the old one at args[1]. */
C_FUNCTION(__orrery_seed48)
{
    const CWord16 *fresh = c_read(0, 6);
    CWord16 *old = fresh ? c_write(1, 6) : NULL;
    if (!old)
        return VM_CALL_FAULT;
    CRandom48 *random = &vm_library_of(rank)->random48;
    uint64_t x = fresh[0] | (uint64_t)fresh[1] << 16 | (uint64_t)fresh[2] << 32;
    for (int i = 0; i < 3; i++)
        old[i] = (uint16_t)(random->x >> 16 * i);
    *random = (CRandom48){.x = x};
    return c_return(args, 0);
}

C_FUNCTION(lcong48)
{
    const CWord16 *words = c_read(0, 14);
    if (!words)
        return VM_CALL_FAULT;
    CRandom48 *random = &vm_library_of(rank)->random48;
    random->x = words[0] | (uint64_t)words[1] << 16 | (uint64_t)words[2] << 32;
    random->a = words[3] | (uint64_t)words[4] << 16 | (uint64_t)words[5] << 32;
    random->c = words[6];
    return c_return(args, 0);
}

/* -- the end of the process -------------------------------------------------------------------- */

/* The runtime's exit() ends here, after its handlers. As in glibc, streams are flushed. */
C_FUNCTION(_exit)
{
    if (vm_library_has_host_files(rank) && !vm_library_turn(rank))
        return VM_CALL_FAULT;
    vm_rank_exit(rank, c_int(args[0]) & 0xff);
    return VM_CALL_EXIT;
}

/* Ends the process by a signal without a handler. The shell should see that signal (Linux numbers). */
static void end_by_signal(VmRank *rank, int signal)
{
    enum { LAST_SIGNAL = 64 };
    static const char *const names[] = {
        "SIGHUP",  "SIGINT",    "SIGQUIT", "SIGILL",   "SIGTRAP", "SIGABRT", "SIGBUS",  "SIGFPE",
        "SIGKILL", "SIGUSR1",   "SIGSEGV", "SIGUSR2",  "SIGPIPE", "SIGALRM", "SIGTERM", "SIGSTKFLT",
        "SIGCHLD", "SIGCONT",   "SIGSTOP", "SIGTSTP",  "SIGTTIN", "SIGTTOU", "SIGURG",  "SIGXCPU",
        "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGPOLL", "SIGPWR",  "SIGSYS"};
    bool named = signal > 0 && signal <= (int)G_N_ELEMENTS(names);
    vm_rank_fault(rank, VM_FAULT_ABORT, 0, "the program raised signal %d (%s)", signal,
                  named ? names[signal - 1] : "a real-time signal");
    if (signal > 0 && signal <= LAST_SIGNAL)
        vm_rank_own_fault(rank)->signal = signal;
}

/* The end of abort(), if no handler of SIGABRT leaves it; also of raise(). args[0] is the signal. */
C_FUNCTION(__orrery_abort)
{
    if (vm_library_has_host_files(rank) && !vm_library_turn(rank))
        return VM_CALL_FAULT;
    for (uint32_t i = 0; rank->library && i < rank->library->n_files; i++)
        if (rank->library->files[i])
            vm_library_flush_file(rank, rank->library->files[i]);
    int signal = c_int(args[0]);
    if (signal == 6)
        vm_rank_fault(rank, VM_FAULT_ABORT, 0, "the program called abort()");
    else
        end_by_signal(rank, signal);
    return VM_CALL_FAULT;
}
