/* found.c - stops where a check finds something, in the engine.
 *
 * Checks note what they find while the run goes on. Before each statement it is looked whether they have noted more.
 * What a rank has done in the statement before may be undone then, by going back to where that began; but if other
 * ranks' statements have begun since, what they have done is part of what the user wants to see. */
#include "monitor/session/engine.h"

enum { TELL_EVERY_US = 200000, TELL_MOMENTS = 2048 };

void mon_found_seek(MonEngine *engine, GVariant *value)
{
    gboolean seeks;
    uint64_t told;
    g_variant_get(value, "(btut)", &seeks, &told, &engine->sought_rank, &engine->sought_ps);
    engine->seeks = seeks;
    engine->noted = MAX(told, mach_run_noted(engine->machine));
    engine->look_at_us = (uint64_t)g_get_monotonic_time() + TELL_EVERY_US;
    engine->note_at = 0;
}

void mon_found_progress(MonEngine *engine)
{
    if (engine->seeks && engine->moment % TELL_MOMENTS)
        return;
    uint64_t now_us = (uint64_t)g_get_monotonic_time();
    if (now_us < engine->look_at_us)
        return;
    engine->look_at_us = now_us + TELL_EVERY_US;
    mon_engine_send(engine, MON_WIRE_AT, g_variant_new("(tt)", engine->moment, engine->latest_ps), -1);
}

/* What is sought is the statement in which the rank was at that time. */
static bool is_beyond(const MonEngine *engine, uint32_t rank)
{
    return engine->sought_ps && rank == engine->sought_rank &&
           vm_clock_now(vm_rank_clock(mach_run_rank(engine->machine, rank))) > engine->sought_ps;
}

bool mon_found_look(MonEngine *engine, uint32_t rank)
{
    uint64_t noted = mach_run_noted(engine->machine);
    uint32_t before = engine->last_rank;
    engine->last_rank = rank;
    if (is_beyond(engine, rank)) {
        engine->note_at = engine->began[rank];
    } else {
        if (!engine->seeks || noted <= engine->noted ||
            !mpi_world_last_note(mach_run_mpi(engine->machine), &engine->note))
            return false;
        engine->noted = noted;
        engine->note_at = before == engine->note.rank ? engine->began[before] : 0;
    }
    mon_engine_stop(engine, MON_ARRIVED, rank, 0, MON_FOUND_TEXT);
    return true;
}

/* Where the run is over, the last statement of the rank is told. */
static void send(const MonEngine *engine, const MpiNote *note, const char *text)
{
    uint64_t moment = engine->ended ? engine->began[note->rank] : engine->note_at;
    mon_engine_send(engine, MON_WIRE_FINDING,
                    g_variant_new("(uttts)", note->rank, moment, engine->noted, note->at_ps, text), -1);
}

void mon_found_tell(const MonEngine *engine)
{
    MpiNote note = engine->note;
    g_autoptr(GString) text = g_string_new(NULL);
    if (engine->ended && !mpi_world_first_note(mach_run_mpi(engine->machine), engine->noted, &note)) {
        mon_engine_send(engine, MON_WIRE_FINDING, g_variant_new("(uttts)", MON_NO_RANK, 0, 0, 0, ""), -1);
        return;
    }
    if (engine->sought_ps && !engine->ended) { /* it is known what was found */
        send(engine, &(MpiNote){.rank = engine->sought_rank, .at_ps = engine->sought_ps}, "");
        return;
    }
    g_string_append_printf(text, "rank %u: %s%s%s [%s]", note.rank, note.what, note.detail ? ": " : "",
                           note.detail ? note.detail : "", mpi_check_row(note.check)->name);
    if (note.fix)
        g_string_append_printf(text, "\n  to mend it: %s", note.fix);
    g_autofree char *valid = mon_wire_text(text->str);
    send(engine, &note, valid);
}
