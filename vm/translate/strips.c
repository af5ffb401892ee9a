/* strips.c - printing the copies without tests of counted loops (loops.c).
 *
 *     p7: all = how often the loop turns; n = as many as the fuel pays, if what they access can be accessed
 *     s7: one turn; if (--n) goto s7; fuel -= turns * cost of one; ...
 *     b7: the ordinary loop
 *
 * What every turn charges is charged when the strip is over, or left in between, at once; `spent` adds up what blocks
 * charge that not every turn comes through.
 */
#include "vm/translate/loops.h"

enum { LEAST_TRIPS = 4 /* fewer are not worth a strip */, LARGEST_STEP = 1 << 16 };

/* -- charging ---------------------------------------------------------------------------------- */

static bool is_always(const VmPrinter *p, const VmStrip *strip, uint32_t b)
{
    return vm_flow_dominates(p->flow, b, strip->latch);
}

/* What a turn has charged for sure when it comes to block `b`; VCODE_NONE: when it is over. */
static uint64_t charged_before(const VmPrinter *p, const VmStrip *strip, uint32_t b)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < p->flow->order_count; k++) {
        uint32_t u = p->flow->order[k];
        const VmFlowBlock *block = &p->flow->blocks[u];
        if (u != b && block->loop == strip->loop && !p->selects[u].absorbed && is_always(p, strip, u) &&
            (b == VCODE_NONE || vm_flow_dominates(p->flow, u, b)))
            sum += block->cost + vm_select_cost(p->flow, &p->selects[u]);
    }
    return sum;
}

static void print_settled(VmPrinter *p, const VmStrip *strip, uint64_t of_this_turn)
{
    g_string_append_printf(p->out, " fuel -= (turns - n) * %" G_GUINT64_FORMAT " + %" G_GUINT64_FORMAT " + spent; ",
                           charged_before(p, strip, VCODE_NONE), of_this_turn);
}

void vm_strip_charge(VmPrinter *p, uint64_t cost, const char *further)
{
    if (p->strip->nest) {
        g_string_append_printf(p->out, "fuel -= %" G_GUINT64_FORMAT "%s%s; ", cost, further ? " + " : "",
                               further ? further : "");
        return;
    }
    bool always = is_always(p, p->strip, p->block);
    if (!always)
        g_string_append_printf(p->out, "spent += %" G_GUINT64_FORMAT "; ", cost);
    if (further)
        g_string_append_printf(p->out, "spent += %s; ", further);
}

void vm_strip_settle_exit(VmPrinter *p, const VmExit *e)
{
    if (e->strip && !e->strip->nest)
        print_settled(p, e->strip, charged_before(p, e->strip, e->block));
}

/* Out of the loop from the middle of a turn, behind the block being printed. */
static void settle_behind(VmPrinter *p)
{
    const VmStrip *strip = p->strip;
    uint64_t own = is_always(p, strip, p->block)
                       ? p->flow->blocks[p->block].cost + vm_select_cost(p->flow, &p->selects[p->block])
                       : 0;
    print_settled(p, strip, charged_before(p, strip, p->block) + own);
}

static void print_turn(VmPrinter *p, const VmStrip *strip)
{
    g_string_append_printf(p->out, "if (--n) goto s%u; fuel -= turns * %" G_GUINT64_FORMAT " + spent; ", strip->header,
                           charged_before(p, strip, VCODE_NONE));
    p->strip = NULL;
    if (strip->bottom) {
        g_string_append(p->out, "if (full) { ");
        vm_print_goto(p, strip->out);
        g_string_append(p->out, " } ");
    }
    p->strip = strip;
    g_string_append_printf(p->out, "goto b%u;", strip->header);
}

bool vm_strip_goto(VmPrinter *p, uint32_t to)
{
    if (p->strip->nest) {
        bool stays = vm_nest_has(p->flow, p->strip, to);
        if (stays)
            g_string_append_printf(p->out, "goto n%u;", to);
        return stays;
    }
    if (to == p->strip->header) {
        print_turn(p, p->strip);
        return true;
    }
    if (p->flow->blocks[to].loop == p->strip->loop) {
        g_string_append_printf(p->out, "goto s%u;", to);
        return true;
    }
    settle_behind(p);
    return false;
}

/* -- the beginning ----------------------------------------------------------------------------- */

/* Ranges that are walked upwards in known steps: one comparison each, of their first address with what their length
 * leaves of the memory. */
static void print_range(VmPrinter *p, const VmRange *range)
{
    int64_t size = range->high - range->low;
    if (!range->known || range->constant <= 0 || range->constant > LARGEST_STEP || size > INT32_MAX) {
        g_string_append_printf(
            p->out, "\n        && reaches(%s + %" G_GINT64_FORMAT " - LOW, %s, n, %" G_GINT64_FORMAT ", limit)",
            range->first, range->low, range->step, size);
        return;
    }
    g_string_append_printf(
        p->out, "\n        && WALKS(%s + %" G_GINT64_FORMAT ", (n - 1) * %" G_GINT64_FORMAT " + %" G_GINT64_FORMAT ")",
        range->first, range->low, range->constant, size);
}

/* All stores of n turns go elsewhere than what is loaded ahead. */
static void print_misses(VmPrinter *p, const VmStrip *strip)
{
    for (guint h = 0; h < strip->hoists->len; h++)
        for (guint k = 0; k < strip->stores->len; k++) {
            const VmHoist *hoist = &g_array_index(strip->hoists, VmHoist, h);
            const VmRange *store = &g_array_index(strip->stores, VmRange, k);
            if (hoist->store == store->base)
                continue;
            g_string_append_printf(
                p->out, "\n        && misses(%s + %" G_GINT64_FORMAT ", %s, n, %" G_GINT64_FORMAT ", %s, %u)",
                store->first, store->low, store->step, store->high - store->low, hoist->address, hoist->size);
        }
}

void vm_strip_print_tests(VmPrinter *p, const VmStrip *strip)
{
    for (guint k = 0; k < strip->fits->len; k++) {
        const VmFit *fit = &g_array_index(strip->fits, VmFit, k);
        g_string_append_printf(p->out, "\n        && fits%s(%s, %s, n)", fit->is_unsigned ? "_unsigned" : "",
                               fit->first, fit->step);
    }
    for (guint k = 0; k < strip->ranges->len; k++)
        print_range(p, &g_array_index(strip->ranges, VmRange, k));
    print_misses(p, strip);
}

static void print_hoists(VmPrinter *p, const VmStrip *strip)
{
    for (guint k = 0; k < strip->hoists->len; k++) {
        const VmHoist *hoist = &g_array_index(strip->hoists, VmHoist, k);
        g_string_append_printf(p->out, "    if (UNLIKELY(!PRIVATE(%s, 0))) goto b%u; ", hoist->address, strip->header);
        vm_access_print_ahead(p, hoist->pc, hoist->address);
        g_string_append_c(p->out, '\n');
    }
}

uint64_t vm_strip_turn(const VmPrinter *p, const VmStrip *strip)
{
    return charged_before(p, strip, VCODE_NONE);
}

static void print_length(VmPrinter *p, const VmStrip *strip)
{
    g_string_append_printf(p->out, "    int64_t all = %s;\n", strip->trips);
    if (strip->bottom)
        g_string_append(p->out, strip->known ? "    all++;\n" : "    if (all >= 0) all++;\n");
}

void vm_print_strip(VmPrinter *p, const VmStrip *strip)
{
    if (strip->nest) {
        vm_print_nest(p, strip);
        return;
    }
    g_string_append_printf(p->out, "p%u: {\n", strip->header);
    print_hoists(p, strip);
    if (strip->lane_size) {
        print_length(p, strip);
        vm_print_lanes(p, strip);
        g_string_append(p->out, "    } {\n");
    }
    print_length(p, strip);
    g_string_append_printf(p->out,
                           "    n = all < MOST_TRIPS ? all : MOST_TRIPS;\n    if (n * %" G_GUINT64_FORMAT
                           " > fuel) n = IS_SHORT(all, %" G_GUINT64_FORMAT ") ? 0 : fuel / %" G_GUINT64_FORMAT
                           ";\n    if (n >= %d",
                           strip->cost, strip->cost, strip->cost, LEAST_TRIPS);
    vm_strip_print_tests(p, strip);
    g_string_append_printf(p->out, ") {\n    int full = n == all; turns = n; spent = 0; goto s%u;\n", strip->header);
    p->strip = strip;
    for (uint32_t k = 0; k < p->flow->order_count; k++) {
        uint32_t b = p->flow->order[k];
        if (p->flow->blocks[b].loop != strip->loop || p->selects[b].absorbed)
            continue;
        g_string_append_printf(p->out, "s%u:", b);
        vm_print_instructions(p, b);
    }
    p->strip = NULL;
    g_string_append(p->out, "    } }\n");
}
