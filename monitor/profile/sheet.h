/* sheet.h - a table whose columns have names for people and for CSV. Internal to profile/. */
#ifndef ORRERY_MONITOR_PROFILE_SHEET_H
#define ORRERY_MONITOR_PROFILE_SHEET_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum SheetKind {
    SHEET_TEXT,
    SHEET_TIME, /* ps */
    SHEET_COUNT,
    SHEET_SHARE, /* parts in a million, shown in percent */
} SheetKind;

typedef struct Sheet Sheet;
Sheet *mon_sheet_new(void);
void mon_sheet_free(Sheet *sheet);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Sheet, mon_sheet_free)
/* Adds a column before any row. `key`: its heading in CSV; NULL: that of people. Texts are copied. */
void mon_sheet_column(Sheet *sheet, SheetKind kind, const char *heading, const char *key);
/* Add the next cell, row by row. */
void mon_sheet_text(Sheet *sheet, const char *text);
void mon_sheet_number(Sheet *sheet, uint64_t number);
/* Returns what part `part` is of `all`, for SHEET_SHARE. */
uint64_t mon_sheet_share(uint64_t part, uint64_t all);
/* Appends the table with aligned columns: at most `most` rows (0: all), and how many were left out. */
void mon_sheet_print(const Sheet *sheet, uint32_t most, GString *out);
/* Appends it as CSV with all rows. Times are in ps. */
void mon_sheet_print_csv(const Sheet *sheet, GString *out);

#endif
