/* files.c - open files of a simulated process: streams, descriptors, the console, and what VmFs allows.
 *
 * One table per rank holds both streams and bare descriptors. The index is the descriptor; as in Unix, a new file gets
 * the lowest free one. 0, 1 and 2 are the console unless closed or redirected. Standard output is collected to whole
 * lines (64 KiB at most) and handed to VmHost.write with the rank's present time; standard error goes at once. Standard
 * input comes from VmHost.read, for rank 0. Before it waits for input, it writes the unfinished line of standard
 * output, as a terminal user expects a prompt.
 *
 * What a stream has read ahead belongs to its rank. All ranks share the host's files, so accesses to them happen in the
 * global order of virtual time. It is a rank's turn as long as its clock is before all that others will do
 * (VmHost.undisturbed). A function that finds it is not its rank's turn (vm_library_turn) gives up and is called again
 * when it is.
 *
 *      FILE * 1, 2, 3           stdin, stdout, stderr: files[0..2]
 *      FILE * C_FILE_BASE + x   x = generation << 16 | descriptor: stale handles are recognised
 *
 * Other files are host streams; paths.c decides which ones a program may open.
 */
#include "vm/library/calls.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_AHEAD = 4096 };

/* -- the table --------------------------------------------------------------------------------- */

static CFile *console(CFileKind kind)
{
    CFile *file = g_new0(CFile, 1);
    file->kind = kind;
    file->handle = (uint64_t)kind + 1;
    file->descriptor = -1;
    file->unbuffered = kind == C_FILE_STDERR;
    if (kind != C_FILE_STDERR)
        file->text = g_string_new(NULL);
    return file;
}

static VmLibrary *files_of(VmRank *rank)
{
    VmLibrary *library = vm_library_of(rank);
    if (!library->files) {
        library->n_files = 3;
        library->files = g_new0(CFile *, 3);
        for (int kind = C_FILE_STDIN; kind <= C_FILE_STDERR; kind++)
            library->files[kind] = console((CFileKind)kind);
    }
    return library;
}

CFile *vm_library_descriptor(VmRank *rank, int descriptor)
{
    VmLibrary *library = files_of(rank);
    return descriptor >= 0 && (uint32_t)descriptor < library->n_files ? library->files[descriptor] : NULL;
}

CFile *vm_library_descriptor_in_turn(VmRank *rank, int descriptor)
{
    CFile *file = vm_library_descriptor(rank, descriptor);
    bool shared =
        file && (file->kind == C_FILE_HOST || file->kind == C_FILE_RAW || file->kind == C_FILE_PIPE || rank->threads);
    return !shared || vm_library_turn_for(rank, file) ? file : NULL;
}

bool vm_library_has_host_files(const VmRank *rank)
{
    for (uint32_t i = 0; rank->library && i < rank->library->n_files; i++)
        if (rank->library->files[i] && rank->library->files[i]->host)
            return true;
    return false;
}

bool vm_library_ask_for_turn(VmRank *rank)
{
    const VmHost *host = vm_rank_host(rank);
    if (rank->in_order)
        return true;
    /* Of threads, each operation that waits for its turn begins a new piece, whoever could disturb it. */
    bool alone = host && host->undisturbed && !rank->threads;
    uint64_t until_ps = alone ? host->undisturbed(host->user, rank->index) : 0;
    if (rank->wants_turn || vm_clock_now(&rank->clock) >= until_ps) {
        rank->wants_turn = true;
        return false;
    }
    rank->turn_cycles = vm_clock_cycles_before(&rank->clock, until_ps);
    return true;
}

/* -- windows ----------------------------------------------------------------------------------- */

static const uint64_t always = UINT64_MAX;

void vm_library_open_window(VmRank *rank, VmStreamWindow *window, CFile *file)
{
    bool input = window == &rank->input;
    if (file->kind == C_FILE_HOST && input)
        *window = (VmStreamWindow){.next = &file->host->_IO_read_ptr, .end = &file->host->_IO_read_end};
    else if (file->kind == C_FILE_HOST)
        *window = (VmStreamWindow){.next = &file->host->_IO_write_ptr, .end = &file->host->_IO_write_end};
    else if (file->kind == (input ? C_FILE_STDIN : C_FILE_STDOUT))
        *window = (VmStreamWindow){.next = &file->next, .end = &file->end, .lines = !input};
    else
        return;
    window->turn_cycles = file->kind == C_FILE_HOST && !input ? &rank->turn_cycles : &always;
    window->handle = file->handle;
}

void vm_library_close_windows(VmRank *rank)
{
    rank->input.handle = rank->output.handle = 0;
}

/* Turns a bare descriptor in the slot of a standard stream into a stream. */
static void make_stream(VmRank *rank, CFile *file)
{
    int flags = fcntl(file->descriptor, F_GETFL) & O_ACCMODE;
    const char *mode = flags == O_RDONLY ? "r" : flags == O_WRONLY ? "w" : "r+";
    file->host = vm_library_make_stream(rank, file->descriptor, mode, file->storage);
    if (file->host)
        file->kind = C_FILE_HOST;
}

CFile *vm_library_find_stream(VmRank *rank, uint64_t handle, int number)
{
    uint64_t slot = handle >= 1 && handle <= 3 ? handle - 1 : (handle - C_FILE_BASE) & 0xffff;
    CFile *file = handle ? vm_library_descriptor(rank, (int)slot) : NULL;
    if (file && file->kind == C_FILE_RAW && handle <= 3)
        make_stream(rank, file);
    if (file && file->handle == handle && file->kind != C_FILE_RAW)
        return file;
    if (handle == 0)
        vm_rank_fault(rank, VM_FAULT_NULL_POINTER, 0, "%s: argument %d is a null FILE pointer; did fopen fail?",
                      vm_library_function_name(rank), number);
    else
        vm_rank_fault(rank, VM_FAULT_LIBRARY, handle, "%s: argument %d is no open stream; was it closed?",
                      vm_library_function_name(rank), number);
    return NULL;
}

int vm_library_add_file(VmRank *rank, CFile *file)
{
    return vm_library_add_file_from(rank, file, 0);
}

bool vm_library_has_room(VmRank *rank)
{
    const VmLibrary *library = files_of(rank);
    for (uint32_t slot = 0; slot < library->n_files; slot++)
        if (!library->files[slot])
            return true;
    return library->n_files < C_MOST_FILES;
}

int vm_library_add_file_from(VmRank *rank, CFile *file, uint32_t slot)
{
    VmLibrary *library = files_of(rank);
    while (slot < library->n_files && library->files[slot])
        slot++;
    if (slot >= C_MOST_FILES)
        return -1;
    if (slot >= library->n_files) {
        library->files = g_renew(CFile *, library->files, slot + 1);
        for (uint32_t i = library->n_files; i <= slot; i++)
            library->files[i] = NULL;
        library->n_files = slot + 1;
    }
    g_assert(slot < library->n_files && !library->files[slot]);
    library->files[slot] = file;
    library->generation++;
    /* a file in the slot of a standard stream becomes that stream */
    file->handle = slot < 3 ? slot + 1 : C_FILE_BASE + ((uint64_t)library->generation << 16) + slot;
    return (int)slot;
}

/* Raises the limit of the process to the host's maximum. If that is reached, the run ends, because an error returned to
 * the program would make its result depend on the host. */
bool vm_library_host_allows_more(VmRank *rank, int error)
{
    struct rlimit limit;
    if (error != EMFILE && error != ENFILE)
        return false;
    if (error == EMFILE && getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
            return true;
    }
    if (error == EMFILE)
        vm_rank_fault(
            rank, VM_FAULT_LIBRARY, 0,
            "%s: the simulator cannot open more files for all ranks together: this host allows it %lu (ulimit "
            "-Hn); raise that, or let fewer ranks have files open at a time",
            vm_library_function_name(rank), (unsigned long)limit.rlim_max);
    else
        vm_rank_fault(rank, VM_FAULT_LIBRARY, 0,
                      "%s: the host of the simulator has no more open files to give (see /proc/sys/fs/file-max)",
                      vm_library_function_name(rank));
    return false;
}

/* Makes a second descriptor for the same file. Returns NULL with errno set on failure. */
CFile *vm_library_copy_file(VmRank *rank, CFile *file)
{
    if (file->kind == C_FILE_PIPE)
        return vm_library_pipe_copy(file);
    vm_library_flush_file(rank, file);
    int descriptor = -1;
    if (file->kind == C_FILE_HOST || file->kind == C_FILE_RAW) {
        do
            descriptor = fcntl(file->descriptor, F_DUPFD_CLOEXEC, 0);
        while (descriptor < 0 && vm_library_host_allows_more(rank, errno));
        if (descriptor < 0)
            return NULL;
    } else if (file->kind > C_FILE_STDERR) {
        errno = EBADF;
        return NULL;
    }
    CFile *copy = descriptor < 0 ? console(file->kind) : g_new0(CFile, 1);
    if (descriptor >= 0) {
        copy->kind = C_FILE_RAW;
        copy->descriptor = descriptor;
        copy->storage = file->storage;
    }
    return copy;
}

static void free_file(CFile *file)
{
    if (file->text)
        g_string_free(file->text, TRUE);
    if (file->pushed)
        g_array_free(file->pushed, TRUE);
    g_free(file);
}

int vm_library_close_file(VmRank *rank, int descriptor)
{
    VmLibrary *library = files_of(rank);
    CFile *file = vm_library_descriptor(rank, descriptor);
    if (!file)
        return EBADF;
    g_assert((file->host != NULL) == (file->kind == C_FILE_HOST));
    vm_library_close_windows(rank);
    errno = 0;
    int failed = 0;
    if (file->kind == C_FILE_PIPE)
        vm_library_pipe_close(rank, file);
    else if (file->host)
        failed = fclose(file->host) != 0;
    else if (file->descriptor >= 0)
        failed = close(file->descriptor) != 0;
    else
        vm_library_flush_file(rank, file);
    int error = failed ? errno : 0;
    free_file(file);
    library->files[descriptor] = NULL;
    return error;
}

void vm_library_close(VmRank *rank)
{
    VmLibrary *library = rank->library;
    if (!library)
        return;
    for (uint32_t i = 0; i < library->n_files; i++) /* what a process has buffered when it dies is lost, as natively */
        if (library->files[i] && library->files[i]->host && rank->state == VM_STATE_FAULTED)
            __fpurge(library->files[i]->host);
    for (uint32_t i = 0; i < library->n_files; i++)
        if (library->files[i] && library->files[i]->kind < C_FILE_MEMORY)
            vm_library_close_file(rank, (int)i);
    for (uint32_t i = 0; i < library->n_files; i++)
        if (library->files[i])
            free_file(library->files[i]);
    g_free(library->files);
    g_free(library->directory);
    g_free(library->heap.free);
    g_free(library);
    rank->library = NULL;
}

/* -- the console ------------------------------------------------------------------------------- */

void vm_library_write_console(VmRank *rank, int stream, const char *bytes, size_t size)
{
    const VmHost *host = vm_rank_host(rank);
    if (size && host && host->write)
        host->write(host->user, vm_rank_index(rank), stream, vm_clock_now(vm_rank_clock(rank)), bytes, size);
}

/* Single bytes go to [next, end) behind the unfinished line, and only then count in its length. */
static void take_single_bytes(CFile *file)
{
    if (file->next)
        file->text->len = (gsize)(file->next - file->text->str);
}

static void make_room_for_single_bytes(CFile *file)
{
    gsize room = MIN(file->text->allocated_len, C_LINE_LIMIT) - 1;
    file->next = file->text->str + file->text->len;
    file->end = file->unbuffered ? file->next : file->text->str + MAX(room, file->text->len);
}

/* Writes the finished lines; the rest waits. */
static void put_lines(VmRank *rank, CFile *file, const char *bytes, size_t size)
{
    take_single_bytes(file);
    g_assert(file->kind == C_FILE_STDOUT && file->text->len < C_LINE_LIMIT);
    const char *last = memrchr(bytes, '\n', size);
    size_t ready = last ? (size_t)(last - bytes) + 1 : 0;
    if (ready && file->text->len == 0) {
        vm_library_write_console(rank, 1, bytes, ready);
    } else if (ready) {
        g_string_append_len(file->text, bytes, (gssize)ready);
        make_room_for_single_bytes(file);
        vm_library_flush_file(rank, file);
    }
    g_string_append_len(file->text, bytes + ready, (gssize)(size - ready));
    make_room_for_single_bytes(file);
    if (file->text->len >= C_LINE_LIMIT)
        vm_library_flush_file(rank, file);
}

/* Overwrites and appends at the position. Fills a gap before the position with zeros. */
static void put_memory(CFile *file, const char *bytes, size_t size)
{
    size_t end = file->position + size, old = file->text->len;
    if (end > old) {
        g_string_set_size(file->text, end);
        memset(file->text->str + old, 0, end - old);
    }
    memcpy(file->text->str + file->position, bytes, size);
    file->position = end;
}

/* Writes as much as fits. A lack of room is reported when the stream is flushed or closed, as by glibc's buffered
 * stream. */
static int64_t put_block(VmRank *rank, CFile *file, const char *bytes, size_t size)
{
    if (!file->writable) {
        file->error = true;
        vm_library_set_errno(rank, EBADF);
        return -1;
    }
    if (file->append)
        file->position = file->length;
    size_t kept = MIN(size, file->size - MIN(file->size, file->position));
    char *to = kept ? vm_rank_write(rank, file->block + file->position, kept) : NULL;
    if (to)
        memcpy(to, bytes, kept);
    if (kept < size || (kept && !to))
        file->error = true;
    file->position += kept;
    if (file->position > file->length) {
        file->length = file->position;
        char *end = file->length < file->size ? vm_rank_write(rank, file->block + file->length, 1) : NULL;
        if (end)
            *end = '\0';
    }
    return (int64_t)size;
}

int64_t vm_library_put(VmRank *rank, CFile *file, const char *bytes, size_t size)
{
    switch (file->kind) {
    case C_FILE_STDOUT:
        if (file->unbuffered)
            vm_library_write_console(rank, 1, bytes, size);
        else
            put_lines(rank, file, bytes, size);
        return (int64_t)size;
    case C_FILE_STDERR: vm_library_write_console(rank, 2, bytes, size); return (int64_t)size;
    case C_FILE_MEMORY: put_memory(file, bytes, size); return (int64_t)size;
    case C_FILE_BLOCK: return put_block(rank, file, bytes, size);
    case C_FILE_HOST: {
        errno = 0;
        size_t done = fwrite_unlocked(bytes, 1, size, file->host);
        if (done < size)
            vm_library_set_errno(rank, errno);
        return done < size ? -1 : (int64_t)done;
    }
    case C_FILE_PIPE: return vm_library_pipe_put(rank, file, bytes, size);
    default: break;
    }
    file->error = true;
    vm_library_set_errno(rank, EBADF);
    return -1;
}

/* Characters that ungetc() has put back are dropped by a flush, and the position is before them (POSIX, fflush). The
 * host's library keeps those that were never read. */
static void forget_put_back(FILE *host)
{
    off_t position = host->_IO_save_base && __freading(host) ? ftello(host) : -1;
    if (position >= 0)
        fseeko(host, position, SEEK_SET);
}

void vm_library_flush_file(VmRank *rank, CFile *file)
{
    if (file->kind == C_FILE_STDOUT) {
        take_single_bytes(file);
        vm_library_write_console(rank, 1, file->text->str, file->text->len);
        g_string_truncate(file->text, 0);
        make_room_for_single_bytes(file);
    } else if (file->kind == C_FILE_HOST) {
        forget_put_back(file->host);
        fflush(file->host);
    } else if (file->kind == C_FILE_PIPE) {
        vm_library_pipe_flush(rank, file);
    }
}

/* -- what <stdio_ext.h> tells ------------------------------------------------------------------- */

void vm_library_discard(CFile *file)
{
    if (file->kind == C_FILE_HOST) {
        __fpurge(file->host);
    } else if (file->kind == C_FILE_STDIN) {
        file->next = file->end;
    } else if (file->kind == C_FILE_STDOUT) {
        g_string_truncate(file->text, 0);
        make_room_for_single_bytes(file);
    } else if (file->kind == C_FILE_PIPE) {
        if (file->text)
            g_string_truncate(file->text, file->position = 0);
        if (file->unsent)
            g_string_truncate(file->unsent, 0);
    }
}

size_t vm_library_pending(const CFile *file)
{
    if (file->kind == C_FILE_HOST)
        return __fpending(file->host);
    if (file->kind == C_FILE_PIPE)
        return file->unsent ? file->unsent->len : 0;
    if (file->kind != C_FILE_STDOUT)
        return 0;
    return file->next ? (size_t)(file->next - file->text->str) : file->text->len;
}

/* Reads ahead. Returns false at the end of input. */
static bool fill_console(VmRank *rank, CFile *file)
{
    const VmHost *host = vm_rank_host(rank);
    CFile *output = vm_library_descriptor(rank, 1);
    if (output)
        vm_library_flush_file(rank, output);
    if (vm_rank_index(rank) != 0 || !host || !host->read)
        return false;
    g_string_set_size(file->text, READ_AHEAD);
    size_t got = host->read(host->user, 0, file->text->str, READ_AHEAD);
    file->next = file->text->str;
    file->end = file->next + MIN(got, READ_AHEAD);
    return got > 0;
}

int64_t vm_library_read_console(VmRank *rank, CFile *file, char *bytes, size_t size)
{
    g_assert(file->kind == C_FILE_STDIN && file->next <= file->end);
    if (size == 0)
        return 0;
    if (file->next == file->end && !fill_console(rank, file))
        return 0;
    size = MIN(size, (size_t)(file->end - file->next));
    memcpy(bytes, file->next, size);
    file->next += size;
    return (int64_t)size;
}

static int get_block_byte(VmRank *rank, CFile *file)
{
    const unsigned char *byte =
        file->position < file->length ? vm_rank_read(rank, file->block + file->position, 1) : NULL;
    if (byte) {
        file->position++;
        return *byte;
    }
    file->end_of_file = true;
    return -1;
}

int vm_library_find_byte(VmRank *rank, CFile *file)
{
    if (file->kind == C_FILE_HOST) {
        errno = 0;
        int byte = getc_unlocked(file->host);
        if (byte == EOF && ferror_unlocked(file->host))
            vm_library_set_errno(rank, errno);
        return byte;
    }
    if (file->kind == C_FILE_BLOCK && file->readable)
        return get_block_byte(rank, file);
    if (file->kind == C_FILE_PIPE)
        return vm_library_pipe_get(rank, file);
    if (file->kind != C_FILE_STDIN) {
        file->error = true;
        vm_library_set_errno(rank, EBADF);
        return -1;
    }
    unsigned char byte;
    if (!file->end_of_file && vm_library_read_console(rank, file, (char *)&byte, 1) == 1)
        return byte;
    file->end_of_file = true;
    return -1;
}

bool vm_library_unget_byte(CFile *file, int byte)
{
    if (byte == EOF)
        return false;
    if (file->kind == C_FILE_HOST)
        return ungetc(byte, file->host) != EOF;
    if (file->kind == C_FILE_BLOCK && file->position > 0) { /* only the byte that is there can be put back */
        file->position--;
        file->end_of_file = false;
        return true;
    }
    if (file->kind == C_FILE_PIPE)
        return vm_library_pipe_unget(file, byte);
    if (file->kind != C_FILE_STDIN)
        return false;
    if (file->next == file->text->str || !file->next) {
        g_string_set_size(file->text, (gsize)(file->end - file->next));
        g_string_prepend_c(file->text, (char)byte);
        file->next = file->text->str;
        file->end = file->next + file->text->len;
    } else {
        *--file->next = (char)byte;
    }
    file->end_of_file = false;
    return true;
}
