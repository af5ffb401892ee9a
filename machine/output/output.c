/* output.c - standard output and error of all ranks, in the order of virtual time.
 *
 * Ranks run ahead of each other, so what they write waits in a queue ordered by (time, rank, sequence). The scheduler
 * says when nothing older can come any more. Then the writes are taken out in that order and joined to lines, per rank
 * and stream. A line goes to the host when its end has come out of the queue. Lines are joined only here, not when the
 * program writes. That makes the output independent of the quantum even if a run stops in the middle of a line.
 *
 *   ranks --write--> BaseQueue of writes --flush(before)--> line of (rank, stream) --whole--> buffer --> host
 *
 * A rank's last line stays as it is, without a line end, unless text of another rank follows on the same stream.
 */
#include "machine/output/output.h"
#include "base/queue.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { STREAMS = 2, WRITE_AT = 1 << 16, NOBODY = -1 };

typedef struct Write {
    uint64_t time_ps;
    uint32_t rank;
    uint32_t task;  /* the rank, or its thread that wrote this */
    uint8_t stream; /* 0 stdout, 1 stderr */
    bool finish;    /* no text: the rank has ended */
    size_t size;
    char bytes[];
} Write;

struct MachOutput {
    MachOptions options;
    uint32_t ranks;
    BaseQueue *writes;          /* a = Write */
    GString **lines;            /* unfinished lines by [rank * STREAMS + stream]; NULL: none */
    int64_t open_rank[STREAMS]; /* by stream: the rank whose text without a line end was the last there, or NOBODY */
    GString *buffer;            /* text on its way to the host */
    int buffer_stream;          /* the stream that `buffer` is for */
    int error;
    uint64_t printed; /* bytes that have gone to the host */
    bool *cut;        /* by rank: what it writes from now on is lost; NULL: nobody's */
    uint32_t tasks;
    GQueue **held; /* by task: Write that wait for their times; NULL: there are none. NULL: nobody's are held */
    bool *holds;   /* by task: its writes are held */
    void (*wrote)(void *user, uint32_t task);
    void *wrote_user;
};

MachOutput *mach_output_new(uint32_t ranks, const MachOptions *options)
{
    MachOutput *output = g_new0(MachOutput, 1);
    output->options = *options;
    output->ranks = ranks;
    output->writes = base_queue_new();
    output->lines = g_new0(GString *, (gsize)ranks * STREAMS);
    output->open_rank[0] = output->open_rank[1] = NOBODY;
    output->buffer = g_string_new(NULL);
    return output;
}

static void drop_writes(MachOutput *output)
{
    BaseEvent event;
    while (base_queue_pop(output->writes, &event))
        g_free((void *)(uintptr_t)event.a);
}

void mach_output_free(MachOutput *output)
{
    if (!output)
        return;
    drop_writes(output);
    base_queue_free(output->writes);
    for (gsize i = 0; i < (gsize)output->ranks * STREAMS; i++)
        if (output->lines[i])
            g_string_free(output->lines[i], TRUE);
    for (uint32_t task = 0; output->held && task < output->tasks; task++)
        if (output->held[task])
            g_queue_free_full(output->held[task], g_free);
    g_free(output->held);
    g_free(output->holds);
    g_free(output->lines);
    g_free(output->cut);
    g_string_free(output->buffer, TRUE);
    g_free(output);
}

uint64_t mach_output_printed(const MachOutput *output)
{
    return output->printed;
}

int mach_output_error(const MachOutput *output)
{
    return output->error;
}

/* -- to the host ------------------------------------------------------------------------------- */

/* Writes all bytes, or sets output->error. After an error nothing is written any more. */
static void write_all(MachOutput *output, int stream, const char *bytes, size_t size)
{
    while (size && !output->error) {
        ssize_t written = write(stream + STDOUT_FILENO, bytes, size);
        if (written >= 0) {
            bytes += written;
            size -= (size_t)written;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd ready = {.fd = stream + STDOUT_FILENO, .events = POLLOUT};
            poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            output->error = errno;
        }
    }
}

static void write_buffer(MachOutput *output)
{
    GString *buffer = output->buffer;
    if (!buffer->len)
        return;
    output->printed += buffer->len;
    if (output->options.before_output)
        output->options.before_output(output->options.progress_user);
    if (output->options.output)
        output->options.output(output->options.user, output->buffer_stream + 1, buffer->str, buffer->len);
    else
        write_all(output, output->buffer_stream, buffer->str, buffer->len);
    g_string_truncate(buffer, 0);
}

static void emit(MachOutput *output, int stream, const char *bytes, size_t size)
{
    if (output->buffer_stream != stream || output->buffer->len >= WRITE_AT)
        write_buffer(output);
    output->buffer_stream = stream;
    g_string_append_len(output->buffer, bytes, (gssize)size);
}

/* Writes a line of a rank, or the beginning of one that has no end (yet). */
static void emit_line(MachOutput *output, uint32_t rank, int stream, const char *bytes, size_t size)
{
    bool goes_on = output->open_rank[stream] == rank;
    if (output->options.line) {
        output->options.line(output->options.user, rank, stream + 1, bytes, size);
        return;
    }
    if (output->open_rank[stream] != NOBODY && !goes_on)
        emit(output, stream, "\n", 1);
    if (output->options.label && !goes_on) {
        char label[16];
        int length = g_snprintf(label, sizeof label, "[%u] ", rank);
        emit(output, stream, label, (size_t)length);
    }
    emit(output, stream, bytes, size);
    output->open_rank[stream] = bytes[size - 1] == '\n' ? NOBODY : (int64_t)rank;
}

/* -- lines ------------------------------------------------------------------------------------- */

static void emit_unfinished(MachOutput *output, uint32_t rank, int stream)
{
    GString **line = &output->lines[(gsize)rank * STREAMS + (gsize)stream];
    if (!*line)
        return;
    emit_line(output, rank, stream, (*line)->str, (*line)->len);
    g_string_free(*line, TRUE);
    *line = NULL;
}

void mach_output_cut(MachOutput *output, uint32_t rank)
{
    if (!output->cut)
        output->cut = g_new0(bool, output->ranks);
    output->cut[rank] = true;
}

static void take_write(MachOutput *output, uint32_t rank, const Write *write)
{
    if (G_UNLIKELY(output->cut) && output->cut[rank] && !write->finish)
        return;
    const char *bytes = write->bytes;
    size_t size = write->size;
    GString **line = &output->lines[(gsize)rank * STREAMS + write->stream];
    while (size) {
        const char *end = memchr(bytes, '\n', size);
        size_t length = end ? (size_t)(end - bytes) + 1 : size;
        if (end && !*line) {
            emit_line(output, rank, write->stream, bytes, length);
        } else {
            if (!*line)
                *line = g_string_new(NULL);
            g_string_append_len(*line, bytes, (gssize)length);
            if (end)
                emit_unfinished(output, rank, write->stream);
        }
        bytes += length;
        size -= length;
    }
    if (write->finish)
        for (int stream = 0; stream < STREAMS; stream++)
            emit_unfinished(output, rank, stream);
}

static Write *write_new(uint32_t rank, int stream, uint64_t time_ps, const char *bytes, size_t size)
{
    Write *write = g_malloc(sizeof *write + size);
    *write = (Write){.time_ps = time_ps, .rank = rank, .task = rank, .stream = stream == 2, .size = size};
    memcpy(write->bytes, bytes, size);
    return write;
}

static void queue_write(MachOutput *output, Write *write)
{
    base_queue_push(output->writes, write->time_ps, 0, write->rank, (uintptr_t)write, 0);
}

/* Queues a write, or holds it. */
static void take_in(MachOutput *output, Write *write)
{
    if (G_LIKELY(!output->held) || !output->holds[write->task]) {
        queue_write(output, write);
        return;
    }
    GQueue **held = &output->held[write->task];
    if (!*held)
        *held = g_queue_new();
    g_queue_push_tail(*held, write);
    if ((*held)->length == 1)
        output->wrote(output->wrote_user, write->task);
}

void mach_output_hold_tasks(MachOutput *output, uint32_t tasks, void (*wrote)(void *user, uint32_t task), void *user)
{
    output->tasks = tasks;
    output->held = g_new0(GQueue *, tasks);
    output->holds = g_new0(bool, tasks);
    output->wrote = wrote;
    output->wrote_user = user;
}

void mach_output_hold(MachOutput *output, uint32_t task, bool held)
{
    output->holds[task] = held;
    if (!held && output->held[task])
        g_queue_free_full(g_steal_pointer(&output->held[task]), g_free);
}

uint64_t mach_output_held(const MachOutput *output, uint32_t task)
{
    const Write *first = output->held[task] ? g_queue_peek_head(output->held[task]) : NULL;
    return first ? first->time_ps : UINT64_MAX;
}

void mach_output_release(MachOutput *output, uint32_t task, uint64_t last_ps, uint64_t now_ps)
{
    Write *write;
    while (output->held[task] && (write = g_queue_peek_head(output->held[task])) && write->time_ps <= last_ps) {
        g_queue_pop_head(output->held[task]);
        write->time_ps = now_ps;
        queue_write(output, write);
    }
}

void mach_output_write(MachOutput *output, uint32_t rank, int stream, uint64_t time_ps, const char *bytes, size_t size)
{
    if (size && !output->error)
        take_in(output, write_new(rank, stream, time_ps, bytes, size));
}

void mach_output_write_of(MachOutput *output, uint32_t task, uint32_t rank, int stream, uint64_t time_ps,
                          const char *bytes, size_t size)
{
    if (!size || output->error)
        return;
    Write *write = write_new(rank, stream, time_ps, bytes, size);
    write->task = task;
    take_in(output, write);
}

GPtrArray *mach_output_writes_new(void)
{
    return g_ptr_array_new_with_free_func(g_free);
}

void mach_output_writes_add(GPtrArray *writes, uint32_t rank, int stream, uint64_t time_ps, const char *bytes,
                            size_t size)
{
    if (size)
        g_ptr_array_add(writes, write_new(rank, stream, time_ps, bytes, size));
}

void mach_output_take(MachOutput *output, GPtrArray *writes)
{
    guint count = writes->len;
    gpointer *items = g_ptr_array_steal(writes, NULL);
    for (guint i = 0; i < count; i++)
        if (output->error)
            g_free(items[i]);
        else
            take_in(output, items[i]);
    g_free(items);
}

void mach_output_finish(MachOutput *output, uint32_t rank, uint64_t time_ps)
{
    if (!output->lines[(gsize)rank * STREAMS] && !output->lines[(gsize)rank * STREAMS + 1] &&
        !base_queue_size(output->writes))
        return;
    Write *write = write_new(rank, 1, time_ps, "", 0);
    write->finish = true;
    queue_write(output, write);
}

static void take_writes(MachOutput *output, uint64_t last_ps)
{
    const BaseEvent *top;
    while ((top = base_queue_top(output->writes)) && top->time_ps <= last_ps) {
        BaseEvent event;
        base_queue_pop(output->writes, &event);
        Write *write = (Write *)(uintptr_t)event.a;
        take_write(output, event.rank, write);
        g_free(write);
    }
}

static G_GNUC_NO_INLINE void flush_until(MachOutput *output, uint64_t last_ps)
{
    take_writes(output, last_ps);
    write_buffer(output);
}

void mach_output_flush(MachOutput *output, uint64_t before_ps)
{
    if (G_UNLIKELY(base_queue_next_time(output->writes) < before_ps))
        flush_until(output, before_ps - 1);
}

void mach_output_end(MachOutput *output, uint64_t last_ps)
{
    mach_output_end_late(output, last_ps, last_ps, 0);
}

void mach_output_end_late(MachOutput *output, uint64_t last_ps, uint64_t late_ps, uint32_t late_ranks)
{
    take_writes(output, last_ps);
    BaseEvent event;
    while (base_queue_pop(output->writes, &event)) {
        Write *write = (Write *)(uintptr_t)event.a;
        if (event.time_ps <= late_ps && event.rank < late_ranks)
            take_write(output, event.rank, write);
        g_free(write);
    }
    for (uint32_t rank = 0; rank < output->ranks; rank++)
        for (int stream = 0; stream < STREAMS; stream++)
            emit_unfinished(output, rank, stream);
    write_buffer(output);
}

void mach_output_prompt(MachOutput *output, uint32_t rank, uint64_t time_ps)
{
    if (output->held && output->held[rank]) /* a person comes before the order of virtual time */
        mach_output_release(output, rank, UINT64_MAX, time_ps);
    take_writes(output, time_ps);
    emit_unfinished(output, rank, 0);
    write_buffer(output);
}
