/* calls.c - what all chapters of the simulated C library share: access to the program's memory and errno, and the
 * host's locale. */
#include "vm/library/calls.h"

#include <langinfo.h>

/* -- errno and the program's memory ------------------------------------------------------------ */

const char *vm_library_function_name(const VmRank *rank)
{
    const VmExtern *function = vm_rank_current_extern(rank);
    return function ? function->name : "library function";
}

void vm_library_set_errno(VmRank *rank, int error)
{
    if (rank->wants_turn)
        return; /* the call will be repeated, so this does not count */
    uint64_t address = vm_rank_errno_address(rank);
    int32_t *place = address ? vm_memory_write(rank, address, sizeof *place) : NULL;
    if (place)
        *place = error;
}

int vm_library_errno(VmRank *rank)
{
    uint64_t address = vm_rank_errno_address(rank);
    const int32_t *place = address ? vm_memory_read(rank, address, sizeof *place) : NULL;
    return place ? *place : 0;
}

static void bad_pointer(VmRank *rank, VmFaultKind kind, uint64_t address, int number, const char *what)
{
    if (address < VCODE_RODATA_BASE)
        kind = VM_FAULT_NULL_POINTER;
    vm_rank_fault(rank, kind, address, "%s: argument %d is %s 0x%" G_GINT64_MODIFIER "x, %s",
                  vm_library_function_name(rank), number, address == 0 ? "the null pointer" : "the address", address,
                  what);
}

const void *vm_library_read_slowly(VmRank *rank, uint64_t address, uint64_t size, int number)
{
    if (size == 0)
        return "";
    const void *bytes = vm_rank_read(rank, address, size);
    if (!bytes) {
        g_autofree char *what =
            g_strdup_printf("where %" G_GUINT64_FORMAT " byte%s cannot be read", size, size == 1 ? "" : "s");
        bad_pointer(rank, VM_FAULT_WILD_READ, address, number, what);
    }
    return bytes;
}

void *vm_library_write_slowly(VmRank *rank, uint64_t address, uint64_t size, int number)
{
    void *bytes = vm_rank_write(rank, address, size);
    if (!bytes && size > 0) {
        bool readable = vm_memory_read(rank, address, size);
        g_autofree char *what = g_strdup_printf("where %" G_GUINT64_FORMAT " byte%s cannot be written%s", size,
                                                size == 1 ? "" : "s", readable ? " (a constant?)" : "");
        bad_pointer(rank, readable ? VM_FAULT_READ_ONLY : VM_FAULT_WILD_WRITE, address, number, what);
    }
    return bytes;
}

void vm_library_no_string(VmRank *rank, uint64_t address, int number)
{
    bad_pointer(rank, VM_FAULT_WILD_READ, address, number, "where there is no string");
}

const char *vm_library_string(VmRank *rank, uint64_t address, int number)
{
    const char *text = vm_rank_string(rank, address);
    if (!text)
        vm_library_no_string(rank, address, number);
    return text;
}

const char *vm_library_reach(VmRank *rank, uint64_t address, int number, uint64_t *room)
{
    const char *text = vm_memory_reach(rank, address, room);
    if (!text)
        vm_library_no_string(rank, address, number);
    return text;
}

const char *vm_library_text(VmRank *rank, uint64_t address, uint64_t limit, int number, size_t *length)
{
    uint64_t room;
    *length = 0;
    if (limit == 0)
        return "";
    const char *text = vm_library_reach(rank, address, number, &room);
    if (!text)
        return NULL;
    *length = strnlen(text, MIN(limit, room));
    if (*length == room && room < limit) {
        vm_library_no_string(rank, address, number);
        return NULL;
    }
    return vm_memory_observe(rank, address, MIN(*length + 1, limit), false) ? text : NULL;
}

/* -- the host's locale ------------------------------------------------------------------------- */

void vm_library_locale_begin(CLocale *locale)
{
    locale->own = (locale_t)0;
    if (strcmp(nl_langinfo(RADIXCHAR), ".") == 0)
        return;
    locale->own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (locale->own)
        locale->old = uselocale(locale->own);
}

void vm_library_locale_end(CLocale *locale)
{
    if (!locale->own)
        return;
    uselocale(locale->old);
    freelocale(locale->own);
}
