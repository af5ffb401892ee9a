/* string.c - the parts of <string.h> that keep state or allocate memory. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : 0;
}

char *strndup(const char *text, size_t limit)
{
    size_t length = strnlen(text, limit);
    char *copy = malloc(length + 1);
    if (!copy)
        return 0;
    copy[length] = '\0';
    return memcpy(copy, text, length);
}

char *strtok_r(char *text, const char *separators, char **state)
{
    if (!text)
        text = *state;
    text += strspn(text, separators);
    if (!*text) {
        *state = text;
        return 0;
    }
    char *end = text + strcspn(text, separators);
    *state = *end ? end + 1 : end;
    *end = '\0';
    return text;
}

char *strtok(char *text, const char *separators)
{
    static char *state = "";
    return strtok_r(text, separators, &state);
}

char *strsep(char **text, const char *separators)
{
    char *start = *text;
    if (!start)
        return 0;
    char *end = start + strcspn(start, separators);
    *text = *end ? end + 1 : 0;
    *end = '\0';
    return start;
}

int bcmp(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size);
}

/* Returns the part behind the last slash, as GNU's <string.h> does. */
char *basename(const char *path)
{
    char *slash = strrchr(path, '/');
    return slash ? slash + 1 : (char *)path;
}

static const char *const errors[] = {
    [0] = "Success",
    [1] = "Operation not permitted",
    [2] = "No such file or directory",
    [3] = "No such process",
    [4] = "Interrupted system call",
    [5] = "Input/output error",
    [6] = "No such device or address",
    [7] = "Argument list too long",
    [8] = "Exec format error",
    [9] = "Bad file descriptor",
    [10] = "No child processes",
    [11] = "Resource temporarily unavailable",
    [12] = "Cannot allocate memory",
    [13] = "Permission denied",
    [14] = "Bad address",
    [15] = "Block device required",
    [16] = "Device or resource busy",
    [17] = "File exists",
    [18] = "Invalid cross-device link",
    [19] = "No such device",
    [20] = "Not a directory",
    [21] = "Is a directory",
    [22] = "Invalid argument",
    [23] = "Too many open files in system",
    [24] = "Too many open files",
    [25] = "Inappropriate ioctl for device",
    [26] = "Text file busy",
    [27] = "File too large",
    [28] = "No space left on device",
    [29] = "Illegal seek",
    [30] = "Read-only file system",
    [31] = "Too many links",
    [32] = "Broken pipe",
    [33] = "Numerical argument out of domain",
    [34] = "Numerical result out of range",
    [35] = "Resource deadlock avoided",
    [36] = "File name too long",
    [37] = "No locks available",
    [38] = "Function not implemented",
    [39] = "Directory not empty",
    [40] = "Too many levels of symbolic links",
    [42] = "No message of desired type",
    [43] = "Identifier removed",
    [44] = "Channel number out of range",
    [45] = "Level 2 not synchronized",
    [46] = "Level 3 halted",
    [47] = "Level 3 reset",
    [48] = "Link number out of range",
    [49] = "Protocol driver not attached",
    [50] = "No CSI structure available",
    [51] = "Level 2 halted",
    [52] = "Invalid exchange",
    [53] = "Invalid request descriptor",
    [54] = "Exchange full",
    [55] = "No anode",
    [56] = "Invalid request code",
    [57] = "Invalid slot",
    [59] = "Bad font file format",
    [60] = "Device not a stream",
    [61] = "No data available",
    [62] = "Timer expired",
    [63] = "Out of streams resources",
    [64] = "Machine is not on the network",
    [65] = "Package not installed",
    [66] = "Object is remote",
    [67] = "Link has been severed",
    [68] = "Advertise error",
    [69] = "Srmount error",
    [70] = "Communication error on send",
    [71] = "Protocol error",
    [72] = "Multihop attempted",
    [73] = "RFS specific error",
    [74] = "Bad message",
    [75] = "Value too large for defined data type",
    [76] = "Name not unique on network",
    [77] = "File descriptor in bad state",
    [78] = "Remote address changed",
    [79] = "Can not access a needed shared library",
    [80] = "Accessing a corrupted shared library",
    [81] = ".lib section in a.out corrupted",
    [82] = "Attempting to link in too many shared libraries",
    [83] = "Cannot exec a shared library directly",
    [84] = "Invalid or incomplete multibyte or wide character",
    [85] = "Interrupted system call should be restarted",
    [86] = "Streams pipe error",
    [87] = "Too many users",
    [88] = "Socket operation on non-socket",
    [89] = "Destination address required",
    [90] = "Message too long",
    [91] = "Protocol wrong type for socket",
    [92] = "Protocol not available",
    [93] = "Protocol not supported",
    [94] = "Socket type not supported",
    [95] = "Operation not supported",
    [96] = "Protocol family not supported",
    [97] = "Address family not supported by protocol",
    [98] = "Address already in use",
    [99] = "Cannot assign requested address",
    [100] = "Network is down",
    [101] = "Network is unreachable",
    [102] = "Network dropped connection on reset",
    [103] = "Software caused connection abort",
    [104] = "Connection reset by peer",
    [105] = "No buffer space available",
    [106] = "Transport endpoint is already connected",
    [107] = "Transport endpoint is not connected",
    [108] = "Cannot send after transport endpoint shutdown",
    [109] = "Too many references: cannot splice",
    [110] = "Connection timed out",
    [111] = "Connection refused",
    [112] = "Host is down",
    [113] = "No route to host",
    [114] = "Operation already in progress",
    [115] = "Operation now in progress",
    [116] = "Stale file handle",
    [117] = "Structure needs cleaning",
    [118] = "Not a XENIX named type file",
    [119] = "No XENIX semaphores available",
    [120] = "Is a named type file",
    [121] = "Remote I/O error",
    [122] = "Disk quota exceeded",
    [123] = "No medium found",
    [124] = "Wrong medium type",
    [125] = "Operation canceled",
    [126] = "Required key not available",
    [127] = "Key has expired",
    [128] = "Key has been revoked",
    [129] = "Key was rejected by service",
    [130] = "Owner died",
    [131] = "State not recoverable",
    [132] = "Operation not possible due to RF-kill",
    [133] = "Memory page has hardware error",
};

char *strerror(int number)
{
    static char text[40];
    if (number >= 0 && number < (int)(sizeof errors / sizeof *errors) && errors[number])
        return (char *)errors[number];
    sprintf(text, "Unknown error %d", number);
    return text;
}

char *__orrery_gnu_strerror_r(int number, char *buffer, size_t size)
{
    (void)buffer, (void)size;
    return strerror(number);
}

#undef strerror_r
int strerror_r(int number, char *buffer, size_t size)
{
    int length = snprintf(buffer, size, "%s", strerror(number));
    return (size_t)length < size ? 0 : 34;
}

void perror(const char *text)
{
    int number = *__errno_location();
    if (text && *text)
        fprintf(stderr, "%s: %s\n", text, strerror(number));
    else
        fprintf(stderr, "%s\n", strerror(number));
}

static const char *const signals[] = {
    [1] = "Hangup",
    [2] = "Interrupt",
    [3] = "Quit",
    [4] = "Illegal instruction",
    [5] = "Trace/breakpoint trap",
    [6] = "Aborted",
    [7] = "Bus error",
    [8] = "Floating point exception",
    [9] = "Killed",
    [10] = "User defined signal 1",
    [11] = "Segmentation fault",
    [12] = "User defined signal 2",
    [13] = "Broken pipe",
    [14] = "Alarm clock",
    [15] = "Terminated",
    [16] = "Stack fault",
    [17] = "Child exited",
    [18] = "Continued",
    [19] = "Stopped (signal)",
    [20] = "Stopped",
    [21] = "Stopped (tty input)",
    [22] = "Stopped (tty output)",
    [23] = "Urgent I/O condition",
    [24] = "CPU time limit exceeded",
    [25] = "File size limit exceeded",
    [26] = "Virtual timer expired",
    [27] = "Profiling timer expired",
    [28] = "Window changed",
    [29] = "I/O possible",
    [30] = "Power failure",
    [31] = "Bad system call",
};

const char *strerrordesc_np(int number)
{
    return number >= 0 && number < (int)(sizeof errors / sizeof *errors) ? errors[number] : 0;
}

char *strsignal(int number)
{
    static char text[40];
    if (number > 0 && number < (int)(sizeof signals / sizeof *signals) && signals[number])
        return (char *)signals[number];
    sprintf(text, "Unknown signal %d", number);
    return text;
}

const char *sigdescr_np(int number)
{
    return number > 0 && number < (int)(sizeof signals / sizeof *signals) ? signals[number] : 0;
}

const char *sigabbrev_np(int number)
{
    static const char names[][7] = {"",       "HUP",  "INT",    "QUIT", "ILL",   "TRAP", "ABRT", "BUS",
                                    "FPE",    "KILL", "USR1",   "SEGV", "USR2",  "PIPE", "ALRM", "TERM",
                                    "STKFLT", "CHLD", "CONT",   "STOP", "TSTP",  "TTIN", "TTOU", "URG",
                                    "XCPU",   "XFSZ", "VTALRM", "PROF", "WINCH", "POLL", "PWR",  "SYS"};
    return number > 0 && number < 32 ? names[number] : 0;
}

/* -- GNU's ------------------------------------------------------------------------------------- */

void *rawmemchr(const void *block, int byte)
{
    const unsigned char *at = block;
    while (*at != (unsigned char)byte)
        at++;
    return (void *)at;
}

void explicit_bzero(void *block, size_t size)
{
    memset(block, 0, size);
}

static int is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/* Compares names with numbers in them, in the order of the numbers. Numbers with leading zeros are fractions and come
 * before all others. */
int strverscmp(const char *first, const char *second)
{
    const unsigned char *a = (const unsigned char *)first, *b = (const unsigned char *)second;
    size_t i = 0, start = 0;
    int zeros = 1; /* the number has had only zeros so far */
    for (; a[i] == b[i]; i++) {
        if (!a[i])
            return 0;
        if (!is_digit(a[i])) {
            start = i + 1;
            zeros = 1;
        } else if (a[i] != '0') {
            zeros = 0;
        }
    }
    if (start < i ? !(a[start] == '0' && zeros) && a[start] != '0'
                  : is_digit(a[i]) && is_digit(b[i]) && a[i] != '0' && b[i] != '0') {
        size_t j = i;
        for (; is_digit(a[j]); j++)
            if (!is_digit(b[j]))
                return 1;
        if (is_digit(b[j]))
            return -1;
    } else if (zeros && start < i && (is_digit(a[i]) || is_digit(b[i]))) {
        /* one number has more leading zeros, so it is the smaller fraction */
        return (is_digit(a[i]) ? a[i] : 256) - (is_digit(b[i]) ? b[i] : 256);
    }
    return a[i] - b[i];
}

void *memfrob(void *block, size_t size)
{
    for (unsigned char *at = block; size-- > 0; at++)
        *at ^= 42;
    return block;
}

/* -- with a locale, which is always C ---------------------------------------------------------- */

int strcoll_l(const char *a, const char *b, struct orrery_locale *locale)
{
    (void)locale;
    return strcmp(a, b);
}

size_t strxfrm_l(char *to, const char *from, size_t size, struct orrery_locale *locale)
{
    (void)locale;
    return strxfrm(to, from, size);
}

char *strerror_l(int number, struct orrery_locale *locale)
{
    (void)locale;
    return strerror(number);
}

int strcasecmp_l(const char *a, const char *b, struct orrery_locale *locale)
{
    (void)locale;
    return strcasecmp(a, b);
}

int strncasecmp_l(const char *a, const char *b, size_t size, struct orrery_locale *locale)
{
    (void)locale;
    return strncasecmp(a, b, size);
}
