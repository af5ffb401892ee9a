/* predictor.c - simulated branch predictors, for machine files that ask for one: whether a processor would have known
 * which way a branch goes.
 *
 *   bimodal  a two-bit counter per branch
 *   gshare   the same, by branch and the outcomes of the last branches together (S. McFarling, "Combining Branch
 *            Predictors", DEC WRL technical note 36, 1993)
 *   tage     counters by branch, overruled by tables with tags that are looked up with ever longer histories: the
 *            longest that knows this place decides (A. Seznec, P. Michaud, "A case for (partially) tagged geometric
 *            history length branch prediction", Journal of Instruction-Level Parallelism 8, 2006). What processors of
 *            today have is of this kind.
 *
 * Jumps that go to many places (switch, computed goto, calls by pointer) are looked up by pc and history. They are
 * predicted to go where they went the last time. Returns are always predicted rightly.
 *
 * All of it belongs to one rank and depends only on the path that the rank has taken, so it is the same for every
 * quantum. It is allocated at the first branch.
 */
#include "vm/timing/predictor.h"
#include "vm/timing/timing.h"

enum {
    COUNTERS = 1 << 13,
    GSHARE_HISTORY = 12,
    ENTRIES = 1 << 10,
    JUMPS = 1 << 10,
    JUMP_HISTORY = 16,
    HISTORY = 256,
    TAG_BITS = 12,
    MOST_USEFUL = 3,
};

/* Number of the last outcomes that each table of TAGE looks at. */
static const uint8_t lengths[] = {5, 16, 64, 200};
enum { TABLES = G_N_ELEMENTS(lengths) };

/* An entry of a table of TAGE. */
typedef struct Entry {
    uint16_t tag;
    int8_t counter; /* -4 to 3; predicts taken where >= 0 */
    uint8_t useful; /* 0 to MOST_USEFUL; an entry with 0 may be replaced */
} Entry;

struct VmPredictor {
    VmPredictorKind kind;
    bool wrong;                     /* the last prediction was wrong */
    VmOutOfOrder *core;             /* the thread's model of out-of-order execution; NULL: none */
    uint64_t history[HISTORY / 64]; /* outcomes, the last one in the lowest bit */
    uint32_t jumps[JUMPS];          /* 1 + where the jump went the last time; 0: not known */
    int8_t counters[COUNTERS];      /* -2 to 1; predict taken where >= 0 */
    Entry tables[TABLES][ENTRIES];
};

const char *const *vm_predictors(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(VM_PREDICTORS);
    return names;
}

static VmPredictor *predictor_of(VmRank *rank)
{
    if (!rank->predictor) {
        rank->predictor = g_new0(VmPredictor, 1);
        rank->predictor->kind = rank->image->costs.predictor;
        if (!rank->predictions)
            rank->predictions = g_new0(VmPredictorCounts, 1);
        if (rank->predictor->kind != VM_PREDICTOR_NONE)
            vm_tally_begin(rank);
    }
    return rank->predictor;
}

static void remember(VmPredictor *p, bool taken)
{
    for (unsigned k = HISTORY / 64; k-- > 1;)
        p->history[k] = p->history[k] << 1 | p->history[k - 1] >> 63;
    p->history[0] = p->history[0] << 1 | taken;
}

/* The finalizer of MurmurHash3: all bits of the result depend on all of x. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd);
    x = (x ^ x >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ x >> 33;
}

/* The last n outcomes, or a hash of them if n is more than 64; 0 if n is 0. */
static uint64_t last_outcomes(const VmPredictor *p, unsigned n)
{
    uint64_t sum = 0;
    unsigned k = 0;
    for (; n >= 64; n -= 64)
        sum = mix(sum) ^ p->history[k++];
    return n ? mix(sum) ^ (p->history[k] & ((UINT64_C(1) << n) - 1)) : sum;
}

static void count(int8_t *counter, bool up, int least, int most)
{
    if (up && *counter < most)
        ++*counter;
    else if (!up && *counter > least)
        --*counter;
}

/* -- TAGE -------------------------------------------------------------------------------------- */

typedef struct Lookup {
    Entry *entries[TABLES];
    uint16_t tags[TABLES];
    int provider, other; /* tables with the two longest histories that know the branch; -1: the counters */
} Lookup;

static Lookup look_up(VmPredictor *p, uint32_t pc)
{
    Lookup l = {.provider = -1, .other = -1};
    for (int t = 0; t < TABLES; t++) {
        uint64_t hash = mix(last_outcomes(p, lengths[t]) * TABLES + (uint64_t)t + mix(pc));
        l.entries[t] = &p->tables[t][hash % ENTRIES];
        l.tags[t] = (uint16_t)(hash >> (64 - TAG_BITS) | 1u << TAG_BITS);
        if (l.entries[t]->tag != l.tags[t])
            continue;
        l.other = l.provider;
        l.provider = t;
    }
    return l;
}

static bool says(const VmPredictor *p, const Lookup *l, int table, uint32_t pc)
{
    return table < 0 ? p->counters[pc % COUNTERS] >= 0 : l->entries[table]->counter >= 0;
}

/* Allocates an entry with a longer history, in place of one that is of no use. */
static void allocate(Lookup *l, bool taken)
{
    for (int t = l->provider + 1; t < TABLES; t++) {
        if (l->entries[t]->useful == 0) {
            *l->entries[t] = (Entry){.tag = l->tags[t], .counter = taken ? 0 : -1};
            return;
        }
    }
    for (int t = l->provider + 1; t < TABLES; t++)
        l->entries[t]->useful--;
}

static bool tage(VmPredictor *p, uint32_t pc, bool taken)
{
    Lookup l = look_up(p, pc);
    bool first = says(p, &l, l.provider, pc), second = says(p, &l, l.other, pc), answer = first;
    Entry *entry = l.provider < 0 ? NULL : l.entries[l.provider];
    bool is_new = entry && entry->useful == 0 && (entry->counter == 0 || entry->counter == -1);
    if (is_new)
        answer = second;
    if (entry && first != second) {
        if (first == taken && entry->useful < MOST_USEFUL)
            entry->useful++;
        else if (first != taken && entry->useful > 0)
            entry->useful--;
    }
    if (entry)
        count(&entry->counter, taken, -4, 3);
    if (!entry || (is_new && l.other < 0))
        count(&p->counters[pc % COUNTERS], taken, -2, 1);
    if (first != taken || answer != taken)
        allocate(&l, taken);
    return answer;
}

/* -- branches and jumps ------------------------------------------------------------------------ */

static bool by_counter(VmPredictor *p, uint64_t place, bool taken)
{
    int8_t *counter = &p->counters[place % COUNTERS];
    bool answer = *counter >= 0;
    count(counter, taken, -2, 1);
    return answer;
}

static bool predict(VmPredictor *p, uint32_t pc, bool taken)
{
    switch (p->kind) {
    case VM_PREDICTOR_BIMODAL: return by_counter(p, pc, taken);
    case VM_PREDICTOR_GSHARE: return by_counter(p, pc ^ last_outcomes(p, GSHARE_HISTORY), taken);
    case VM_PREDICTOR_TAGE: return tage(p, pc, taken);
    case VM_PREDICTOR_NONE: break;
    }
    g_assert_not_reached();
}

static uint32_t outcome(VmRank *rank, bool wrong)
{
    const VmCosts *costs = &rank->image->costs;
    VmPredictorCounts *counts = rank->predictions;
    rank->predictor->wrong = wrong;
    vm_tally_count(rank, &counts->branches);
    if (wrong)
        vm_tally_count(rank, &counts->mispredicted);
    return wrong ? costs->misprediction_q8 : 0;
}

uint32_t vm_predictor_branch(VmRank *rank, uint32_t pc, bool taken)
{
    VmPredictor *p = predictor_of(rank);
    bool wrong = predict(p, pc, taken) != taken;
    remember(p, taken);
    return outcome(rank, wrong);
}

uint32_t vm_predictor_jump(VmRank *rank, uint32_t pc, uint32_t target)
{
    VmPredictor *p = predictor_of(rank);
    uint32_t *expected =
        &p->jumps[mix(last_outcomes(p, p->kind == VM_PREDICTOR_BIMODAL ? 0 : JUMP_HISTORY) + mix(pc)) % JUMPS];
    bool wrong = *expected != target + 1;
    *expected = target + 1;
    target ^= target >> 4; /* function addresses are 16 apart, so their low bits are equal */
    remember(p, target & 1);
    remember(p, target & 2);
    return outcome(rank, wrong);
}

const VmPredictorCounts *vm_predictor_counts(const VmRank *rank)
{
    const VmPredictorCounts *counts = rank->predictions;
    return counts && rank->image->costs.predictor != VM_PREDICTOR_NONE && counts->branches ? counts : NULL;
}

bool vm_predictor_was_wrong(const VmRank *rank)
{
    return rank->predictor->wrong;
}

VmOutOfOrder **vm_predictor_core(VmRank *rank)
{
    return &predictor_of(rank)->core;
}

void vm_predictor_close(VmRank *rank)
{
    if (!rank->predictor)
        return;
    vm_out_of_order_free(rank->predictor->core);
    g_clear_pointer(&rank->predictor, g_free);
}

void vm_predictor_free(VmRank *rank)
{
    vm_predictor_close(rank);
    g_clear_pointer(&rank->predictions, g_free);
}
