/* error.h - GNU: messages with the program's name */
#ifndef _ERROR_H
#define _ERROR_H

void error(int status, int number, const char *format, ...);
void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...);
extern void (*error_print_progname)(void);
extern unsigned error_message_count;
extern int error_one_per_line;

#endif
