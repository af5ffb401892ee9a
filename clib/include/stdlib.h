/* stdlib.h - C11 7.22 and POSIX */
#ifndef _STDLIB_H
#define _STDLIB_H

#include <orrery_features.h>

typedef unsigned long size_t;
typedef int wchar_t;
#undef NULL
#define NULL ((void *)0)

typedef struct {
    int quot, rem;
} div_t;
typedef struct {
    long quot, rem;
} ldiv_t;
typedef struct {
    long long quot, rem;
} lldiv_t;

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX     2147483647
#define MB_CUR_MAX   (__ctype_get_mb_cur_max())

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
void *aligned_alloc(size_t alignment, size_t size);

_Noreturn void exit(int status);
_Noreturn void _Exit(int status);
_Noreturn void quick_exit(int status);
_Noreturn void abort(void);
int atexit(void (*function)(void));
int at_quick_exit(void (*function)(void));
char *getenv(const char *name);
int system(const char *command);

int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
double atof(const char *text);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);
double strtod(const char *text, char **end);
float strtof(const char *text, char **end);
long double strtold(const char *text, char **end);

int rand(void);
void srand(unsigned seed);

int abs(int value);
long labs(long value);
long long llabs(long long value);
div_t div(int numerator, int denominator);
ldiv_t ldiv(long numerator, long denominator);
lldiv_t lldiv(long long numerator, long long denominator);

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *));

size_t __ctype_get_mb_cur_max(void);
int mblen(const char *text, size_t size);
int mbtowc(wchar_t *wide, const char *text, size_t size);
int wctomb(char *text, wchar_t wide);
size_t mbstowcs(wchar_t *wide, const char *text, size_t size);
size_t wcstombs(char *text, const wchar_t *wide, size_t size);

#ifdef __ORRERY_POSIX
int rand_r(unsigned *seed);
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
int mkstemp(char *template);
char *mkdtemp(char *template);
int posix_memalign(void **block, size_t alignment, size_t size);
int getsubopt(char **options, char *const *tokens, char **value);
char *realpath(const char *path, char *resolved);
#endif
#if defined __ORRERY_MISC || defined __ORRERY_XOPEN
#include <sys/types.h>
#include <sys/wait.h>
long random(void);
void srandom(unsigned seed);
char *initstate(unsigned seed, char *state, size_t size);
char *setstate(char *state);
double drand48(void);
double erand48(unsigned short state[3]);
long lrand48(void);
long nrand48(unsigned short state[3]);
long mrand48(void);
long jrand48(unsigned short state[3]);
void srand48(long seed);
unsigned short *seed48(unsigned short state[3]);
void lcong48(unsigned short parameters[7]);
int putenv(char *setting);
char *mktemp(char *template);
long a64l(const char *text);
char *l64a(long value);
int grantpt(int descriptor);
int posix_openpt(int flags);
char *ptsname(int descriptor);
int unlockpt(int descriptor);
#endif
#ifdef __ORRERY_MISC
#include <alloca.h>
struct random_data {
    int *orrery_state;
    int orrery_front, orrery_rear;
};
struct drand48_data {
    unsigned short orrery_x[3], orrery_c;
    unsigned long orrery_a;
};
int random_r(struct random_data *generator, int *result);
int srandom_r(unsigned seed, struct random_data *generator);
int initstate_r(unsigned seed, char *state, size_t size, struct random_data *generator);
int setstate_r(char *state, struct random_data *generator);
int drand48_r(struct drand48_data *generator, double *result);
int erand48_r(unsigned short state[3], struct drand48_data *generator, double *result);
int lrand48_r(struct drand48_data *generator, long *result);
int nrand48_r(unsigned short state[3], struct drand48_data *generator, long *result);
int mrand48_r(struct drand48_data *generator, long *result);
int jrand48_r(unsigned short state[3], struct drand48_data *generator, long *result);
int srand48_r(long seed, struct drand48_data *generator);
int seed48_r(unsigned short state[3], struct drand48_data *generator);
int clearenv(void);
int mkstemps(char *template, int suffix);
int mkostemp(char *template, int flags);
void *valloc(size_t size);
void *reallocarray(void *block, size_t count, size_t size);
int on_exit(void (*function)(int, void *), void *argument);
char *ecvt(double value, int digits, int *point, int *sign);
char *fcvt(double value, int digits, int *point, int *sign);
char *gcvt(double value, int digits, char *text);
int getloadavg(double *loads, int count);
#endif
#ifdef __ORRERY_GNU
typedef int (*comparison_fn_t)(const void *, const void *);
typedef int (*__compar_d_fn_t)(const void *, const void *, void *);
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *user);
char *secure_getenv(const char *name);
char *canonicalize_file_name(const char *path);
#endif

#endif
