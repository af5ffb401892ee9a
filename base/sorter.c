/* sorter.c - records that are put in order, more than fit in memory.
 *
 * Records gather in a block of memory. When it is full, they are sorted and become a run in a temporary file, which has
 * no name. In the end the runs are merged: each has a small buffer, and the one whose record is next stands first in a
 * heap. Without any run the block in memory is all that there is.
 */
#include "base/sorter.h"

#include "base/write_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUN_BUFFER = 1 << 16 };

typedef struct Head { /* in front of the bytes of a record, in memory and in the file */
    uint64_t keys[3];
    uint64_t number; /* in the order in which they came */
    uint64_t size;
} Head;

typedef struct Run {
    uint64_t at, end; /* what is still to be read of the file */
    uint8_t *buffer;
    size_t used, filled, room;
} Run;

struct BaseSorter {
    size_t memory;
    GByteArray *block;
    GArray *offsets; /* uint64_t: of the records in the block */
    uint64_t number, written;
    int file, failure;
    GArray *runs;   /* Run */
    uint32_t *heap; /* of runs whose first record is in their buffer */
    uint32_t in_heap;
    size_t next;  /* of the offsets, without runs */
    bool started; /* the first of the heap has been given */
};

BaseSorter *base_sorter_new(size_t memory)
{
    BaseSorter *sorter = g_new0(BaseSorter, 1);
    sorter->memory = memory;
    sorter->block = g_byte_array_new();
    sorter->offsets = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    sorter->runs = g_array_new(FALSE, FALSE, sizeof(Run));
    sorter->file = -1;
    return sorter;
}

void base_sorter_free(BaseSorter *sorter)
{
    if (!sorter)
        return;
    for (guint i = 0; i < sorter->runs->len; i++)
        g_free(g_array_index(sorter->runs, Run, i).buffer);
    if (sorter->file >= 0)
        close(sorter->file);
    g_byte_array_unref(sorter->block);
    g_array_unref(sorter->offsets);
    g_array_unref(sorter->runs);
    g_free(sorter->heap);
    g_free(sorter);
}

static int compare_heads(const Head *one, const Head *other)
{
    for (unsigned i = 0; i < 3; i++)
        if (one->keys[i] != other->keys[i])
            return one->keys[i] < other->keys[i] ? -1 : 1;
    return (one->number > other->number) - (one->number < other->number);
}

static int by_head(gconstpointer a, gconstpointer b, gpointer user)
{
    const uint8_t *block = user;
    Head one, other;
    memcpy(&one, block + *(const uint64_t *)a, sizeof one);
    memcpy(&other, block + *(const uint64_t *)b, sizeof other);
    return compare_heads(&one, &other);
}

/* -- adding ------------------------------------------------------------------------------------ */

static void sort_block(BaseSorter *sorter)
{
    g_array_sort_with_data(sorter->offsets, by_head, sorter->block->data);
}

static bool open_file(BaseSorter *sorter)
{
    g_autofree char *path = NULL;
    if (sorter->file >= 0)
        return true;
    sorter->file = g_file_open_tmp("orrery-XXXXXX", &path, NULL);
    if (sorter->file < 0)
        sorter->failure = errno ? errno : EIO;
    else
        unlink(path);
    return sorter->file >= 0;
}

static void write_out(BaseSorter *sorter, const uint8_t *bytes, size_t size)
{
    while (size && !sorter->failure) {
        ssize_t done = write(sorter->file, bytes, size);
        if (done < 0 && errno != EINTR)
            sorter->failure = errno;
        if (done > 0) {
            bytes += done;
            size -= (size_t)done;
            sorter->written += (uint64_t)done;
        }
    }
}

/* Makes a run of the block. */
static void spill(BaseSorter *sorter)
{
    g_autoptr(GByteArray) out = g_byte_array_sized_new(2 * RUN_BUFFER);
    if (sorter->failure || !open_file(sorter))
        return;
    Run run = {.at = sorter->written};
    sort_block(sorter);
    for (guint i = 0; i < sorter->offsets->len; i++) {
        const uint8_t *record = sorter->block->data + g_array_index(sorter->offsets, uint64_t, i);
        Head head;
        memcpy(&head, record, sizeof head);
        g_byte_array_append(out, record, (guint)(sizeof head + head.size));
        if (out->len >= RUN_BUFFER) {
            write_out(sorter, out->data, out->len);
            g_byte_array_set_size(out, 0);
        }
    }
    write_out(sorter, out->data, out->len);
    run.end = sorter->written;
    g_array_append_val(sorter->runs, run);
    g_byte_array_set_size(sorter->block, 0);
    g_array_set_size(sorter->offsets, 0);
}

void base_sorter_add(BaseSorter *sorter, const BaseRecord *record)
{
    Head head = {.number = sorter->number++, .size = record->size};
    if (sorter->failure)
        return;
    memcpy(head.keys, record->keys, sizeof head.keys);
    uint64_t offset = sorter->block->len;
    g_array_append_val(sorter->offsets, offset);
    g_byte_array_append(sorter->block, (const uint8_t *)&head, sizeof head);
    g_byte_array_append(sorter->block, record->bytes, record->size);
    if (sorter->block->len + sizeof(uint64_t) * sorter->offsets->len >= sorter->memory)
        spill(sorter);
}

/* -- giving ------------------------------------------------------------------------------------ */

/* Sees to it that so many bytes are in the run's buffer. Returns false at its end. */
static bool fill(BaseSorter *sorter, Run *run, size_t wanted)
{
    if (run->filled - run->used >= wanted)
        return true;
    if (run->filled > run->used)
        memmove(run->buffer, run->buffer + run->used, run->filled - run->used);
    run->filled -= run->used;
    run->used = 0;
    if (run->room < wanted) {
        run->room = MAX(wanted, RUN_BUFFER);
        run->buffer = g_realloc(run->buffer, run->room);
    }
    while (run->filled < wanted && run->at < run->end) {
        size_t most = MIN(run->room - run->filled, run->end - run->at);
        ssize_t got = pread(sorter->file, run->buffer + run->filled, most, (off_t)run->at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            sorter->failure = got < 0 ? errno : EIO;
            return false;
        }
        run->filled += (size_t)got;
        run->at += (uint64_t)got;
    }
    return run->filled >= wanted;
}

/* Puts the first record of a run whole into its buffer. Returns false at its end. */
static bool load(BaseSorter *sorter, Run *run)
{
    Head head;
    if (!fill(sorter, run, sizeof head))
        return false;
    memcpy(&head, run->buffer + run->used, sizeof head);
    return fill(sorter, run, sizeof head + head.size);
}

static Head head_of(const BaseSorter *sorter, uint32_t number)
{
    const Run *run = &g_array_index(sorter->runs, Run, number);
    Head head;
    memcpy(&head, run->buffer + run->used, sizeof head);
    return head;
}

static bool is_before(const BaseSorter *sorter, uint32_t one, uint32_t other)
{
    Head a = head_of(sorter, one), b = head_of(sorter, other);
    return compare_heads(&a, &b) < 0;
}

static void sift_down(BaseSorter *sorter, uint32_t at)
{
    for (;;) {
        uint32_t least = at;
        for (uint32_t child = 2 * at + 1; child <= 2 * at + 2 && child < sorter->in_heap; child++)
            if (is_before(sorter, sorter->heap[child], sorter->heap[least]))
                least = child;
        if (least == at)
            return;
        uint32_t run = sorter->heap[at];
        sorter->heap[at] = sorter->heap[least];
        sorter->heap[least] = run;
        at = least;
    }
}

static bool tell_failure(const BaseSorter *sorter, GError **error)
{
    if (!sorter->failure)
        return true;
    base_write_refuse(g_get_tmp_dir(), sorter->failure, error);
    g_prefix_error(error, "what does not fit in memory is sorted in a temporary file: ");
    return false;
}

bool base_sorter_begin(BaseSorter *sorter, GError **error)
{
    if (!sorter->runs->len)
        sort_block(sorter);
    else if (sorter->offsets->len)
        spill(sorter);
    sorter->heap = g_new(uint32_t, sorter->runs->len + 1);
    for (uint32_t i = 0; i < sorter->runs->len; i++)
        if (load(sorter, &g_array_index(sorter->runs, Run, i)))
            sorter->heap[sorter->in_heap++] = i;
    for (uint32_t i = sorter->in_heap; i-- > 0;)
        sift_down(sorter, i);
    return tell_failure(sorter, error);
}

static void give(const uint8_t *bytes, BaseRecord *record)
{
    Head head;
    memcpy(&head, bytes, sizeof head);
    memcpy(record->keys, head.keys, sizeof head.keys);
    record->size = (uint32_t)head.size;
    record->bytes = bytes + sizeof head;
}

/* Takes the record that was given last from its run. */
static void pass_over(BaseSorter *sorter)
{
    Run *run = &g_array_index(sorter->runs, Run, sorter->heap[0]);
    Head head = head_of(sorter, sorter->heap[0]);
    run->used += sizeof head + head.size;
    if (!load(sorter, run))
        sorter->heap[0] = sorter->heap[--sorter->in_heap];
    sift_down(sorter, 0);
}

bool base_sorter_next(BaseSorter *sorter, BaseRecord *record)
{
    if (sorter->failure)
        return false;
    if (!sorter->runs->len) {
        if (sorter->next >= sorter->offsets->len)
            return false;
        give(sorter->block->data + g_array_index(sorter->offsets, uint64_t, sorter->next++), record);
        return true;
    }
    if (sorter->started && sorter->in_heap)
        pass_over(sorter);
    sorter->started = true;
    if (!sorter->in_heap || sorter->failure)
        return false;
    const Run *run = &g_array_index(sorter->runs, Run, sorter->heap[0]);
    give(run->buffer + run->used, record);
    return true;
}

bool base_sorter_end(const BaseSorter *sorter, GError **error)
{
    return tell_failure(sorter, error);
}
