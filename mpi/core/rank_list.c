/* rank_list.c - lists of ranks as text: "rank 3", "ranks 0-2, 5", shortened if they are long. */
#include "mpi/mpi_world.h"

enum { LONGEST = 60 };

static void append_run(GString *out, uint32_t first, uint32_t last)
{
    g_string_append_printf(out, "%s%u", out->len ? ", " : "", first);
    if (last > first)
        g_string_append_printf(out, "%s%u", last == first + 1 ? ", " : "-", last);
}

void mpi_rank_list_add(MpiRankList *list, uint32_t rank)
{
    if (list->count && rank == list->last)
        return;
    if (!list->count) {
        list->text = g_string_new(NULL);
        list->first = rank;
    } else if (rank != list->last + 1) {
        if (list->text->len <= LONGEST)
            append_run(list->text, list->first, list->last);
        list->first = rank;
    }
    list->last = rank;
    list->count++;
}

void mpi_rank_list_append(const MpiRankList *list, GString *out)
{
    g_autoptr(GString) ranks = g_string_new(list->count ? list->text->str : NULL);
    bool all = ranks->len <= LONGEST;
    if (all && list->count)
        append_run(ranks, list->first, list->last);
    g_string_append_printf(out, "rank%s %s", list->count == 1 ? "" : "s", ranks->str);
    if (!all)
        g_string_append_printf(out, ", ... (%u ranks)", list->count);
}

void mpi_rank_list_clear(MpiRankList *list)
{
    if (list->text)
        g_string_free(list->text, TRUE);
    *list = (MpiRankList){0};
}
