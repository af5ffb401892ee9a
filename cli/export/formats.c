/* formats.c - the table of formats. */
#include "cli/export/export.h"

const ExportFormat export_formats[] = {
#define EXPORT(identifier, name, file, help) {name, help, file, export_##identifier},
#include "cli/export/exports.def"
    {0}};

#define EXPORT(identifier, name, file, help) "|" name
const char export_format_choices[] = "csv|json"
#include "cli/export/exports.def"
    ;

#define EXPORT(identifier, name, file, help) "\n" name ": " help
const char export_format_help[] =
    "convert: a table (csv, the default), an object of JSON on each line (json), or one of these:"
#include "cli/export/exports.def"
    ;
