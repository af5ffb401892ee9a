/* export.h - what an export is: a row of monitor/exports.def, and a file of this folder that defines mon_export_NAME.
 */
#ifndef ORRERY_MONITOR_EXPORT_EXPORT_H
#define ORRERY_MONITOR_EXPORT_EXPORT_H

#include "monitor/monitor.h"
#include "monitor/network/network.h"
#include "monitor/profile.h"
#include "monitor/report/report.h"

typedef struct MonExportRun { /* a run at its end, as an export sees it */
    const Machine *machine;
    MonNetwork *network;           /* what exports have asked to know of the network; NULL: none has asked */
    void *own;                     /* what begin() has set */
    const MonDiagnosis *diagnosis; /* for exports that want it */
    MonProfile *profile;           /* for exports that want it */
    const char *what_if;           /* JSON of what other runs have given; NULL: there were none */
} MonExportRun;

typedef struct MonExportSettings { /* values of the settings; 0: not given */
    uint64_t values[MON_EXPORT_SETTINGS];
    const MonExportsAsked *asked;
} MonExportSettings;

typedef struct MonExportStart { /* a run before it begins, as an export sees it */
    Machine *machine;
    MonNetwork *network; /* what exports have asked to know of the network; NULL: none has asked */
    const char *path;
    const MonExportsAsked *asked;
} MonExportStart;

/* The functions of an export. All but write() may be NULL. */
typedef struct MonExport {
    bool diagnosis; /* it wants to know what was lost, MonExportRun.diagnosis */
    bool profile;   /* ... where time went, MonExportRun.profile */
    /* Returns whether the export can be written to that path. Called before anything is compiled. */
    bool (*check)(const char *path, GError **error);
    /* Returns whether a text that goes with the export (MON_EXPORT_TEXT) means something. */
    bool (*check_text)(MonExportTextNumber number, const char *text, GError **error);
    /* Adds to `options` what the export needs to know of the network. */
    void (*ask)(MonNetworkOptions *options, const MonExportSettings *settings);
    /* Called before the run. Observes what the machine does not keep by itself, and sets *own, which is NULL. Returns
     * false with an error if the path cannot be written, where that is done during the run. */
    bool (*begin)(const MonExportStart *start, void **own, GError **error);
    /* Called after the run, however it ended. */
    bool (*write)(const MonExportRun *run, const char *path, GError **error);
    void (*end)(void *own);
} MonExport;

#define MON_EXPORT(identifier, option, help, example) extern const MonExport mon_export_##identifier;
#include "monitor/exports.def"

#endif
