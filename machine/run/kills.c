/* kills.c - processes that fail at a virtual time: --kill, and the key `kill` of [mpi].
 *
 * A process that fails is gone at once: it computes no further, writes no further, answers nobody. What it has sent is
 * on its way and arrives. Others know of it after the key failure-detection of [mpi]. Then the launcher of MPI ends the
 * job, unless the program calls functions that are for those who survive (MPIX_Comm_...): these tell it by errors. */
#include "base/queue.h"
#include "base/units.h"
#include "machine/output/output.h"
#include "machine/run/advance.h"
#include "machine/run/run.h"
#include "machine/run/tasks.h"
#include "machine/run/workers.h"

#include <string.h>

/* -- who fails, and when ----------------------------------------------------------------------- */

static bool parse_one(const char *text, MachKill *kill, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, "@", 2);
    kill->node = g_str_has_prefix(text, "node");
    const char *digits = parts[0] + (kill->node ? strlen("node") : 0);
    guint64 number = 0;
    if (!parts[1] || !g_ascii_string_to_unsigned(g_strstrip((char *)digits), 10, 0, INT32_MAX, &number, NULL)) {
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "\"%s\" is not RANK@TIME or nodeN@TIME, like 3@1ms", text);
        return false;
    }
    kill->number = (uint32_t)number;
    return base_units_parse(g_strstrip(parts[1]), BASE_UNIT_TIME, &kill->time_ps, error);
}

bool mach_kills_parse(const char *text, GArray *kills, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(*text ? text : " ", ",", -1); /* no text is a wrong one */
    for (char **part = parts; *part; part++) {
        MachKill kill;
        if (!parse_one(g_strstrip(*part), &kill, error))
            return false;
        g_array_append_val(kills, kill);
    }
    return true;
}

static bool check(const Machine *machine, const MachKill *kill, GError **error)
{
    uint32_t limit = kill->node ? net_network_nodes(machine->net) : machine->ranks;
    if (kill->number < limit)
        return true;
    g_set_error(error, MACH_ERROR, MACH_ERROR_RANKS, "%s %u is to be killed, but there are only %u",
                kill->node ? "node" : "rank", kill->number, limit);
    return false;
}

/* The first failure of a process counts. */
static void note(Machine *machine, const MachKill *kill)
{
    for (uint32_t rank = 0; rank < machine->ranks; rank++)
        if (kill->node ? machine->processes[rank].place.node == kill->number : rank == kill->number)
            machine->kill_ps[rank] = MIN(machine->kill_ps[rank], kill->time_ps);
}

bool mach_kills_begin(Machine *machine, GError **error)
{
    g_autoptr(GArray) kills = g_array_new(FALSE, FALSE, sizeof(MachKill));
    const GArray *asked = machine->options.kills;
    if (asked)
        g_array_append_vals(kills, asked->data, asked->len);
    if (*machine->config->kills && !mach_kills_parse(machine->config->kills, kills, error)) {
        g_prefix_error(error, "mpi.kill: ");
        return false;
    }
    if (!kills->len && !machine->survives)
        return true;
    machine->kill_ps = g_new(uint64_t, machine->room);
    memset(machine->kill_ps, 0xff, machine->room * sizeof *machine->kill_ps); /* UINT64_MAX: never */
    for (guint i = 0; i < kills->len; i++) {
        const MachKill *kill = &g_array_index(kills, MachKill, i);
        if (!check(machine, kill, error))
            return false;
        note(machine, kill);
    }
    for (uint32_t rank = 0; rank < machine->ranks; rank++)
        if (machine->kill_ps[rank] != UINT64_MAX)
            mach_run_queue_event(machine, machine->kill_ps[rank], MACH_EVENT_KILL, rank, false, 0);
    return true;
}

/* -- failing ----------------------------------------------------------------------------------- */

/* Ends a process at the present time, whatever it is doing. Its computing has been accounted for. */
static void end(Machine *machine, uint32_t rank)
{
    MachProcess *process = &machine->processes[rank];
    if (machine->held_ps != UINT64_MAX && machine->held_rank == rank)
        machine->held_ps = UINT64_MAX;
    mach_tasks_drop(machine, rank);
    threads_world_exited(machine->threads, rank, machine->now);
    process->called = false;
    if (process->share)
        mach_sharing_end(machine, rank);
    process->state = MACH_RANK_KILLED;
    process->finish_ps = machine->now;
    machine->running--;
    mach_output_flush(machine->output, machine->now + 1);
    mach_output_cut(machine->output, rank);
    mach_output_finish(machine->output, rank, machine->now);
    mpi_world_failed(machine->mpi, rank);
}

/* Others will know of the failure. */
static void make_known(Machine *machine, uint32_t rank)
{
    mach_run_queue_event(machine, machine->now + machine->config->mpi.failure_detection_ps, MACH_EVENT_KILL, rank, true,
                         0);
}

static void fail(Machine *machine, uint32_t rank)
{
    const MachProcess *process = &machine->processes[rank];
    if (process->share)
        mach_advance_cut(machine, rank);
    else if (process->state == MACH_RANK_READY && machine->now > process->resumed_ps) /* not in a call's overhead */
        mach_advance_account(machine, rank, machine->now);                            /* it has not run beyond that */
    end(machine, rank);
    make_known(machine, rank);
}

void mach_kills_abort(Machine *machine, uint32_t rank)
{
    g_autofree uint8_t *connected = mpi_world_connected(machine->mpi, rank);
    if (!connected || machine->options.explore || machine->runs_on) {
        mach_run_stop(machine, MACH_STOP_ABORT, rank);
        return;
    }
    if (machine->workers)
        mach_workers_gather(machine->workers);
    g_autofree char *time = base_units_format_time(machine->now);
    int code = mpi_world_abort_code(machine->mpi);
    uint32_t ended = 0;
    for (uint32_t i = 0; i < machine->ranks; i++) {
        MachProcess *process = &machine->processes[i];
        if (!connected[i] || (process->state != MACH_RANK_READY && process->state != MACH_RANK_BLOCKED && i != rank))
            continue;
        mach_advance_cut(machine, i);
        end(machine, i);
        process->exit_status = mach_run_abort_status(code);
        ended++;
    }
    mach_run_note(
        machine,
        "rank %u called MPI_Abort with code %d at virtual time %s, which ends the %u ranks that are connected "
        "with it; the others go on",
        rank, code, time, ended);
}

void mach_kills_exited(Machine *machine, uint32_t rank)
{
    if (!machine->survives || !mpi_world_deserted(machine->mpi, rank))
        return;
    mpi_world_failed(machine->mpi, rank);
    make_known(machine, rank);
}

void mach_kills_take(Machine *machine, uint32_t rank, bool known)
{
    MachRankState state = machine->processes[rank].state;
    if (known && machine->survives)
        mpi_world_failure_known(machine->mpi, rank, machine->now);
    else if (known)
        mach_run_stop(machine, MACH_STOP_KILLED, rank);
    else if (state == MACH_RANK_READY || state == MACH_RANK_BLOCKED)
        fail(machine, rank);
}

bool mach_kills_skip(Machine *machine)
{
    const BaseEvent *top = base_queue_top(machine->queue);
    BaseEvent event;
    if (machine->running || !top || top->kind != MACH_EVENT_KILL)
        return false;
    base_queue_pop(machine->queue, &event);
    machine->under_way--;
    return true;
}

void mach_kills_explain(const Machine *machine, GString *out)
{
    uint32_t rank = machine->stopped_rank;
    g_autofree char *killed = base_units_format_time(machine->processes[rank].finish_ps);
    g_autofree char *known = base_units_format_time(machine->now);
    g_string_append_printf(
        out,
        "rank %u on node %u was killed at virtual time %s, and at %s the job ends, as launchers of MPI "
        "end it\n  a program that calls MPIX_Comm_shrink, MPIX_Comm_revoke and their like is told by "
        "errors instead, and can go on without the rank\n",
        rank, machine->processes[rank].place.node, killed, known);
}
