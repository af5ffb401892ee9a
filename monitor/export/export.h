/* export.h - what an export is: a row of monitor/exports.def and a file of this room that defines mon_export_NAME. */
#ifndef ORRERY_MONITOR_EXPORT_EXPORT_H
#define ORRERY_MONITOR_EXPORT_EXPORT_H

#include "monitor/monitor.h"
#include "monitor/network/network.h"

typedef struct MonExportRun { /* a run as an export finds it at the end */
    const Machine *machine;
    MonNetwork *network; /* as far as any export has asked for it; NULL: none has */
    void *own;           /* what begin() has answered */
} MonExportRun;

typedef struct MonExportSettings { /* 0: not given */
    uint64_t values[MON_EXPORT_SETTINGS];
} MonExportSettings;

/* All but write() may be NULL. */
typedef struct MonExport {
    /* Whether it can be written to that path; asked before anything is compiled. */
    bool (*check)(const char *path, GError **error);
    /* Adds what it needs to know of the network. */
    void (*ask)(MonNetworkOptions *options, const MonExportSettings *settings);
    /* Before the run: observes what the machine does not keep by itself. */
    void *(*begin)(Machine *machine);
    /* Behind it, however it ended. */
    bool (*write)(const MonExportRun *run, const char *path, GError **error);
    void (*end)(void *own);
} MonExport;

#define MON_EXPORT(identifier, option, help, example) extern const MonExport mon_export_##identifier;
#include "monitor/exports.def"

#endif
