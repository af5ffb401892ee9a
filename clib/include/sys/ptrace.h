/* sys/ptrace.h - a call ends the run */
#ifndef _SYS_PTRACE_H
#define _SYS_PTRACE_H

#define PTRACE_TRACEME 0
#define PTRACE_PEEKDATA 2
#define PTRACE_POKEDATA 5
#define PTRACE_CONT    7
#define PTRACE_ATTACH  16
#define PTRACE_DETACH  17
long ptrace(int request, ...);

#endif
