/* pipe.h - functions of the C library that wait for pipes, sockets and event counters. */
#ifndef ORRERY_THREADS_PIPE_PIPE_H
#define ORRERY_THREADS_PIPE_PIPE_H

#include "threads/core/call.h"

/* Handler of a function of the C library that is halted (VmHalt): waits until it can be performed. */
ThreadsStep threads_pipe_await(ThreadsCall *call);
/* The selected thread has changed a pipe. */
void threads_pipe_changed(ThreadsProcess *process, const VmPipeChange *change);

#endif
