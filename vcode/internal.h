/* internal.h - what the files of the vCode library share: the tables of a module by number, so that one loop serves
 * all of them.
 */
#ifndef ORRERY_VCODE_INTERNAL_H
#define ORRERY_VCODE_INTERNAL_H

#include "vcode/vcode.h"

#include <sys/stat.h>

typedef enum VcodeTable {
#define TABLE_NUMBER(field, record) VCODE_TABLE_##field,
    VCODE_TABLES(TABLE_NUMBER)
#undef TABLE_NUMBER
        VCODE_TABLE_COUNT
} VcodeTable;

typedef struct VcodeTableInfo {
    const char *name;
    uint32_t record; /* bytes */
    size_t place;    /* of the table within VcodeModule */
} VcodeTableInfo;
extern const VcodeTableInfo vcode_file_table_info[VCODE_TABLE_COUNT];

/* A table without its record type. */
typedef struct VcodeAnyTable {
    void *items;
    uint32_t count;
    uint32_t capacity;
} VcodeAnyTable;
static inline VcodeAnyTable *vcode_table(const VcodeModule *module, VcodeTable table)
{
    return (VcodeAnyTable *)((char *)module + vcode_file_table_info[table].place);
}

/* Checks every index in every record of a module whose tables are in place. `name` is for messages. */
bool vcode_records_check(const VcodeModule *module, const char *name, GError **error);
/* Opens a file for reading if it is an ordinary one; -1 with errno set. */
int vcode_file_open_ordinary(const char *path, struct stat *status);
/* Reads up to `size` bytes, fewer at the end of the file; -1 on an error. */
ssize_t vcode_file_read_all(int fd, uint8_t *bytes, size_t size);
/* Adds before[T] to every index into table T in the records from before[] on (join.c). */
void vcode_records_shift(VcodeModule *module, const uint32_t before[VCODE_TABLE_COUNT]);

#endif
