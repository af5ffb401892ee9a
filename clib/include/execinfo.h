/* execinfo.h - GNU; the call stack is not visible from inside: backtrace() finds 0 frames */
#ifndef _EXECINFO_H
#define _EXECINFO_H

int backtrace(void **frames, int size);
char **backtrace_symbols(void *const *frames, int size);
void backtrace_symbols_fd(void *const *frames, int size, int descriptor);

#endif
