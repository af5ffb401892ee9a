/* calls.h - what the chapters of the simulated C library share.
 *
 * The C library of simulated programs has two halves. A function that needs the host, speed or state outside the
 * rank's memory is a host function: one row in library.def and one function vm_library_c_NAME in the file of its
 * chapter. The other functions are C code in clib/runtime, which our own compiler compiles.
 *
 *      program --callx--> vm_library_call (library.c) --> vm_library_c_strlen (string.c) --> rank memory
 *
 * Rules for host functions:
 *  - Pointers of the program are hostile. They go through c_read, c_write and c_string, which raise a fault that names
 *    the function and the argument. The function must then return VM_CALL_FAULT at once, because a fault has closed the
 *    process: its VmLibrary and all CFile are gone.
 *  - Nothing of the host reaches a result: no address, time, locale, environment. (Files do, as far as VmFs lets them.)
 *  - State lives in VmLibrary. It is made at a rank's first need and freed by vm_library_close(). A rank that never
 *    calls malloc, rand or stdio has none.
 *  - Every byte or element that is accessed is charged with c_charge().
 */
#ifndef ORRERY_VM_LIBRARY_CALLS_H
#define ORRERY_VM_LIBRARY_CALLS_H

#include "vm/library/library.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

/* -- calling convention of host functions ------------------------------------------------------ */

/* A host function finds its arguments in args[0..] and stores its result in args[0]. The trampoline has checked that at
 * least `arity` arguments were passed (a call without prototype may pass too few). */
typedef VmLibraryFunction CFunction;

#define C_FUNCTION(name) VmCallResult vm_library_c_##name(VmRank *rank, uint64_t *args)

#define FUNCTION(name, chapter, arity, base, unit) C_FUNCTION(name);
#include "vm/library/library.def"

/* Charges `units` times the unit cost of the function that is being called. */
static inline void c_charge(VmRank *rank, uint64_t units)
{
    rank->clock.cycles += vm_binding_cost(rank->binding, units);
}

/* The name of the host function that is being called, for messages. */
const char *vm_library_function_name(const VmRank *rank);

/* Numbers in the program's memory, which may be unaligned. */
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

/* Fails: sets errno to `error` and returns `value`. */
static inline VmCallResult c_fail(VmRank *rank, uint64_t *args, int error, int64_t value)
{
    vm_library_set_errno(rank, error);
    return c_return(args, (uint64_t)value);
}

/* -- checked access to the program's memory ---------------------------------------------------- */

/* These functions raise a fault that names the function and argument `number` (1-based), and return NULL, if the
 * program's pointer is bad. A size of 0 is always fine. */
const void *vm_library_read_slowly(VmRank *rank, uint64_t address, uint64_t size, int number);
void *vm_library_write_slowly(VmRank *rank, uint64_t address, uint64_t size, int number);
static inline const void *vm_library_read(VmRank *rank, uint64_t address, uint64_t size, int number)
{
    return G_LIKELY(vm_memory_is_plain(rank, address, size)) ? rank->memory + address
                                                             : vm_library_read_slowly(rank, address, size, number);
}
static inline void *vm_library_write(VmRank *rank, uint64_t address, uint64_t size, int number)
{
    return G_LIKELY(vm_memory_is_plain(rank, address, size)) ? rank->memory + address
                                                             : vm_library_write_slowly(rank, address, size, number);
}
/* Copies `bytes` to `address`. Returns false after a fault. */
static inline bool vm_library_store(VmRank *rank, uint64_t address, const void *bytes, uint64_t size, int number)
{
    void *place = size ? vm_library_write(rank, address, size, number) : NULL;
    if (place)
        memcpy(place, bytes, size);
    return place || size == 0;
}
const char *vm_library_string(VmRank *rank, uint64_t address, int number);
/* Reads at most `limit` bytes that need not be terminated (for strncpy and the like). *length is the number of bytes
 * before NUL or `limit`. */
const char *vm_library_text(VmRank *rank, uint64_t address, uint64_t limit, int number, size_t *length);
/* Returns what can be read at `address`, and the number of bytes in *room. For callers that may not read all of it;
 * they call vm_memory_observe() for what they did read. */
const char *vm_library_reach(VmRank *rank, uint64_t address, int number, uint64_t *room);
/* Raises the fault of a string that is unreadable or has no end. */
void vm_library_no_string(VmRank *rank, uint64_t address, int number);

/* The functions above, for the argument in args[index]. */
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
    uint8_t kind; /* which generator of random()'s family: an index in random_kinds */
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

/* Free blocks by size class (heap.c). The links are in the blocks themselves, that is in hostile memory. */
typedef struct CHeap {
    uint64_t start, top, high, end; /* blocks: [start, top); ever used: [start, high); owned: [start, end) */
    uint64_t last;                  /* capacity of the block that ends at `top`; 0: there is none */
    uint64_t used;                  /* bytes requested and not released */
    uint32_t rows;                  /* one bit for each row that has a free block */
    uint32_t next_recent;
    uint64_t recent[C_HEAP_RECENT]; /* blocks freed last, to recognise a second free after their header is gone */
    uint8_t columns[C_HEAP_ROWS];
    uint64_t (*free)[C_HEAP_COLUMNS]; /* first free blocks, by row; NULL: there was never a free block */
} CHeap;

/* The state of one rank's library. */
struct VmLibrary {
    CHeap heap;
    CRandom random;
    CRandom48 random48;
    CFile **files; /* open files by descriptor; 0, 1, 2 are the standard streams; NULL: free slot */
    uint32_t n_files;
    uint32_t generation; /* part of the handles of files, so that those of closed files become stale */
    char *directory;     /* set by chdir(), below the working directory; NULL: the working directory itself */
    unsigned file_mask;  /* set by umask(), if `masked` */
    bool masked;
    bool utf8;             /* characters are in UTF-8, not ASCII: LC_CTYPE is C.UTF-8 */
    uint32_t storage;      /* number of the file that was named last, for VmHost.stored */
    int cookie_descriptor; /* of the stream that vm_library_make_stream() has made last */
    uint64_t pipes;        /* number of pipes that were made; 0: there is none */
    uint64_t drains;       /* FILE * of which the call that runs must write the buffer before it ends; 0: none */
};

/* Returns the rank's library state, which is made at first need. */
static inline VmLibrary *vm_library_of(VmRank *rank)
{
    if (!rank->library)
        rank->library = g_new0(VmLibrary, 1);
    return rank->library;
}

/* -- host locale ------------------------------------------------------------------------------- */

/* Some host conversions (strtod, printf of floating point) follow the thread's locale. The simulated program's locale
 * is always "C". These functions switch the locale only if the host's decimal point is not '.', which is rare. */
typedef struct CLocale {
    locale_t own, old;
} CLocale;
void vm_library_locale_begin(CLocale *locale);
void vm_library_locale_end(CLocale *locale);

/* -- text out and in: printf and scanf on any target ------------------------------------------- */

/* A target of formatted output. The output is collected in `bytes` and handed to `flush` when it is long. Without
 * `flush`, bytes beyond `limit` are counted and dropped (snprintf). */
typedef struct CSink {
    char *bytes;
    size_t used, capacity;
    size_t limit;
    uint64_t total; /* bytes produced, including dropped ones */
    bool (*flush)(struct CSink *sink);
    void *user;
    bool wide;       /* the text is UTF-8 for wide characters, and `total` counts these characters */
    char local[512]; /* first buffer of `bytes` */
} CSink;

void vm_library_sink_init(CSink *sink);
void vm_library_sink_clear(CSink *sink);

/* Renders `format` (argument `format_number` of the function being called) with the variable arguments at `slots`.
 * Returns the length, -1 after a failure with errno set, or -2 after a fault. */
int vm_library_format(VmRank *rank, CSink *sink, uint64_t format, int format_number, uint64_t slots);

/* A source of characters with one character of push-back. The characters are bytes, or wide ones for
 * vm_library_scan_wide(). */
typedef struct CSource {
    int (*get)(struct CSource *source); /* returns the next character, or -1 */
    void (*unget)(struct CSource *source, int character);
    void *user;
    /* For sources in memory. `end` stays the same even if the program overwrites the text meanwhile. */
    const char *text, *end;
    uint64_t consumed;
} CSource;

/* Reads by `format`. Returns the number of assignments, -1 (EOF), or -2 after a fault. */
int vm_library_scan(VmRank *rank, CSource *source, uint64_t format, int format_number, uint64_t slots);

/* -- streams and descriptors ------------------------------------------------------------------- */

/* Descriptors are indices into VmLibrary.files, so that they do not show the host's numbers. */
typedef enum CFileKind {
    C_FILE_STDIN,
    C_FILE_STDOUT,
    C_FILE_STDERR,
    C_FILE_HOST,   /* a host stream */
    C_FILE_RAW,    /* a host descriptor without stream, from open() */
    C_FILE_PIPE,   /* an end of a pipe, a socket or an event counter (pipe.c) */
    C_FILE_MEMORY, /* open_memstream() */
    C_FILE_BLOCK,  /* fmemopen() */
} CFileKind;

#define C_FILE_BASE (UINT64_C(1) << 42) /* handles of files but the standard streams begin here */
enum { C_LINE_LIMIT = 64 << 10 };       /* bytes of standard output that wait for the end of their line */
enum { C_MOST_FILES = 1024 };           /* open files of each rank, as sysconf() and getrlimit() say */

typedef struct CPipeEnd CPipeEnd; /* pipe.c */

/* An open file. If the comment of a field names kinds (STDIN, MEMORY ...), only these kinds use the field. */
struct CFile {
    CFileKind kind;
    uint64_t handle; /* the value that the program has as FILE * */
    bool end_of_file, error, unbuffered;
    FILE *host;
    int descriptor;         /* descriptor of the host; -1: none */
    uint32_t storage;       /* number of the file, for VmHost.stored */
    GString *text;          /* STDOUT: the unfinished line; STDIN, PIPE: read ahead; MEMORY: all of it */
    char *next, *end;       /* in `text`; STDIN: what is still to be read; STDOUT: room for single bytes */
    size_t position;        /* index of the next byte, of MEMORY and PIPE in `text`, of BLOCK in its block */
    uint64_t pointer, size; /* MEMORY: where the program wants address and size; BLOCK: `size` is that of `block` */
    uint64_t block;         /* MEMORY: address of the program's present copy; BLOCK: address of the program's memory */
    uint64_t length;        /* BLOCK: bytes that count as content */
    CPipeEnd *end_of_pipe;  /* PIPE: what dup() shares */
    GString *unsent;        /* PIPE: written to the stream, not yet to the pipe; NULL: nothing yet */
    bool by_lines;          /* PIPE: its buffer is written at ends of lines */
    bool readable, writable, append; /* BLOCK: what its mode allows */
    int8_t orientation;              /* 1: wide, -1: bytes, 0: not yet known (C11 7.21.2 p4) */
    bool utf8;                       /* a wide stream is in UTF-8, because that was the charset when it became wide */
    char partial[6];                 /* wide stream: bytes of a character that is not yet complete */
    uint8_t n_partial;
    GArray *pushed; /* wide stream: uint32_t characters that ungetwc() put back; NULL: never used */
};

/* Whether the function being called may touch host files, which all ranks share. If not (the rank may have run ahead of
 * others), its caller must return at once, with any result: the call has no effect, and will be repeated in the rank's
 * turn. */
bool vm_library_ask_for_turn(VmRank *rank);
/* Returns whether the function may look at the clock, or move it. If not, its caller must return at once, as above. */
static inline bool vm_library_clock(VmRank *rank)
{
    rank->wants_turn = !vm_rank_may_look_at_clock(rank);
    return !rank->wants_turn;
}
static inline bool vm_library_turn(VmRank *rank)
{
    return rank->clock.cycles < rank->turn_cycles || vm_library_ask_for_turn(rank);
}
bool vm_library_has_host_files(const VmRank *rank);
/* The same for an open file. Pipes need a turn of their own, of vm_rank_perform(). */
static inline bool vm_library_turn_for(VmRank *rank, const CFile *file)
{
    if (G_LIKELY(file->kind != C_FILE_PIPE))
        return vm_library_turn(rank);
    rank->wants_turn |= !rank->in_order;
    return rank->in_order;
}

/* -- the time that storage takes (storage.c); nothing happens if VmHost.stored is NULL -- */

/* Tells of an access to a file. */
void vm_library_stored(VmRank *rank, VmStorageSort sort, uint32_t file, uint64_t offset, uint64_t bytes);
/* Tells of a call of read() or write() on a descriptor, which has moved `bytes` bytes. */
void vm_library_stored_raw(VmRank *rank, const CFile *file, bool write, int64_t bytes);
/* Notes the file that a path leads to: it is named by the call. */
void vm_library_stored_name(VmRank *rank, const char *full);
/* Makes a stream of a descriptor, as fdopen() does, which tells of its accesses. */
FILE *vm_library_make_stream(VmRank *rank, int descriptor, const char *mode, uint32_t file);
/* Returns the descriptor of a stream that has just been made. */
int vm_library_stream_descriptor(VmRank *rank, FILE *stream);

/* vm_library_stream() returns the open file behind a FILE *; NULL after a fault, or if it is not the rank's turn.
 * vm_library_descriptor() returns the one behind a descriptor, or NULL if there is none. */
CFile *vm_library_find_stream(VmRank *rank, uint64_t handle, int number);
/* The same for a function that only touches what the rank has of the stream by itself: bytes that have
 * been read from the file already, and flags. Others cannot see that, so it needs no turn. */
static inline CFile *vm_library_own_stream(VmRank *rank, uint64_t handle, int number)
{
    const VmLibrary *library = rank->library;
    uint64_t slot = handle <= 3 ? handle - 1 : (handle - C_FILE_BASE) & 0xffff;
    CFile *file = library && slot < library->n_files ? library->files[slot] : NULL;
    return G_LIKELY(file && file->handle == handle && file->kind != C_FILE_RAW)
               ? file
               : vm_library_find_stream(rank, handle, number);
}
static inline CFile *vm_library_stream(VmRank *rank, uint64_t handle, int number)
{
    CFile *file = vm_library_own_stream(rank, handle, number);
    bool shared = file && (file->kind == C_FILE_HOST || rank->threads || file->kind == C_FILE_PIPE);
    return !shared || vm_library_turn_for(rank, file) ? file : NULL;
}
CFile *vm_library_descriptor(VmRank *rank, int descriptor);
/* Like vm_library_descriptor(), for a function that will read or write the file. Also returns NULL if vm_library_turn()
 * returns false. */
CFile *vm_library_descriptor_in_turn(VmRank *rank, int descriptor);
/* Opens VmRank.input or VmRank.output on a stream of bytes. All windows must be closed before a stream is. */
void vm_library_open_window(VmRank *rank, VmStreamWindow *window, CFile *file);
void vm_library_close_windows(VmRank *rank);
/* Adds a file at the lowest free descriptor and returns the descriptor; -1: there are too many files. */
int vm_library_add_file(VmRank *rank, CFile *file);
bool vm_library_has_room(VmRank *rank);
int vm_library_add_file_from(VmRank *rank, CFile *file, uint32_t slot);
CFile *vm_library_copy_file(VmRank *rank, CFile *file);
/* Closes and frees a file. Returns 0 or an errno value. */
int vm_library_close_file(VmRank *rank, int descriptor);
/* Whether opening is worth another try after the host has refused a descriptor with `error`. Raises a fault if the
 * simulator has come to a limit of its host. */
bool vm_library_host_allows_more(VmRank *rank, int error);
/* Write and read bytes, without buffering on raw descriptors. They return -1 with errno set on failure. */
int64_t vm_library_put(VmRank *rank, CFile *file, const char *bytes, size_t size);
/* Writes a byte to a stream. Returns false with errno set on failure. */
static inline bool vm_library_put_byte(VmRank *rank, CFile *file, unsigned char byte)
{
    if (file->kind == C_FILE_HOST && file->host->_IO_write_ptr < file->host->_IO_write_end) {
        *file->host->_IO_write_ptr++ = (char)byte;
        return true;
    }
    if (file->kind == C_FILE_STDOUT && byte != '\n' && file->next < file->end) {
        *file->next++ = (char)byte;
        return true;
    }
    return vm_library_put(rank, file, (const char *)&byte, 1) == 1;
}
int64_t vm_library_read_console(VmRank *rank, CFile *file, char *bytes, size_t size);
void vm_library_write_console(VmRank *rank, int stream, const char *bytes, size_t size);
void vm_library_flush_file(VmRank *rank, CFile *file);
/* Forgets what a stream has read ahead or not yet written. */
void vm_library_discard(CFile *file);
/* Returns how many bytes wait to be written. */
size_t vm_library_pending(const CFile *file);
int vm_library_find_byte(VmRank *rank, CFile *file);
bool vm_library_unget_byte(CFile *file, int byte);
/* Returns how many bytes of a stream are at hand, and where; vm_library_take() takes `count` of them. */
static inline size_t vm_library_at_hand(const CFile *file, const char **bytes)
{
    if (file->kind == C_FILE_HOST) {
        *bytes = file->host->_IO_read_ptr;
        return (size_t)(file->host->_IO_read_end - file->host->_IO_read_ptr);
    }
    if (file->kind != C_FILE_STDIN || file->end_of_file)
        return 0;
    *bytes = file->next;
    return (size_t)(file->end - file->next);
}
static inline void vm_library_take(CFile *file, size_t count)
{
    if (file->kind == C_FILE_HOST)
        file->host->_IO_read_ptr += count;
    else
        file->next += count;
}
/* Returns the next byte, or -1 at the end or after an error. */
static inline int vm_library_get_byte(VmRank *rank, CFile *file)
{
    const char *bytes;
    if (!vm_library_at_hand(file, &bytes))
        return vm_library_find_byte(rank, file);
    vm_library_take(file, 1);
    return (unsigned char)*bytes;
}
/* Makes a stream one of wide characters (1) or bytes (-1) if it has no orientation. Returns its orientation. */
int vm_library_set_orientation(VmRank *rank, CFile *file, int orientation);
static inline int vm_library_orient(VmRank *rank, CFile *file, int orientation)
{
    return file->orientation ? file->orientation : vm_library_set_orientation(rank, file, orientation);
}
/* Whether a stream takes bytes, that is, is not wide. Standard error takes both, so that no message is lost. */
bool vm_library_takes_bytes(VmRank *rank, CFile *file);
/* Returns a wide stream's next character. Returns -1 at its end, or with errno EILSEQ before bytes that are no
 * character. */
int vm_library_get_wide(VmRank *rank, CFile *file);
void vm_library_unget_wide(CFile *file, uint32_t character);
/* Appends to `bytes` what a wide stream writes for a character. A character that its charset lacks is spelt in
 * ASCII. */
void vm_library_spell(const CFile *file, uint32_t character, GString *bytes);
/* Drops what a wide stream has read ahead, because its position changes. */
void vm_library_forget_wide(CFile *file);

/* -- pipes (pipe.c) ---------------------------------------------------------------------------- */

/* These are functions of a call that vm_rank_perform() runs. -1: errno is set; C_HALTED: the call must wait, and
 * returns at once, with any result. It is performed again, with the arguments that it had. `flags` are those of recv()
 * and send(). */
enum { C_HALTED = -2 };
int64_t vm_library_pipe_read(VmRank *rank, CFile *file, int descriptor, char *bytes, size_t size, int flags);
int64_t vm_library_pipe_write(VmRank *rank, CFile *file, int descriptor, const char *bytes, size_t size, int flags);
/* Performs a function in a process that has pipes. */
VmCallResult vm_library_perform(VmRank *rank, CFunction function, uint64_t *args);
/* Streams on pipes: the next byte, or -1; takes bytes to write; writes the buffer, as far as possible. */
int vm_library_pipe_get(VmRank *rank, CFile *file);
int64_t vm_library_pipe_put(VmRank *rank, CFile *file, const char *bytes, size_t size);
int vm_library_pipe_flush(VmRank *rank, CFile *file);
bool vm_library_pipe_unget(CFile *file, int byte);
/* Makes a second descriptor for the same end, or closes one. */
CFile *vm_library_pipe_copy(const CFile *file);
void vm_library_pipe_close(VmRank *rank, CFile *file);
/* What fcntl(F_GETFL) and F_SETFL show and set of an end, and the kind of file that fstat() shows. */
int vm_library_pipe_flags(const CFile *file);
void vm_library_pipe_set_flags(CFile *file, int flags);
unsigned vm_library_pipe_mode(const CFile *file);
/* Whether bytes of streams wait to be written to pipes. */
bool vm_library_pipes_pend(const VmRank *rank);

/* -- characters (characters.c) --------------------------------------------------------- */

/* Whether the rank's characters are in UTF-8. Otherwise only ASCII has a multibyte and a wide form. */
bool vm_library_utf8(VmRank *rank);
/* iswspace() for the rank's charset. */
bool vm_library_is_space(VmRank *rank, int character);
/* Number of bytes of the sequence that begins with `lead`; 0: no sequence does. The most is six: glibc's UTF-8 still
 * has the old long forms. */
unsigned vm_library_utf8_length(unsigned char lead);
/* Decodes the character at `bytes` (`size` is at least 1). Returns its number of bytes; 0: it has more than `size`; -1:
 * no character begins there. */
int vm_library_decode(bool utf8, const char *bytes, size_t size, uint32_t *character);
/* Encodes a character. Returns its number of bytes, or -1 if it has none. */
int vm_library_encode(bool utf8, uint32_t character, char bytes[6]);
/* Returns what a wide stream writes for a character that its charset lacks: ASCII, at least "?". */
const char *vm_library_spelling(uint32_t character);
/* Returns a copy in UTF-8 of the wide string at `address`, to be freed with g_free(); NULL after a fault. A value
 * without a UTF-8 form, even of the old six bytes, becomes U+FFFD. */
char *vm_library_wide_string(VmRank *rank, uint64_t address, int number);

/* -- between the chapters ---------------------------------------------------------------------- */

/* Returns the host path for a program's path under the rank's VmFs. The caller frees it with g_free(). NULL, with an
 * errno value in *error, if the program may not go there. If `follow`, the last component may be a symbolic link (to
 * somewhere inside). */
char *vm_library_path(VmRank *rank, const char *path, bool follow, int *error);
/* Returns the rank's working directory; NULL: the process's own. */
const char *vm_library_directory(const VmRank *rank);
/* Like vm_library_path(), for calls that change a name rather than what it names: remove, rename, link. */
char *vm_library_name(VmRank *rank, const char *path, int *error);
/* Returns the mask that umask() has set. */
unsigned vm_library_file_mask(const VmRank *rank);
/* Opens a host file under the rank's VmFs. Returns -1 with *error set, or with a fault raised. */
int vm_library_open(VmRank *rank, const char *path, int flags, unsigned mode, int *error);

/* Work as malloc() and free(). They return false after a heap fault. If the heap is full, *address is 0 and errno is
 * set. */
bool vm_library_allocate(VmRank *rank, uint64_t size, uint64_t *address);
bool vm_library_release(VmRank *rank, uint64_t address);

/* Like vm_library_format() and vm_library_scan(), for wide text. The format is the wide string at `format`, and the
 * sink gets UTF-8. */
int vm_library_format_wide(VmRank *rank, CSink *sink, uint64_t format, int format_number, uint64_t slots);
int vm_library_scan_wide(VmRank *rank, CSource *source, uint64_t format, int format_number, uint64_t slots);

/* Seconds of the simulated epoch after 1970-01-01: 2000-01-01T00:00:00Z. */
#define C_EPOCH VM_EPOCH_SECONDS

#endif
