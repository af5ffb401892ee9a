/* err.h - BSD: messages with the program's name */
#ifndef _ERR_H
#define _ERR_H

void warn(const char *format, ...);
void vwarn(const char *format, __builtin_va_list arguments);
void warnx(const char *format, ...);
void vwarnx(const char *format, __builtin_va_list arguments);
_Noreturn void err(int status, const char *format, ...);
_Noreturn void verr(int status, const char *format, __builtin_va_list arguments);
_Noreturn void errx(int status, const char *format, ...);
_Noreturn void verrx(int status, const char *format, __builtin_va_list arguments);

#endif
