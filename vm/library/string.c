/* string.c - <string.h> and <strings.h>: host functions on strings and blocks of rank memory (C11 7.24).
 *
 * Each function finds its operands in host memory through the checked accessors and then calls the host's own routine.
 * Results that point into an operand are converted back to rank addresses. Copies whose operands overlap are undefined
 * in C; here they behave as memmove, so that the outcome does not depend on the host's routine.
 *
 * Cost: a base per call and an assumed amount per byte that is read (library.def).
 */
#include "vm/check/check.h"
#include "vm/library/calls.h"

#include <strings.h>

/* Returns the address of `found`, which lies in the operand `base` that the program knows as `address`. NULL stays
 * NULL. */
static VmCallResult return_pointer(uint64_t *args, uint64_t address, const void *base, const void *found)
{
    g_assert(!found || (const char *)found >= (const char *)base);
    return c_return(args, found ? address + (uint64_t)((const char *)found - (const char *)base) : 0);
}

/* -- blocks ------------------------------------------------------------------------------------ */

static VmCallResult copy_block(VmRank *rank, uint64_t *args, uint64_t result)
{
    uint64_t size = args[2];
    c_charge(rank, size);
    const void *from = c_read(1, size);
    void *to = from ? c_write(0, size) : NULL;
    if (!to)
        return VM_CALL_FAULT;
    if (size)
        memmove(to, from, size);
    return c_return(args, result);
}

C_FUNCTION(memcpy)
{
    return copy_block(rank, args, args[0]);
}

C_FUNCTION(memmove)
{
    return copy_block(rank, args, args[0]);
}

C_FUNCTION(mempcpy)
{
    return copy_block(rank, args, args[0] + args[2]);
}

C_FUNCTION(bcopy)
{
    uint64_t swapped = args[0];
    args[0] = args[1];
    args[1] = swapped;
    return copy_block(rank, args, 0);
}

C_FUNCTION(memset)
{
    c_charge(rank, args[2]);
    void *to = c_write(0, args[2]);
    if (!to)
        return VM_CALL_FAULT;
    vm_memory_populate(rank, args[0], args[2]);
    if (args[2])
        memset(to, c_int(args[1]), args[2]);
    return VM_CALL_DONE;
}

C_FUNCTION(bzero)
{
    c_charge(rank, args[1]);
    void *to = c_write(0, args[1]);
    if (!to)
        return VM_CALL_FAULT;
    if (args[1])
        memset(to, 0, args[1]);
    return c_return(args, 0);
}

/* glibc's memcmp returns the difference of the first bytes that differ. */
C_FUNCTION(memcmp)
{
    const unsigned char *a = c_read(0, args[2]);
    const unsigned char *b = a ? c_read(1, args[2]) : NULL;
    if (!b)
        return VM_CALL_FAULT;
    uint64_t i = 0;
    if (args[2] && memcmp(a, b, args[2]) != 0)
        while (a[i] == b[i])
            i++;
    else
        i = args[2];
    vm_shadow_used(rank, args[0], MIN(i + 1, args[2]));
    vm_shadow_used(rank, args[1], MIN(i + 1, args[2]));
    c_charge(rank, i);
    return c_return_int(args, i < args[2] ? a[i] - b[i] : 0);
}

/* The block may be longer than readable memory if the byte comes before that (C11 7.24.5.1 p2). */
C_FUNCTION(memchr)
{
    uint64_t limit = args[2];
    const char *block = vm_memory_read(rank, args[0], limit);
    bool whole = block;
    if (!block && c_int(args[1]) % 256 == 0) {
        size_t length;
        block = c_text(0, limit, &length);
        limit = length + 1;
    } else if (!block) {
        block = c_read(0, limit);
    }
    if (!block)
        return VM_CALL_FAULT;
    const char *found = limit ? memchr(block, c_int(args[1]), limit) : NULL;
    if (whole && !vm_memory_observe(rank, args[0], found ? (uint64_t)(found - block) + 1 : limit, false))
        return VM_CALL_FAULT;
    c_charge(rank, found ? (uint64_t)(found - block) + 1 : limit);
    return return_pointer(args, args[0], block, found);
}

C_FUNCTION(memrchr)
{
    const char *block = c_read(0, args[2]);
    if (!block)
        return VM_CALL_FAULT;
    c_charge(rank, args[2]);
    return return_pointer(args, args[0], block, args[2] ? memrchr(block, c_int(args[1]), args[2]) : NULL);
}

C_FUNCTION(memmem)
{
    const char *block = c_read(0, args[1]);
    const char *wanted = block ? c_read(2, args[3]) : NULL;
    if (!wanted)
        return VM_CALL_FAULT;
    c_charge(rank, args[1] + args[3]);
    if (args[3] == 0)
        return VM_CALL_DONE;
    return return_pointer(args, args[0], block, args[1] ? memmem(block, args[1], wanted, args[3]) : NULL);
}

C_FUNCTION(memccpy)
{
    const char *from = c_read(1, args[3]);
    char *to = from ? c_write(0, args[3]) : NULL;
    if (!to)
        return VM_CALL_FAULT;
    const char *found = args[3] ? memchr(from, c_int(args[2]), args[3]) : NULL;
    uint64_t size = found ? (uint64_t)(found - from) + 1 : args[3];
    c_charge(rank, size);
    if (size)
        memmove(to, from, size);
    return c_return(args, found ? args[0] + size : 0);
}

/* -- length and copying ------------------------------------------------------------------------ */

C_FUNCTION(strlen)
{
    const char *text = c_string(0);
    if (!text)
        return VM_CALL_FAULT;
    size_t length = strlen(text);
    c_charge(rank, length);
    return c_return(args, length);
}

C_FUNCTION(strnlen)
{
    size_t length;
    if (!c_text(0, args[1], &length))
        return VM_CALL_FAULT;
    c_charge(rank, length);
    return c_return(args, length);
}

/* Copies `length` bytes at `from` (the string args[1]) and a NUL to args[0] + offset. */
static bool copy_string(VmRank *rank, uint64_t *args, uint64_t offset, const char *from, size_t length)
{
    c_charge(rank, length);
    char *to = vm_library_write(rank, args[0] + offset, length + 1, 1);
    if (!to)
        return false;
    memmove(to, from, length);
    to[length] = '\0';
    return true;
}

C_FUNCTION(strcpy)
{
    const char *from = c_string(1);
    return from && copy_string(rank, args, 0, from, strlen(from)) ? VM_CALL_DONE : VM_CALL_FAULT;
}

C_FUNCTION(stpcpy)
{
    const char *from = c_string(1);
    size_t length = from ? strlen(from) : 0;
    if (!from || !copy_string(rank, args, 0, from, length))
        return VM_CALL_FAULT;
    return c_return(args, args[0] + length);
}

/* Writes exactly args[2] bytes: the text, then NULs (C11 7.24.2.4). */
static VmCallResult copy_padded(VmRank *rank, uint64_t *args, bool return_end)
{
    size_t length;
    const char *from = c_text(1, args[2], &length);
    char *to = from ? c_write(0, args[2]) : NULL;
    if (!to)
        return VM_CALL_FAULT;
    c_charge(rank, args[2]);
    if (args[2]) {
        memmove(to, from, length);
        memset(to + length, 0, args[2] - length);
    }
    return c_return(args, return_end ? args[0] + length : args[0]);
}

C_FUNCTION(strncpy)
{
    return copy_padded(rank, args, false);
}

C_FUNCTION(stpncpy)
{
    return copy_padded(rank, args, true);
}

C_FUNCTION(strcat)
{
    const char *head = c_string(0);
    const char *tail = head ? c_string(1) : NULL;
    if (!tail)
        return VM_CALL_FAULT;
    size_t offset = strlen(head);
    c_charge(rank, offset);
    return copy_string(rank, args, offset, tail, strlen(tail)) ? VM_CALL_DONE : VM_CALL_FAULT;
}

C_FUNCTION(strncat)
{
    size_t length;
    const char *head = c_string(0);
    const char *tail = head ? c_text(1, args[2], &length) : NULL;
    if (!tail)
        return VM_CALL_FAULT;
    size_t offset = strlen(head);
    c_charge(rank, offset);
    return copy_string(rank, args, offset, tail, length) ? VM_CALL_DONE : VM_CALL_FAULT;
}

/* -- comparing --------------------------------------------------------------------------------- */

/* The byte that strcasecmp compares in the C locale. */
static int folded(unsigned char byte)
{
    return byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte;
}

/* Compares up to `limit` bytes. glibc's routines on x86-64 return the difference of the deciding bytes. */
static VmCallResult compare_strings(VmRank *rank, uint64_t *args, uint64_t limit, bool fold)
{
    if (limit == 0)
        return c_return_int(args, 0);
    uint64_t room_a, room_b;
    const unsigned char *a = (const unsigned char *)vm_library_reach(rank, args[0], 1, &room_a);
    const unsigned char *b = a ? (const unsigned char *)vm_library_reach(rank, args[1], 2, &room_b) : NULL;
    if (!b)
        return VM_CALL_FAULT;
    uint64_t most = MIN(limit, MIN(room_a, room_b)), i = 0;
    while (i < most && a[i] && (a[i] == b[i] || (fold && folded(a[i]) == folded(b[i]))))
        i++;
    if (i == most && most < limit) {
        vm_library_no_string(rank, args[room_a == most ? 0 : 1], room_a == most ? 1 : 2);
        return VM_CALL_FAULT;
    }
    int difference = i == most ? 0 : fold ? folded(a[i]) - folded(b[i]) : a[i] - b[i];
    uint64_t seen = MIN(i + 1, limit);
    if (!vm_memory_observe(rank, args[0], seen, false) || !vm_memory_observe(rank, args[1], seen, false))
        return VM_CALL_FAULT;
    c_charge(rank, difference ? seen : i);
    return c_return_int(args, difference);
}

C_FUNCTION(strcmp)
{
    return compare_strings(rank, args, UINT64_MAX, false);
}

C_FUNCTION(strncmp)
{
    return compare_strings(rank, args, args[2], false);
}

C_FUNCTION(strcasecmp)
{
    return compare_strings(rank, args, UINT64_MAX, true);
}

C_FUNCTION(strncasecmp)
{
    return compare_strings(rank, args, args[2], true);
}

/* In the C locale strcoll is strcmp (C11 7.24.4.3). */
C_FUNCTION(strcoll)
{
    return compare_strings(rank, args, UINT64_MAX, false);
}

/* In the C locale a string is its own collation key (C11 7.24.4.5). */
C_FUNCTION(strxfrm)
{
    const char *from = c_string(1);
    if (!from)
        return VM_CALL_FAULT;
    size_t length = strlen(from), size = MIN(length + 1, args[2]);
    c_charge(rank, length);
    char *to = c_write(0, size);
    if (!to)
        return VM_CALL_FAULT;
    if (size)
        memmove(to, from, size);
    return c_return(args, length);
}

/* -- searching --------------------------------------------------------------------------------- */

static VmCallResult find_byte(VmRank *rank, uint64_t *args, char *(*find)(const char *, int))
{
    const char *text = c_string(0);
    if (!text)
        return VM_CALL_FAULT;
    const char *found = find(text, c_int(args[1]));
    c_charge(rank, found ? (uint64_t)(found - text) + 1 : strlen(text));
    return return_pointer(args, args[0], text, found);
}

C_FUNCTION(strchr)
{
    return find_byte(rank, args, strchr);
}

C_FUNCTION(index)
{
    return find_byte(rank, args, strchr);
}

C_FUNCTION(strchrnul)
{
    return find_byte(rank, args, strchrnul);
}

C_FUNCTION(strrchr)
{
    return find_byte(rank, args, strrchr);
}

C_FUNCTION(rindex)
{
    return find_byte(rank, args, strrchr);
}

static VmCallResult find_string(VmRank *rank, uint64_t *args, char *(*find)(const char *, const char *))
{
    const char *text = c_string(0);
    const char *wanted = text ? c_string(1) : NULL;
    if (!wanted)
        return VM_CALL_FAULT;
    const char *found = find(text, wanted);
    c_charge(rank, found ? (uint64_t)(found - text) + 1 : strlen(text));
    return return_pointer(args, args[0], text, found);
}

C_FUNCTION(strstr)
{
    return find_string(rank, args, strstr);
}

/* The host's strcasestr is not used, because it folds cases by the host's locale. */
static char *find_folded(const char *text, const char *wanted)
{
    size_t length = strlen(wanted);
    for (; g_ascii_strncasecmp(text, wanted, length) != 0; text++)
        if (!*text)
            return NULL;
    return (char *)text;
}

C_FUNCTION(strcasestr)
{
    return find_string(rank, args, find_folded);
}

C_FUNCTION(strpbrk)
{
    return find_string(rank, args, strpbrk);
}

static VmCallResult span(VmRank *rank, uint64_t *args, size_t (*measure)(const char *, const char *))
{
    const char *text = c_string(0);
    const char *set = text ? c_string(1) : NULL;
    if (!set)
        return VM_CALL_FAULT;
    size_t length = measure(text, set);
    c_charge(rank, length);
    return c_return(args, length);
}

C_FUNCTION(strspn)
{
    return span(rank, args, strspn);
}

C_FUNCTION(strcspn)
{
    return span(rank, args, strcspn);
}
