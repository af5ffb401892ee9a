/* calls.h - what the chapters of the simulated C library share.
 *
 * The C library of simulated programs has two halves. What needs the host, speed or state outside the rank's memory is
 * a host function: one row in library.def and one function vm_library_c_NAME in the file of its chapter. The rest
 * is C code in clib/runtime, compiled by our own compiler.
 *
 *      program --callx--> vm_library_call (library.c) --> vm_library_c_strlen (string.c) --> rank memory
 *
 * Rules for host functions:
 *  - Pointers of the program are hostile. They go through c_read, c_write and c_string, which raise a fault naming the
 *    function and the argument; the function then answers VM_CALL_FAULT at once: a fault has closed the process, its
 *    VmLibrary and all CFile are gone.
 *  - Nothing of the host reaches a result: no address, time, locale, environment. (Files do, as far as VmFs lets them.)
 *  - State lives in VmLibrary, made at a rank's first need and freed by vm_library_close; a rank that never calls
 *    malloc, rand or stdio has none.
 *  - Every byte or element touched is charged with vm_rank_charge_units.
 */
#ifndef ORRERY_VM_LIBRARY_CALLS_H
#define ORRERY_VM_LIBRARY_CALLS_H

#include "vm/library/library.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

/* -- calling convention of host functions ------------------------------------------------------ */

/* A host function finds its arguments in args[0..] and leaves its result in args[0]. The trampoline has checked that
 * at least `arity` arguments were passed (a call without prototype may pass too few). */
typedef VmCallResult (*CFunction)(VmRank *rank, uint64_t *args);

#define C_FUNCTION(name) VmCallResult vm_library_c_##name(VmRank *rank, uint64_t *args)

#define FUNCTION(name, chapter, arity, base, unit) C_FUNCTION(name);
#include "vm/library/library.def"

/* The name of the host function that runs, for messages. */
const char *vm_library_function_name(const VmRank *rank);

/* Numbers in the program's memory, at any address. */
typedef uint16_t __attribute__((aligned(1))) CWord16;
typedef uint32_t __attribute__((aligned(1))) CWord32;
typedef uint64_t __attribute__((aligned(1))) CWord64;
typedef int64_t __attribute__((aligned(1))) CSigned64;

static inline VmCallResult c_return(uint64_t *args, uint64_t value)
{
    args[0] = value;
    return VM_CALL_DONE;
}

static inline VmCallResult c_return_int(uint64_t *args, int value)
{
    return c_return(args, (uint64_t)(int64_t)value);
}

static inline VmCallResult c_return_double(uint64_t *args, double value)
{
    memcpy(&args[0], &value, sizeof value);
    return VM_CALL_DONE;
}

static inline VmCallResult c_return_float(uint64_t *args, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return c_return(args, bits);
}

static inline double c_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float c_float(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static inline int c_int(uint64_t value)
{
    return (int32_t)(uint32_t)value;
}

/* The rank's errno (host values are Linux's, as the program's <errno.h>). */
int vm_library_errno(VmRank *rank);
void vm_library_set_errno(VmRank *rank, int error);

/* errno = error, result = value. */
static inline VmCallResult c_fail(VmRank *rank, uint64_t *args, int error, int64_t value)
{
    vm_library_set_errno(rank, error);
    return c_return(args, (uint64_t)value);
}

/* -- checked access to the program's memory ---------------------------------------------------- */

/* Each raises a fault that names the function and argument `number` (1-based) and answers NULL where the program's
 * pointer is bad. A size of 0 is always fine. */
const void *vm_library_read(VmRank *rank, uint64_t address, uint64_t size, int number);
void *vm_library_write(VmRank *rank, uint64_t address, uint64_t size, int number);
/* Copies there; false after a fault. */
static inline bool vm_library_store(VmRank *rank, uint64_t address, const void *bytes, uint64_t size, int number)
{
    void *place = size ? vm_library_write(rank, address, size, number) : NULL;
    if (place)
        memcpy(place, bytes, size);
    return place || size == 0;
}
const char *vm_library_string(VmRank *rank, uint64_t address, int number);
/* At most `limit` bytes that need not be terminated (strncpy and friends): the bytes before NUL or limit. */
const char *vm_library_text(VmRank *rank, uint64_t address, uint64_t limit, int number, size_t *length);
/* What can be read from there on, and how many bytes; for who may not read all of it, and observes what he did read. */
const char *vm_library_reach(VmRank *rank, uint64_t address, int number, uint64_t *room);
/* Raises the fault of a string that is none, or does not end. */
void vm_library_no_string(VmRank *rank, uint64_t address, int number);

/* The same for the argument in args[index]. */
#define c_read(index, size)          vm_library_read(rank, args[index], (size), (index) + 1)
#define c_write(index, size)         vm_library_write(rank, args[index], (size), (index) + 1)
#define c_store(index, bytes, size)  vm_library_store(rank, args[index], (bytes), (size), (index) + 1)
#define c_string(index)              vm_library_string(rank, args[index], (index) + 1)
#define c_text(index, limit, length) vm_library_text(rank, args[index], (limit), (index) + 1, (length))

/* -- state of one rank's library --------------------------------------------------------------- */

typedef struct CFile CFile;
typedef struct VmLibrary VmLibrary; /* open files, heap, random state ... */

/* Additive feedback generator of random() and rand(): usually r[i] = r[i-3] + r[i-31]. */
typedef struct CRandom {
    bool seeded;
    uint8_t kind; /* which generator of random()'s family: see random_kinds */
    uint8_t front, rear;
    int32_t state[63];
} CRandom;

/* 48-bit linear congruential generator of drand48() and its family (SVID). */
typedef struct CRandom48 {
    uint64_t x;
    uint64_t a; /* 0: the default multiplier and addend */
    uint16_t c;
} CRandom48;

enum { C_HEAP_ROWS = 30, C_HEAP_COLUMNS = 8, C_HEAP_RECENT = 16 };

/* Free blocks by size class (heap.c); the links are in the blocks themselves, that is in hostile memory. */
typedef struct CHeap {
    uint64_t start, top, high, end; /* blocks: [start, top); ever used: [start, high); owned: [start, end) */
    uint64_t last;                  /* capacity of the block that ends at top; 0: none */
    uint64_t used;                  /* bytes requested and not released */
    uint32_t rows;                  /* bit per row that has a free block */
    uint32_t next_recent;
    uint64_t recent[C_HEAP_RECENT]; /* what was freed last, to know a second free whose header is gone */
    uint8_t columns[C_HEAP_ROWS];
    uint64_t (*free)[C_HEAP_COLUMNS]; /* first blocks, by row; NULL: never was there a free block */
} CHeap;

struct VmLibrary {
    CHeap heap;
    CRandom random;
    CRandom48 random48;
    CFile **files; /* open files; 0, 1, 2 are the standard streams; NULL: free slot */
    uint32_t n_files;
    uint32_t generation; /* makes handles of closed files stale */
    char *directory;     /* of chdir(), below the working directory; NULL: that itself */
    unsigned file_mask;  /* of umask(), if `masked` */
    bool masked;
    bool utf8;       /* characters are in UTF-8, not ASCII: LC_CTYPE is C.UTF-8 */
    bool wants_turn; /* the function being called must be called again in its turn: see vm_library_turn() */
};

/* The rank's library state, made at first need. */
static inline VmLibrary *vm_library_of(VmRank *rank)
{
    if (!rank->library)
        rank->library = g_new0(VmLibrary, 1);
    return rank->library;
}

/* -- host locale ------------------------------------------------------------------------------- */

/* Some host conversions (strtod, printf of floating point) follow the thread's locale; the simulated program's locale
 * is always "C". Switches only where the host's decimal point is not '.', which is rare. */
typedef struct CLocale {
    locale_t own, old;
} CLocale;
void vm_library_locale_begin(CLocale *locale);
void vm_library_locale_end(CLocale *locale);

/* -- text out and in: printf and scanf on any target ------------------------------------------- */

/* Where formatted output goes: collected in `bytes`, handed to `flush` when it is long; without flush, bytes beyond
 * `limit` are counted and dropped (snprintf). */
typedef struct CSink {
    char *bytes;
    size_t used, capacity;
    size_t limit;
    uint64_t total; /* bytes produced, dropped ones included */
    bool (*flush)(struct CSink *sink);
    void *user;
    bool wide;       /* the text is UTF-8 for wide characters: `total` counts these */
    char local[512]; /* first buffer */
} CSink;

void vm_library_sink_init(CSink *sink);
void vm_library_sink_clear(CSink *sink);

/* Renders `format` (argument `format_number` of the present function) with the variable arguments at `slots`. Answers
 * the length, -1 after a failure with errno set, or -2 after a fault. */
int vm_library_format(VmRank *rank, CSink *sink, uint64_t format, int format_number, uint64_t slots);

/* A source of characters (bytes; wide ones for vm_library_scan_wide()) with one character of push-back. */
typedef struct CSource {
    int (*get)(struct CSource *source); /* or -1 */
    void (*unget)(struct CSource *source, int character);
    void *user;
    const char *text, *end; /* for sources in memory; the end stays where it was whatever is assigned meanwhile */
    uint64_t consumed;
} CSource;

/* Reads by `format`; answers the number of assignments, -1 (EOF), or -2 after a fault. */
int vm_library_scan(VmRank *rank, CSource *source, uint64_t format, int format_number, uint64_t slots);

/* -- streams and descriptors ------------------------------------------------------------------- */

/* Descriptors are indices into VmLibrary.files, so that they do not show the host's numbers. */
typedef enum CFileKind {
    C_FILE_STDIN,
    C_FILE_STDOUT,
    C_FILE_STDERR,
    C_FILE_HOST,   /* a host stream */
    C_FILE_RAW,    /* a host descriptor without stream, from open() */
    C_FILE_MEMORY, /* open_memstream() */
    C_FILE_BLOCK,  /* fmemopen() */
} CFileKind;

enum { C_MOST_FILES = 1024 }; /* of a rank, as sysconf() and getrlimit() say */

struct CFile {
    CFileKind kind;
    uint64_t handle; /* what the program calls FILE * */
    bool end_of_file, error, unbuffered;
    FILE *host;
    int descriptor;         /* of the host; -1: none */
    GString *text;          /* STDOUT: the unfinished line; STDIN: read ahead; MEMORY: all of it */
    size_t position;        /* STDIN: next byte in text */
    uint64_t pointer, size; /* MEMORY: where the program wants address and size */
    uint64_t block;         /* MEMORY: the program's present copy; BLOCK: the program's memory, of `size` bytes */
    uint64_t length;        /* BLOCK: bytes that count as its content */
    bool readable, writable, append; /* BLOCK */
    int8_t orientation;              /* 1: wide, -1: bytes, 0: not yet known (C11 7.21.2 p4) */
    bool utf8;                       /* what a wide stream is in: the charset when it became one */
    char partial[6];                 /* of a wide stream: bytes of a character that is not yet whole */
    uint8_t n_partial;
    GArray *pushed; /* of a wide stream: uint32_t, what ungetwc() put back; NULL: never anything */
};

/* Whether the function being called may touch host files, which all ranks share. Where not (the rank may have run ahead
 * of others), its caller must give up at once, by any answer: it has no effect and will be called again in the rank's
 * turn. */
bool vm_library_turn(VmRank *rank);
bool vm_library_has_host_files(const VmRank *rank);
/* The open file behind a FILE * (fault where there is none), behind a descriptor (NULL where there is none). */
CFile *vm_library_stream(VmRank *rank, uint64_t handle, int number);
CFile *vm_library_descriptor(VmRank *rank, int descriptor);
/* The same for a function that will read or write it: also NULL where vm_library_turn() says no. */
CFile *vm_library_descriptor_in_turn(VmRank *rank, int descriptor);
/* Adds a file at the lowest free descriptor, which is answered; -1 where there are too many. */
int vm_library_add_file(VmRank *rank, CFile *file);
bool vm_library_has_room(VmRank *rank);
int vm_library_add_file_from(VmRank *rank, CFile *file, uint32_t slot);
CFile *vm_library_copy_file(VmRank *rank, CFile *file);
/* Closes and frees; answers 0 or an errno value. */
int vm_library_close_file(VmRank *rank, int descriptor);
/* The host has refused a descriptor with this error: whether it is worth trying again. A fault is raised where the
 * simulator has come to a limit of its host. */
bool vm_library_host_allows_more(VmRank *rank, int error);
/* Bytes out and in, unbuffered where `raw`; -1 with errno set. */
int64_t vm_library_put(VmRank *rank, CFile *file, const char *bytes, size_t size);
int64_t vm_library_read_console(VmRank *rank, CFile *file, char *bytes, size_t size);
void vm_library_write_console(VmRank *rank, int stream, const char *bytes, size_t size);
void vm_library_flush_file(VmRank *rank, CFile *file);
int vm_library_get_byte(VmRank *rank, CFile *file);
bool vm_library_unget_byte(CFile *file, int byte);
/* Makes a stream one of wide characters (1) or bytes (-1) if it is neither; answers what it is. */
int vm_library_orient(VmRank *rank, CFile *file, int orientation);
/* Whether a stream takes bytes: it is no wide one. Standard error takes both, so that no message is lost. */
bool vm_library_takes_bytes(VmRank *rank, CFile *file);
/* A wide stream's next character; -1 at its end, or with EILSEQ before bytes that are none. */
int vm_library_get_wide(VmRank *rank, CFile *file);
void vm_library_unget_wide(CFile *file, uint32_t character);
/* A wide stream's bytes for a character, at the end of `bytes`; what its charset has not is spelt in ASCII. */
void vm_library_spell(const CFile *file, uint32_t character, GString *bytes);
/* Drops what a wide stream has read ahead: its position changes. */
void vm_library_forget_wide(CFile *file);

/* -- characters (characters.c) --------------------------------------------------------- */

/* Whether the rank's characters are in UTF-8; otherwise only ASCII has a multibyte and a wide form. */
bool vm_library_utf8(VmRank *rank);
/* iswspace(). */
bool vm_library_is_space(VmRank *rank, int character);
/* Bytes of the sequence that begins with `lead`; 0: none does. Six at most, as in glibc, where UTF-8 still has them. */
unsigned vm_library_utf8_length(unsigned char lead);
/* The character at `bytes` (at least one): how many bytes it has, 0: more than `size`, -1: none begins there. */
int vm_library_decode(bool utf8, const char *bytes, size_t size, uint32_t *character);
/* The bytes of a character: how many, or -1 where it has none. */
int vm_library_encode(bool utf8, uint32_t character, char bytes[6]);
/* What a wide stream writes for a character that its charset has not: ASCII, "?" at the least. */
const char *vm_library_spelling(uint32_t character);
/* A copy in UTF-8 of the wide string at `address`; NULL after a fault. What UTF-8 has no form for, even of the old six
 * bytes, becomes U+FFFD. */
char *vm_library_wide_string(VmRank *rank, uint64_t address, int number);

/* -- between the chapters ---------------------------------------------------------------------- */

/* Host path for a program's path under the rank's VmFs: free with g_free. NULL with *error = errno value where the
 * program may not go there. `follow`: the last component may be a symbolic link (to somewhere inside). */
char *vm_library_path(VmRank *rank, const char *path, bool follow, int *error);
/* The rank's working directory; NULL: the process's own. */
const char *vm_library_directory(const VmRank *rank);
/* The same for what changes a name rather than what is there: removes, renames, links. */
char *vm_library_name(VmRank *rank, const char *path, int *error);
/* What umask() says. */
unsigned vm_library_file_mask(const VmRank *rank);
/* Opens a host file under the rank's VmFs; -1 with *error set, or a fault raised. */
int vm_library_open(VmRank *rank, const char *path, int flags, unsigned mode, int *error);

/* As malloc and free; false after a heap fault. *address is 0, with errno set, where the heap is full. */
bool vm_library_allocate(VmRank *rank, uint64_t size, uint64_t *address);
bool vm_library_release(VmRank *rank, uint64_t address);

/* Formats and scans as above for wide text: the format is the wide string at `format`, the sink gets UTF-8. */
int vm_library_format_wide(VmRank *rank, CSink *sink, uint64_t format, int format_number, uint64_t slots);
int vm_library_scan_wide(VmRank *rank, CSource *source, uint64_t format, int format_number, uint64_t slots);

/* Seconds of the simulated epoch after 1970-01-01: 2000-01-01T00:00:00Z. */
#define C_EPOCH INT64_C(946684800)

#endif
