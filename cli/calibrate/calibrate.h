/* calibrate.h - shared by the files of `orrery calibrate`: kernels and their measured times (measure.c). */
#ifndef ORRERY_CLI_CALIBRATE_H
#define ORRERY_CLI_CALIBRATE_H

typedef struct CalibrationTime { /* measured time of a kernel */
    char *name;                  /* like "fit/axpy" */
    double least_ns, second_ns;  /* the two least times of a call, from different runs; 0: not measured */
} CalibrationTime;

typedef struct Calibration {
    char *directory;   /* directory of the kernels */
    GArray *times;     /* CalibrationTime, sorted by name */
    uint64_t clock_hz; /* 0: not known yet */
} Calibration;

/* Finds the kernels, without times: every `step`-th of those in fit/ and of those in check/. */
bool cli_calibrate_find(Calibration *calibration, unsigned step, GError **error);
void cli_calibrate_clear(Calibration *calibration);
/* Returns the path of a kernel's source. The caller frees it with g_free(). */
char *cli_calibrate_source(const Calibration *calibration, const char *name);
/* Measures all kernels with `turns` runs of each at most, and the clock if it is not known. Reports kernels whose times
 * vary. */
bool cli_calibrate_measure(Calibration *calibration, const char *cc, unsigned turns, GError **error);
/* Read and write a table of times. A line is "NAME NANOSECONDS" or "clock FREQUENCY"; # begins a comment. */
bool cli_calibrate_read(Calibration *calibration, const char *path, GError **error);
bool cli_calibrate_write(const Calibration *calibration, const char *path, GError **error);

#endif
