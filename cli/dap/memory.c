/* memory.c - memory of the rank shown last, and code. References are numbers in hexadecimal: of memory addresses, of
 * code the index of an instruction.
 */
#include "cli/dap/server.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_READ = 1 << 20, MOST_WRITTEN = 4096, MOST_CODE = 10000 };

static bool read_reference(const json_t *arguments, json_int_t *number, GError **error)
{
    const char *text = cli_dap_string(arguments, "memoryReference");
    char *end;
    *number = text ? (json_int_t)g_ascii_strtoull(text, &end, 0) : 0;
    if (!text || end == text || *end)
        return cli_dap_refuse(error, "memoryReference is a number such as 0x1000") != NULL;
    *number += cli_dap_integer(arguments, "offset", 0);
    return true;
}

json_t *cli_dap_readMemory(DapServer *server, const json_t *arguments, GError **error)
{
    json_int_t address, count = cli_dap_integer(arguments, "count", 0);
    if (!read_reference(arguments, &address, error))
        return NULL;
    if (address < 0 || count < 0)
        return cli_dap_refuse(error, "readMemory: offset and count lead outside of memory");
    g_autofree char *asked =
        g_strdup_printf("%" JSON_INTEGER_FORMAT " %" JSON_INTEGER_FORMAT, address, MIN(count, MOST_READ));
    json_t *digits = cli_dap_values_ask(server, MON_QUERY_DATA_BYTES, &(MonPlace){.rank = server->rank}, asked, error);
    if (!digits)
        return NULL;
    const char *text = json_string_value(digits);
    size_t n = strlen(text) / 2;
    g_autofree guchar *bytes = g_malloc(n + 1);
    for (size_t i = 0; i < n; i++)
        bytes[i] = (guchar)(g_ascii_xdigit_value(text[2 * i]) << 4 | g_ascii_xdigit_value(text[2 * i + 1]));
    g_autofree char *encoded = g_base64_encode(bytes, n), *where = g_strdup_printf("0x%llx", (long long)address);
    json_decref(digits);
    return json_pack("{s:s, s:s, s:I}", "address", where, "data", encoded, "unreadableBytes", count - (json_int_t)n);
}

json_t *cli_dap_writeMemory(DapServer *server, const json_t *arguments, GError **error)
{
    json_int_t address;
    const char *data = cli_dap_string(arguments, "data");
    gsize n = 0;
    if (!read_reference(arguments, &address, error))
        return NULL;
    g_autofree guchar *bytes = data ? g_base64_decode(data, &n) : NULL;
    if (!bytes || n > MOST_WRITTEN)
        return cli_dap_refuse(error, "writeMemory: data are %d bytes at most, in base64", MOST_WRITTEN);
    MonPlace place = {.rank = server->rank};
    for (gsize i = 0; i < n; i++) {
        g_autofree char *text =
            g_strdup_printf("*(unsigned char *)%" JSON_INTEGER_FORMAT " = %u", address + (json_int_t)i, bytes[i]);
        g_autoptr(GString) out = g_string_new(NULL);
        if (!mon_session_set(server->core, &place, text, out, error))
            return NULL;
    }
    return json_pack("{s:I}", "bytesWritten", (json_int_t)n);
}

static json_t *nothing_there(json_int_t pc)
{
    g_autofree char *where = g_strdup_printf("0x%llx", (long long)MAX(pc, 0));
    return json_pack("{s:s, s:s, s:s}", "address", where, "instruction", "(none)", "presentationHint", "invalid");
}

static json_t *describe_instruction(const DapServer *server, const json_t *one)
{
    g_autofree char *where = g_strdup_printf("0x%llx", (long long)cli_dap_integer(one, "pc", 0));
    json_t *told = json_pack("{s:s, s:O, s:O}", "address", where, "instruction", json_object_get(one, "text"), "symbol",
                             json_object_get(one, "name"));
    const char *file = cli_dap_string(one, "file");
    if (file) {
        g_autofree char *path = cli_dap_launch_path(server, file), *base = g_path_get_basename(file);
        json_object_set_new(told, "location",
                            json_pack("{s:o, s:o}", "name", cli_dap_text(base), "path", cli_dap_text(path)));
        json_object_set_new(told, "line", json_integer(cli_dap_integer(one, "line", 0) - !server->first_line));
    }
    return told;
}

json_t *cli_dap_disassemble(DapServer *server, const json_t *arguments, GError **error)
{
    json_int_t first, count = cli_dap_integer(arguments, "instructionCount", 0);
    if (!read_reference(arguments, &first, error))
        return NULL;
    if (count < 0 || count > MOST_CODE)
        return cli_dap_refuse(error, "disassemble: instructionCount is %d at most", MOST_CODE);
    first += cli_dap_integer(arguments, "instructionOffset", 0);
    json_int_t from = MAX(first, 0);
    g_autofree char *asked =
        g_strdup_printf("%" JSON_INTEGER_FORMAT " %" JSON_INTEGER_FORMAT, from, MAX(first + count - from, 0));
    json_t *code = cli_dap_values_ask(server, MON_QUERY_DATA_CODE, &(MonPlace){.rank = server->rank}, asked, error);
    if (!code)
        return NULL;
    json_t *all = json_array(); /* exactly as many as were asked for */
    for (json_int_t pc = first; pc < first + count; pc++) {
        json_t *one = pc >= from ? json_array_get(code, (size_t)(pc - from)) : NULL;
        json_array_append_new(all, one ? describe_instruction(server, one) : nothing_there(pc));
    }
    json_decref(code);
    return json_pack("{s:o}", "instructions", all);
}
