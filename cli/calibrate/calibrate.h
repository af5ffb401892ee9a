/* calibrate.h - what the files of `orrery calibrate` share: kernels and their measured times (measure.c). */
#ifndef ORRERY_CLI_CALIBRATE_H
#define ORRERY_CLI_CALIBRATE_H

typedef struct CalibrationTime { /* of a kernel */
    char *name;                  /* "fit/axpy" */
    double least_ns, second_ns;  /* of a call, in different runs; 0: not measured */
} CalibrationTime;

typedef struct Calibration {
    char *directory;   /* of the kernels */
    GArray *times;     /* CalibrationTime, sorted by name */
    uint64_t clock_hz; /* 0: not known yet */
} Calibration;

/* Finds the kernels, without times: every `step`-th of those in fit/ and of those in check/. */
bool cli_calibrate_find(Calibration *calibration, unsigned step, GError **error);
void cli_calibrate_clear(Calibration *calibration);
/* The path of a kernel's source; g_free. */
char *cli_calibrate_source(const Calibration *calibration, const char *name);
/* Measures all kernels, and the clock where it is not known: `turns` runs of each at most. Says which are noisy. */
bool cli_calibrate_measure(Calibration *calibration, const char *cc, unsigned turns, GError **error);
/* A table of times: "NAME NANOSECONDS" a line, "clock FREQUENCY", comments behind #. */
bool cli_calibrate_read(Calibration *calibration, const char *path, GError **error);
bool cli_calibrate_write(const Calibration *calibration, const char *path, GError **error);

#endif
