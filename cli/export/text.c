/* text.c - text that is made piece by piece. */
#include "cli/export/text.h"

#include "base/write_file.h"

enum { BUFFER_BYTES = 1 << 16 };

struct TraceText {
    GString *buffer;
    BaseWriting *writing;
};

TraceText *cli_trace_text_to(const char *path, GError **error)
{
    BaseWriting *writing = base_write_begin(path, error);
    if (!writing)
        return NULL;
    TraceText *text = g_new0(TraceText, 1);
    text->writing = writing;
    text->buffer = g_string_sized_new(BUFFER_BYTES);
    return text;
}

static void write_buffer(TraceText *text)
{
    base_write_add(text->writing, text->buffer->str, text->buffer->len);
    g_string_truncate(text->buffer, 0);
}

GString *cli_trace_text(TraceText *text)
{
    if (text->buffer->len >= BUFFER_BYTES)
        write_buffer(text);
    return text->buffer;
}

bool cli_trace_text_end(TraceText *text, bool good, GError **error)
{
    write_buffer(text);
    good = base_write_end(text->writing, good, error);
    g_string_free(text->buffer, TRUE);
    g_free(text);
    return good;
}
