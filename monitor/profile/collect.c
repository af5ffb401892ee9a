/* collect.c - what a profile hears while the program runs: time that passes in MPI and elsewhere outside of the program
 * (VmMeterClient), and calls with their causes of waiting.
 *
 * How much of a rank's time was overhead and how much it was blocked is what the machine has accounted for, so that all
 * tables agree with --stats. Why it was blocked is what the call has said that it goes on from.
 */
#include "monitor/profile/inside.h"

#include <string.h>

/* -- ranks ------------------------------------------------------------------------------------- */

ProfileRank *mon_profile_rank(MonProfile *profile, uint32_t rank)
{
    g_assert(rank < profile->ranks->len);
    ProfileRank **place = (ProfileRank **)&g_ptr_array_index(profile->ranks, rank);
    if (!*place) {
        *place = g_new0(ProfileRank, 1);
        (*place)->told = g_array_new(FALSE, TRUE, sizeof(MonTimes));
    }
    return *place;
}

static void rank_free(gpointer data)
{
    ProfileRank *rank = data;
    if (rank)
        g_array_unref(rank->told);
    g_free(rank);
}

/* What calls of the thread have said, and what has not passed yet. */
static MonTimes *told_of(ProfileRank *rank, uint32_t thread)
{
    if (thread >= rank->told->len)
        g_array_set_size(rank->told, thread + 1);
    return &g_array_index(rank->told, MonTimes, thread);
}

/* -- time outside of the program ---------------------------------------------------------------- */

static bool calls_mpi(const VmMeterCell *cell)
{
    const VcodeModule *module = vm_image_module(cell->node->image);
    VcodeInstr i = module->code.items[cell->pc];
    if (vcode_op(i) != VCODE_CALLX)
        return false;
    const char *name = vcode_text(module, module->externs.items[vcode_imm32(i)].name);
    return g_str_has_prefix(name, "MPI_") || g_str_has_prefix(name, "PMPI_");
}

static uint64_t take(uint64_t *from, uint64_t most)
{
    uint64_t taken = MIN(*from, most);
    *from -= taken;
    return taken;
}

/* Divides blocked time by cause. */
static void divide(ProfileRank *own, const MachAccount *account, MonTimes *told, const VmMeterCell *cell,
                   uint64_t blocked_ps, MonTimes *times)
{
    uint64_t lacked_ps = account->lacked_ps - own->account.lacked_ps,
             stored_ps = account->stored_ps - own->account.stored_ps;
    for (unsigned cause = 0; cause < MPI_WAIT_CAUSES && blocked_ps; cause++) {
        uint64_t ps = take(&told->wait_ps[cause], blocked_ps);
        times->wait_ps[cause] += ps;
        blocked_ps -= ps;
    }
    uint64_t ps = take(&lacked_ps, blocked_ps);
    times->wait_ps[MPI_WAIT_PROCESSOR] += ps;
    blocked_ps -= ps;
    ps = take(&stored_ps, blocked_ps);
    times->wait_ps[MPI_WAIT_STORAGE] += ps;
    blocked_ps -= ps;
    times->wait_ps[calls_mpi(cell) ? MPI_WAIT_OTHER : MPI_WAIT_SLEEP] += blocked_ps;
    own->account.lacked_ps = account->lacked_ps;
    own->account.stored_ps = account->stored_ps;
}

MonTimes *mon_profile_own_times(VmMeterCell *cell)
{
    if (!cell->own)
        cell->own = g_new0(MonTimes, 1);
    return cell->own;
}

/* A call that runs functions of the program says why it has waited when it is over. Its waiting before that is counted
 * by then. */
static void explain(ProfileRank *own, MonTimes *told)
{
    MonTimes *times = own->unexplained ? own->unexplained->own : NULL;
    for (unsigned i = 0; times && i < MPI_WAIT_CAUSES; i++) {
        uint64_t ps = take(&told->wait_ps[i], own->unexplained_ps);
        own->unexplained_ps -= ps;
        times->wait_ps[MPI_WAIT_OTHER] -= ps;
        times->wait_ps[i] += ps;
        own->times.wait_ps[MPI_WAIT_OTHER] -= ps;
        own->times.wait_ps[i] += ps;
    }
    own->unexplained = NULL;
    own->unexplained_ps = 0;
}

static uint64_t passed(void *user, VmRank *vm, VmMeterCell *cell, uint64_t elapsed_ps, uint64_t computed_ps,
                       void **undo)
{
    MonProfile *profile = user;
    uint32_t rank = vm_rank_index(vm);
    ProfileRank *own = mon_profile_rank(profile, rank);
    MonTimes *told = told_of(own, vm_thread_selected(vm)), times = {0};
    MachAccount account = mach_run_account(profile->machine, rank);
    uint64_t blocked_ps;
    if (account.threaded) {
        times.overhead_ps = MIN(told->overhead_ps, elapsed_ps - computed_ps);
        blocked_ps = elapsed_ps - computed_ps - times.overhead_ps;
    } else {
        times.overhead_ps = MIN(account.overhead_ps - own->account.overhead_ps, elapsed_ps);
        blocked_ps = MIN(account.blocked_ps - own->account.blocked_ps, elapsed_ps - times.overhead_ps);
    }
    own->account.overhead_ps += times.overhead_ps;
    own->account.blocked_ps += blocked_ps;
    if (account.threaded) {
        own->account.overhead_ps = account.overhead_ps;
        own->account.blocked_ps = account.blocked_ps;
    }
    bool over = mon_profile_times_all(told);
    divide(own, &account, told, cell, blocked_ps, &times);
    if (over)
        explain(own, told);
    *told = (MonTimes){0};
    if (times.overhead_ps || blocked_ps) {
        mon_profile_times_add(mon_profile_own_times(cell), &times);
        mon_profile_times_add(&own->times, &times);
        *undo = g_memdup2(&times, sizeof times);
    }
    if (!over && times.wait_ps[MPI_WAIT_OTHER] && !account.threaded) {
        own->unexplained_ps = (own->unexplained == cell ? own->unexplained_ps : 0) + times.wait_ps[MPI_WAIT_OTHER];
        own->unexplained = cell;
    }
    return elapsed_ps - times.overhead_ps - blocked_ps;
}

/* What was kept is overhead first. What has been moved to another cause meanwhile, stays. */
static void undone(void *user, uint32_t rank, VmMeterCell *cell, void *undo, uint64_t kept_ps)
{
    ProfileRank *own = mon_profile_rank(user, rank);
    MonTimes *gone = undo, *times = mon_profile_own_times(cell);
    kept_ps -= take(&gone->overhead_ps, kept_ps);
    take(&times->overhead_ps, gone->overhead_ps);
    take(&own->times.overhead_ps, gone->overhead_ps);
    for (unsigned i = 0; i < MPI_WAIT_CAUSES; i++) {
        kept_ps -= take(&gone->wait_ps[i], kept_ps);
        take(&times->wait_ps[i], gone->wait_ps[i]);
        take(&own->times.wait_ps[i], gone->wait_ps[i]);
    }
}

/* -- calls ------------------------------------------------------------------------------------- */

static guint site_hash(gconstpointer key)
{
    const Site *site = key;
    return site->pc * 0x9e3779b1u ^ g_direct_hash(site->program);
}

static gboolean site_equal(gconstpointer a, gconstpointer b)
{
    const Site *x = a, *y = b;
    return x->pc == y->pc && x->program == y->program && (x->name == y->name || strcmp(x->name, y->name) == 0);
}

static guint collective_hash(gconstpointer key)
{
    const MonProfileCollective *collective = key;
    return g_str_hash(collective->name) ^ g_str_hash(collective->algorithm);
}

static gboolean collective_equal(gconstpointer a, gconstpointer b)
{
    const MonProfileCollective *x = a, *y = b;
    return strcmp(x->name, y->name) == 0 && strcmp(x->algorithm, y->algorithm) == 0;
}

static Site *find_site(MonProfile *profile, const MpiCallInfo *info, const VcodeModule *program)
{
    Site key = {.name = info->name, .program = program, .pc = info->pc};
    Site *site = g_hash_table_lookup(profile->sites, &key);
    if (!site) {
        site = g_new0(Site, 1);
        *site = key;
        site->shortest_ps = site->least_bytes = UINT64_MAX;
        g_hash_table_add(profile->sites, site);
    }
    return site;
}

static void add_collective(MonProfile *profile, const MpiCallInfo *info, const MonTimes *times, uint64_t bytes)
{
    MonProfileCollective key = {.name = info->name, .algorithm = info->algorithm};
    MonProfileCollective *collective = g_hash_table_lookup(profile->collectives, &key);
    uint64_t all_ps = mon_profile_times_all(times);
    if (!collective) {
        collective = g_new0(MonProfileCollective, 1);
        *collective = key;
        collective->shortest_ps = UINT64_MAX;
        g_hash_table_add(profile->collectives, collective);
    }
    collective->calls++;
    collective->longest_ps = MAX(collective->longest_ps, all_ps);
    collective->shortest_ps = MIN(collective->shortest_ps, all_ps);
    collective->bytes += bytes;
    mon_profile_times_add(&collective->times, times);
}

static void told_call(void *user, const MpiCallInfo *info, const VcodeModule *program)
{
    MonProfile *profile = user;
    ProfileRank *own = mon_profile_rank(profile, info->rank);
    const MpiRankStats *stats = mpi_world_stats(mach_run_mpi(profile->machine), info->rank);
    uint64_t bytes = stats->bytes_sent - own->bytes_sent, messages = stats->messages_sent - own->messages_sent;
    MonTimes times = {.overhead_ps = info->overhead_ps};
    own->bytes_sent = stats->bytes_sent;
    own->messages_sent = stats->messages_sent;
    for (unsigned i = 0; i < info->n_waits; i++)
        if (info->waits[i].cause != MPI_WAIT_PROGRAM) /* it is told by itself what that does */
            times.wait_ps[info->waits[i].cause] += info->waits[i].to_ps - info->waits[i].from_ps;
    mon_profile_times_add(told_of(own, info->thread), &times);
    Site *site = find_site(profile, info, program);
    uint64_t all_ps = mon_profile_times_all(&times);
    site->calls++;
    site->longest_ps = MAX(site->longest_ps, all_ps);
    site->shortest_ps = MIN(site->shortest_ps, all_ps);
    site->messages += messages;
    site->bytes += bytes;
    site->least_bytes = MIN(site->least_bytes, bytes);
    site->most_bytes = MAX(site->most_bytes, bytes);
    mon_profile_times_add(&site->times, &times);
    if (!info->thread)
        mon_profile_meetings_pass(profile->meetings, info->rank, info->from_ps, info->to_ps);
    mon_profile_meetings_called(profile->meetings, info, &times, site);
    if (info->algorithm)
        add_collective(profile, info, &times, bytes);
}

static void told_collective(void *user, const MpiCollectiveInfo *info)
{
    mon_profile_meetings_over(((MonProfile *)user)->meetings, info);
}

static void told_pause(void *user, uint32_t rank, uint64_t from_ps, uint64_t to_ps, bool for_core)
{
    (void)for_core;
    mon_profile_meetings_pass(((MonProfile *)user)->meetings, rank, from_ps, to_ps);
}

/* -- phases ------------------------------------------------------------------------------------ */

static void told_control(void *user, uint32_t rank, int level)
{
    MonProfile *profile = user;
    VmRank *vm = mach_run_rank(profile->machine, rank);
    ProfileLevel began = {level, vm_clock_now(vm_rank_clock(vm))};
    guint phase = 0;
    g_mutex_lock(&profile->lock);
    while (phase < profile->levels->len && g_array_index(profile->levels, ProfileLevel, phase).level != level)
        phase++;
    if (phase == profile->levels->len)
        g_array_append_val(profile->levels, began);
    ProfileLevel *known = &g_array_index(profile->levels, ProfileLevel, phase);
    known->from_ps = MIN(known->from_ps, began.from_ps);
    g_mutex_unlock(&profile->lock);
    vm_meter_set_phase(vm, phase);
}

/* -- profiles ---------------------------------------------------------------------------------- */

static const VmCacheCounts *caches(const VmHierarchy *hierarchy, uint32_t level)
{
    return vm_hierarchy_counts(hierarchy, level);
}

/* Bursts of a thousand cycles, up to a million apart, cost some percent of what native code takes. */
static VmMeterSampling sampling_of(MonProfileDetail detail, uint32_t ranks)
{
    uint64_t exact = detail == MON_PROFILE_BRIEFLY ? 1000000 : 10000000;
    return (VmMeterSampling){.exact = MAX(exact / ranks, 10000),
                             .burst = detail == MON_PROFILE_EXACT ? 0 : 1000,
                             .least = 20000,
                             .most = 1000000};
}

MonProfile *mon_profile_new(Machine *machine, MonProfileDetail detail)
{
    MonProfile *profile = g_new0(MonProfile, 1);
    ProfileLevel usual = {PROFILE_USUAL_LEVEL, 0};
    profile->machine = machine;
    profile->ranks = g_ptr_array_new_with_free_func(rank_free);
    g_ptr_array_set_size(profile->ranks, (gint)mach_run_room(machine)); /* stays where it is: see passed() */
    g_mutex_init(&profile->lock);
    profile->sites = g_hash_table_new_full(site_hash, site_equal, g_free, NULL);
    profile->collectives = g_hash_table_new_full(collective_hash, collective_equal, g_free, NULL);
    profile->levels = g_array_new(FALSE, FALSE, sizeof(ProfileLevel));
    g_array_append_val(profile->levels, usual);
    VmMeterSampling sampling = sampling_of(detail, mach_run_ranks(machine));
    profile->meter = vm_meter_new(mach_run_room(machine), &(VmMeterClient){profile, passed, undone, caches}, &sampling);
    profile->text = g_string_chunk_new(4096);
    profile->meetings = mon_profile_meetings_new(mach_run_room(machine));
    mach_run_meter(machine, profile->meter, detail == MON_PROFILE_EXACT);
    MachObserver observer = {.user = profile,
                             .call = told_call,
                             .waits = true,
                             .sums = true,
                             .collective = told_collective,
                             .slept = told_pause,
                             .control = told_control};
    mach_run_observe(machine, &observer);
    return profile;
}

void mon_profile_free(MonProfile *profile)
{
    if (!profile)
        return;
    mon_profile_free_data(profile);
    g_ptr_array_unref(profile->ranks);
    g_hash_table_unref(profile->sites);
    g_hash_table_unref(profile->collectives);
    g_array_unref(profile->levels);
    g_mutex_clear(&profile->lock);
    g_string_chunk_free(profile->text);
    mon_profile_meetings_free(profile->meetings);
    vm_meter_free(profile->meter);
    g_free(profile);
}
