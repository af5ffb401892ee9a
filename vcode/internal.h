/* internal.h - what the files of the vCode library share.
 *
 * A module's tables are numbered, so that one loop can treat all of them.
 */
#ifndef ORRERY_VCODE_INTERNAL_H
#define ORRERY_VCODE_INTERNAL_H

#include "vcode/vcode.h"

#include <sys/stat.h>

/* The number of each table, in the order of VCODE_TABLES. */
typedef enum VcodeTable {
#define TABLE_NUMBER(field, record) VCODE_TABLE_##field,
    VCODE_TABLES(TABLE_NUMBER)
#undef TABLE_NUMBER
        VCODE_TABLE_COUNT
} VcodeTable;

typedef struct VcodeTableInfo {
    const char *name;
    uint32_t record; /* size of one record in bytes */
    size_t place;    /* offset of the table within VcodeModule */
} VcodeTableInfo;
extern const VcodeTableInfo vcode_file_table_info[VCODE_TABLE_COUNT];

/* A table whose record type is not known. Its layout is that of every table in VcodeModule. */
typedef struct VcodeAnyTable {
    void *items;
    uint32_t count;
    uint32_t capacity;
} VcodeAnyTable;
static inline VcodeAnyTable *vcode_table(const VcodeModule *module, VcodeTable table)
{
    return (VcodeAnyTable *)((char *)module + vcode_file_table_info[table].place);
}

/* Checks every index in every record of a module whose tables are already set. `name` is the module's name in messages.
 * Returns false and sets `error` at the first bad record. */
bool vcode_records_check(const VcodeModule *module, const char *name, GError **error);
/* Opens `path` for reading if it is an ordinary file, and fills in `status`. Returns the descriptor, or -1 with errno
 * set. */
int vcode_file_open_ordinary(const char *path, struct stat *status);
/* Reads up to `size` bytes. Returns how many bytes were read (fewer at the end of the file), or -1 with errno set. */
ssize_t vcode_file_read_all(int fd, uint8_t *bytes, size_t size);
/* Adds before[T] to every index into table T, in the records that were appended: those from before[] on in each table
 * (join.c). */
void vcode_records_shift(VcodeModule *module, const uint32_t before[VCODE_TABLE_COUNT]);

#endif
