/* messages.c - <err.h>, <error.h>, <syslog.h>: messages that begin with the program's name. */
#define _GNU_SOURCE
#include "variadic.h"

#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

extern char **__orrery_arguments;

/* The variables program_invocation_name and program_invocation_short_name, set at first need. */
char **__orrery_program_name(int shortened)
{
    static char *names[2];
    if (!names[0]) {
        names[0] = names[1] = __orrery_arguments[0] ? __orrery_arguments[0] : "";
        char *slash = strrchr(names[0], '/');
        if (slash)
            names[1] = slash + 1;
    }
    return &names[shortened];
}

/* -- err.h ------------------------------------------------------------------------------------- */

static void complain(const char *format, va_list arguments, int number)
{
    fprintf(stderr, "%s: ", program_invocation_short_name);
    if (format)
        vfprintf(stderr, format, arguments);
    if (number >= 0)
        fprintf(stderr, "%s%s", format ? ": " : "", strerror(number));
    fputc('\n', stderr);
}

void vwarn(const char *format, va_list arguments)
{
    complain(format, arguments, errno);
}

void vwarnx(const char *format, va_list arguments)
{
    complain(format, arguments, -1);
}

void verr(int status, const char *format, va_list arguments)
{
    complain(format, arguments, errno);
    exit(status);
}

void verrx(int status, const char *format, va_list arguments)
{
    complain(format, arguments, -1);
    exit(status);
}

VARIADIC_VOID(warn, (const char *format, ...), format, vwarn(format, arguments))
VARIADIC_VOID(warnx, (const char *format, ...), format, vwarnx(format, arguments))
VARIADIC_VOID(err, (int status, const char *format, ...), format, verr(status, format, arguments))
VARIADIC_VOID(errx, (int status, const char *format, ...), format, verrx(status, format, arguments))

/* -- error.h ----------------------------------------------------------------------------------- */

void (*error_print_progname)(void);
unsigned error_message_count;
int error_one_per_line;

static void tell(int status, int number, const char *file, unsigned line, const char *format, va_list arguments)
{
    fflush(stdout);
    if (error_print_progname)
        error_print_progname();
    else
        fprintf(stderr, file ? "%s:" : "%s: ", program_invocation_name);
    if (file)
        fprintf(stderr, "%s:%u: ", file, line);
    vfprintf(stderr, format, arguments);
    if (number)
        fprintf(stderr, ": %s", strerror(number));
    fputc('\n', stderr);
    error_message_count++;
    if (status)
        exit(status);
}

VARIADIC_VOID(error, (int status, int number, const char *format, ...), format,
              tell(status, number, 0, 0, format, arguments))

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
{
    static const char *last_file;
    static unsigned last_line;
    if (error_one_per_line && last_file && file && last_line == line && strcmp(file, last_file) == 0)
        return;
    last_file = file;
    last_line = line;
    va_list arguments;
    va_start(arguments, format);
    tell(status, number, file, line, format, arguments);
    va_end(arguments);
}

/* -- syslog.h ---------------------------------------------------------------------------------- */

static const char *log_name;
static int log_options, log_mask = 0xff;

void openlog(const char *name, int options, int facility)
{
    (void)facility;
    log_name = name;
    log_options = options;
}

void closelog(void)
{
    log_name = 0;
    log_options = 0;
}

int setlogmask(int mask)
{
    int old = log_mask;
    if (mask)
        log_mask = mask;
    return old;
}

void vsyslog(int priority, const char *format, va_list arguments)
{
    if (!(log_options & LOG_PERROR) || !(log_mask & LOG_MASK(priority & LOG_PRIMASK)))
        return;
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    const char *name = log_name ? log_name : program_invocation_short_name;
    size_t length = strlen(text);
    const char *end = length && text[length - 1] == '\n' ? "" : "\n";
    if (log_options & LOG_PID)
        fprintf(stderr, "%s[%d]: %s%s", name, getpid(), text, end);
    else
        fprintf(stderr, "%s: %s%s", name, text, end);
}

VARIADIC_VOID(syslog, (int priority, const char *format, ...), format, vsyslog(priority, format, arguments))
