/* pipe.c - pipes, pairs of sockets and event counters between the threads of a process (POSIX pipe, socketpair; Linux
 * eventfd).
 *
 *      descriptors --> CFile --> CPipeEnd (what dup() shares: O_NONBLOCK) --> CPipe in, CPipe out (one direction each)
 *
 * A pipe has 64 KiB. What fits in PIPE_BUF is written as a whole or not at all; more goes in pieces, as room comes.
 * Every function acts in its turn (vm_rank_perform()). One that must wait halts: it notes why in the open request and
 * gives up, and is performed again from the beginning. So what it has done must show in VmPause, or do no harm when it
 * is done twice. Streams read into the program's memory anew each time, from where they stood when the call began. What
 * they write is taken once, into the buffer, and the call then waits for that alone.
 */
#include "vm/library/calls.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

enum { CAPACITY = 1 << 16, ATOMIC = 4096, BUFFER = 4096, MOST_TYPE = 10 };
#define MOST_EVENTS (UINT64_MAX - 1)

typedef struct CPipe {
    uint64_t number;
    uint32_t readers, writers; /* ends */
    bool shut;                 /* by shutdown(): as if there were neither */
    bool counts, single;       /* it is an event counter; each read takes one */
    uint64_t events;
    GArray *packets; /* sizes (uint32_t) of what is read one by one; NULL: they run together */
    size_t first, used;
    char bytes[]; /* a ring */
} CPipe;

struct CPipeEnd {
    uint32_t references;
    CPipe *in, *out; /* NULL: it is not for that */
    bool nonblocking, socket;
};

/* -- pipes ------------------------------------------------------------------------------------- */

static CPipe *pipe_new(VmRank *rank, bool counts)
{
    CPipe *pipe = g_malloc0(sizeof *pipe + (counts ? 0 : CAPACITY));
    pipe->number = ++vm_library_of(rank)->pipes;
    pipe->counts = counts;
    return pipe;
}

static void pipe_release(CPipe *pipe)
{
    if (pipe->readers + pipe->writers)
        return;
    if (pipe->packets)
        g_array_unref(pipe->packets);
    g_free(pipe);
}

static CPipeEnd *end_new(CPipe *in, CPipe *out, int flags, bool socket)
{
    CPipeEnd *end = g_new0(CPipeEnd, 1);
    *end = (CPipeEnd){.in = in, .out = out, .nonblocking = flags & O_NONBLOCK, .socket = socket};
    if (in)
        in->readers++;
    if (out)
        out->writers++;
    return end;
}

static bool has_data(const CPipe *pipe)
{
    return pipe->counts ? pipe->events > 0 : pipe->used > 0 || (pipe->packets && pipe->packets->len);
}

static bool has_room(const CPipe *pipe)
{
    return pipe->counts ? pipe->events < MOST_EVENTS : CAPACITY - pipe->used >= ATOMIC;
}

static bool no_writer(const CPipe *pipe)
{
    return pipe->writers == 0 || pipe->shut;
}

static bool no_reader(const CPipe *pipe)
{
    return pipe->readers == 0 || pipe->shut;
}

static void tell(VmRank *rank, const CPipe *pipe, bool taken, bool put)
{
    const VmHost *host = vm_rank_host(rank);
    VmPipeChange change = {pipe->number,   taken,          put,
                           has_data(pipe), has_room(pipe), no_reader(pipe) || no_writer(pipe)};
    if (host && host->piped && rank->in_order)
        host->piped(host->user, rank->index, &change);
}

static void ring_put(CPipe *pipe, const char *bytes, size_t size)
{
    size_t at = (pipe->first + pipe->used) % CAPACITY, head = MIN(size, CAPACITY - at);
    memcpy(pipe->bytes + at, bytes, head);
    memcpy(pipe->bytes, bytes + head, size - head);
    pipe->used += size;
}

static void ring_get(const CPipe *pipe, char *bytes, size_t size)
{
    size_t head = MIN(size, CAPACITY - pipe->first);
    memcpy(bytes, pipe->bytes + pipe->first, head);
    memcpy(bytes + head, pipe->bytes, size - head);
}

static void ring_drop(CPipe *pipe, size_t size)
{
    pipe->first = (pipe->first + size) % CAPACITY;
    pipe->used -= size;
}

/* -- waiting ----------------------------------------------------------------------------------- */

static VmOpenRequest *request_of(VmRank *rank)
{
    g_assert(rank->in_order && rank->request_count);
    return &rank->requests[rank->request_count - 1];
}

static int halt(VmRank *rank, VmHaltReason reason, const CPipe *pipe, int descriptor)
{
    request_of(rank)->halt = (VmHalt){
        .reason = reason, .pipe = pipe ? pipe->number : 0, .descriptor = descriptor, .deadline_ps = UINT64_MAX};
    rank->wants_turn = true;
    return C_HALTED;
}

static int refuse(VmRank *rank, int error)
{
    vm_library_set_errno(rank, error);
    return -1;
}

/* -- reading ----------------------------------------------------------------------------------- */

static int64_t read_events(VmRank *rank, CPipe *pipe, char *bytes)
{
    uint64_t taken = pipe->single ? 1 : pipe->events;
    memcpy(bytes, &taken, sizeof taken);
    pipe->events -= taken;
    tell(rank, pipe, true, false);
    return sizeof taken;
}

static int64_t read_packet(VmRank *rank, CPipe *pipe, char *bytes, size_t size, bool peek)
{
    uint32_t whole = g_array_index(pipe->packets, uint32_t, 0);
    size_t got = MIN(whole, size);
    ring_get(pipe, bytes, got);
    c_charge(rank, got);
    if (peek)
        return (int64_t)got;
    ring_drop(pipe, whole);
    g_array_remove_index(pipe->packets, 0);
    tell(rank, pipe, true, false);
    return (int64_t)got;
}

static int64_t read_bytes(VmRank *rank, CPipe *pipe, char *bytes, size_t size, bool peek)
{
    size_t got = MIN(size, pipe->used);
    ring_get(pipe, bytes, got);
    c_charge(rank, got);
    if (!peek)
        ring_drop(pipe, got);
    if (got && !peek)
        tell(rank, pipe, true, false);
    return (int64_t)got;
}

/* What a read does that finds nothing. */
static int64_t read_nothing(VmRank *rank, CPipe *pipe, int descriptor, bool blocks)
{
    if (no_writer(pipe)) {
        tell(rank, pipe, true, false);
        return 0;
    }
    if (!blocks)
        return refuse(rank, EAGAIN);
    if (request_of(rank)->pause.ends & VM_HALT_INTERRUPTED)
        return refuse(rank, EINTR);
    return halt(rank, VM_HALT_DATA, pipe, descriptor);
}

int64_t vm_library_pipe_read(VmRank *rank, CFile *file, int descriptor, char *bytes, size_t size, int flags)
{
    CPipeEnd *end = file->end_of_pipe;
    CPipe *pipe = end->in;
    uint64_t *done = &request_of(rank)->pause.done;
    bool blocks = !end->nonblocking && !(flags & MSG_DONTWAIT), peek = flags & MSG_PEEK;
    if (!pipe)
        return refuse(rank, EBADF);
    if (pipe->counts && size < sizeof(uint64_t))
        return refuse(rank, EINVAL);
    if (size == 0 && !pipe->packets)
        return 0;
    if (!has_data(pipe)) {
        int64_t none = *done && (no_writer(pipe) || request_of(rank)->pause.ends) ? (int64_t)*done : 0;
        return none ? none : read_nothing(rank, pipe, descriptor, blocks);
    }
    if (pipe->counts)
        return read_events(rank, pipe, bytes);
    if (pipe->packets)
        return read_packet(rank, pipe, bytes, size, peek);
    if (!(flags & MSG_WAITALL) || peek || !blocks)
        return read_bytes(rank, pipe, bytes, size, peek);
    *done += (uint64_t)read_bytes(rank, pipe, bytes + *done, size - *done, false);
    return *done == size || no_writer(pipe) ? (int64_t)*done : halt(rank, VM_HALT_DATA, pipe, descriptor);
}

/* -- writing ----------------------------------------------------------------------------------- */

static int64_t write_events(VmRank *rank, CPipe *pipe, int descriptor, const char *bytes, bool blocks)
{
    uint64_t more;
    memcpy(&more, bytes, sizeof more);
    if (more == UINT64_MAX)
        return refuse(rank, EINVAL);
    if (more > MOST_EVENTS - pipe->events) {
        if (!blocks)
            return refuse(rank, EAGAIN);
        return request_of(rank)->pause.ends & VM_HALT_INTERRUPTED ? refuse(rank, EINTR)
                                                                  : halt(rank, VM_HALT_ROOM, pipe, descriptor);
    }
    pipe->events += more;
    tell(rank, pipe, false, true);
    return sizeof more;
}

/* Nobody will read. */
static int64_t write_broken(VmRank *rank, const CPipe *pipe, int descriptor, int flags)
{
    const VmPause *pause = &request_of(rank)->pause;
    if (!(pause->ends & VM_HALT_SIGNALLED) && !(flags & MSG_NOSIGNAL))
        return halt(rank, VM_HALT_BROKEN, pipe, descriptor);
    return pause->done ? (int64_t)pause->done : refuse(rank, EPIPE);
}

int64_t vm_library_pipe_write(VmRank *rank, CFile *file, int descriptor, const char *bytes, size_t size, int flags)
{
    CPipeEnd *end = file->end_of_pipe;
    CPipe *pipe = end->out;
    VmPause *pause = &request_of(rank)->pause;
    bool blocks = !end->nonblocking && !(flags & MSG_DONTWAIT);
    if (!pipe)
        return refuse(rank, EBADF);
    if (pipe->counts)
        return size < sizeof(uint64_t) ? refuse(rank, EINVAL) : write_events(rank, pipe, descriptor, bytes, blocks);
    if (no_reader(pipe))
        return write_broken(rank, pipe, descriptor, flags);
    if (pipe->packets && size > CAPACITY)
        return refuse(rank, EMSGSIZE);
    size_t left = size - pause->done, room = CAPACITY - pipe->used, piece = MIN(left, room);
    if (piece < left && (size <= ATOMIC || pipe->packets))
        piece = 0;
    if (piece || (pipe->packets && !size)) {
        ring_put(pipe, bytes + pause->done, piece);
        if (pipe->packets)
            g_array_append_val(pipe->packets, (uint32_t){(uint32_t)piece});
        pause->done += piece;
        c_charge(rank, piece);
        tell(rank, pipe, false, true);
    }
    if (pause->done == size)
        return (int64_t)size;
    if (!blocks || pause->ends & VM_HALT_INTERRUPTED)
        return pause->done ? (int64_t)pause->done : refuse(rank, blocks ? EINTR : EAGAIN);
    return halt(rank, VM_HALT_ROOM, pipe, descriptor);
}

/* -- streams ----------------------------------------------------------------------------------- */

static int descriptor_of(const CFile *file)
{
    return file->handle <= 3 ? (int)file->handle - 1 : (int)(file->handle & 0xffff);
}

int vm_library_pipe_get(VmRank *rank, CFile *file)
{
    if (file->text && file->position < file->text->len)
        return (unsigned char)file->text->str[file->position++];
    if (rank->wants_turn || file->end_of_file)
        return -1;
    char bytes[BUFFER];
    int64_t got = vm_library_pipe_read(rank, file, descriptor_of(file), bytes, sizeof bytes, 0);
    file->error |= got == -1;
    file->end_of_file |= got == 0;
    if (got <= 0)
        return -1;
    if (!file->text)
        file->text = g_string_new(NULL);
    g_string_append_len(file->text, bytes, got);
    return (unsigned char)file->text->str[file->position++];
}

bool vm_library_pipe_unget(CFile *file, int byte)
{
    if (!file->text)
        file->text = g_string_new(NULL);
    if (file->position)
        file->text->str[--file->position] = (char)byte;
    else
        g_string_prepend_c(file->text, (char)byte);
    file->end_of_file = false;
    return true;
}

/* Returns 0, -1 with errno, or C_HALTED. */
int vm_library_pipe_flush(VmRank *rank, CFile *file)
{
    while (file->unsent && file->unsent->len) {
        size_t piece = MIN(file->unsent->len, ATOMIC);
        request_of(rank)->pause.done = 0;
        int64_t done = vm_library_pipe_write(rank, file, descriptor_of(file), file->unsent->str, piece, 0);
        if (done == C_HALTED)
            return C_HALTED;
        if (done < 0) {
            file->error = true;
            g_string_truncate(file->unsent, 0);
            return -1;
        }
        g_string_erase(file->unsent, 0, done);
    }
    return 0;
}

int64_t vm_library_pipe_put(VmRank *rank, CFile *file, const char *bytes, size_t size)
{
    if (!file->end_of_pipe->out) {
        file->error = true;
        return refuse(rank, EBADF);
    }
    if (!file->unsent)
        file->unsent = g_string_new(NULL);
    g_string_append_len(file->unsent, bytes, (gssize)size);
    if (file->unsent->len >= BUFFER || file->unbuffered || (file->by_lines && memchr(bytes, '\n', size)))
        vm_library_of(rank)->drains = file->handle;
    return (int64_t)size;
}

bool vm_library_pipes_pend(const VmRank *rank)
{
    const VmLibrary *library = rank->library;
    for (uint32_t i = 0; library && library->pipes && i < library->n_files; i++)
        if (library->files[i] && library->files[i]->unsent && library->files[i]->unsent->len)
            return true;
    return false;
}

/* Where streams stand when a call begins: it reads from there again if it halts. */
static void note_positions(VmLibrary *library)
{
    for (uint32_t i = 0; i < library->n_files; i++) {
        CFile *file = library->files[i];
        if (file && file->kind == C_FILE_PIPE && file->text && file->position) {
            g_string_erase(file->text, 0, (gssize)file->position);
            file->position = 0;
        }
    }
}

static void go_back(VmLibrary *library)
{
    for (uint32_t i = 0; i < library->n_files; i++)
        if (library->files[i] && library->files[i]->kind == C_FILE_PIPE)
            library->files[i]->position = 0;
}

/* Writes the buffer of a stream, of a call that is done but for that. Returns whether it is done. */
static bool drain(VmRank *rank, VmPause *pause, CFunction function)
{
    CFile *file =
        vm_library_descriptor(rank, pause->stream <= 3 ? (int)pause->stream - 1 : (int)(pause->stream & 0xffff));
    int outcome = file && file->handle == pause->stream ? vm_library_pipe_flush(rank, file) : 0;
    if (outcome == -1)
        pause->result = function == vm_library_c_fwrite ? 0 : UINT64_MAX; /* EOF, or less than all */
    return outcome != C_HALTED;
}

VmCallResult vm_library_perform(VmRank *rank, CFunction function, uint64_t *args)
{
    VmPause *pause = &request_of(rank)->pause;
    uint64_t first = args[0], cycles = rank->clock.cycles;
    VmLibrary *library = rank->library;
    if (!pause->stream) {
        note_positions(library);
        library->drains = 0;
        VmCallResult result = function(rank, args);
        if (rank->state == VM_STATE_FAULTED || rank->state == VM_STATE_EXITED)
            return result;
        pause->stream = rank->wants_turn ? 0 : library->drains;
        pause->result = args[0];
        if (!rank->wants_turn && !pause->stream)
            return result;
        args[0] = first;
    }
    if (pause->stream && drain(rank, pause, function))
        return c_return(args, pause->result);
    g_assert(rank->wants_turn);
    rank->wants_turn = false;
    if (request_of(rank)->halt.reason == VM_HALT_DATA) {
        go_back(library);
        rank->clock.cycles = cycles;
    }
    return VM_CALL_AGAIN;
}

/* -- descriptors ------------------------------------------------------------------------------- */

static CFile *file_new(CPipeEnd *end)
{
    CFile *file = g_new0(CFile, 1);
    file->kind = C_FILE_PIPE;
    file->descriptor = -1;
    file->end_of_pipe = end;
    end->references++;
    return file;
}

CFile *vm_library_pipe_copy(const CFile *file)
{
    return file_new(file->end_of_pipe);
}

void vm_library_pipe_close(VmRank *rank, CFile *file)
{
    CPipeEnd *end = file->end_of_pipe;
    if (file->unsent)
        g_string_free(file->unsent, TRUE);
    file->unsent = NULL;
    if (--end->references)
        return;
    if (end->in)
        end->in->readers--;
    if (end->out)
        end->out->writers--;
    if (end->in)
        tell(rank, end->in, false, true);
    if (end->out && end->out != end->in)
        tell(rank, end->out, false, true);
    if (end->in)
        pipe_release(end->in);
    if (end->out && end->out != end->in)
        pipe_release(end->out);
    g_free(end);
}

int vm_library_pipe_flags(const CFile *file)
{
    const CPipeEnd *end = file->end_of_pipe;
    return (end->in && end->out ? O_RDWR : end->out ? O_WRONLY : O_RDONLY) | (end->nonblocking ? O_NONBLOCK : 0);
}

void vm_library_pipe_set_flags(CFile *file, int flags)
{
    file->end_of_pipe->nonblocking = flags & O_NONBLOCK;
}

unsigned vm_library_pipe_mode(const CFile *file)
{
    const CPipeEnd *end = file->end_of_pipe;
    return 0600 | (end->socket ? S_IFSOCK : end->in != end->out ? S_IFIFO : 0);
}

/* Whether the function may make descriptors now. */
static bool may_make(VmRank *rank)
{
    rank->wants_turn |= !rank->in_order;
    return rank->in_order;
}

/* Stores the descriptors of two ends at args[place]. */
static VmCallResult give_ends(VmRank *rank, uint64_t *args, int place, CPipeEnd *ends[2])
{
    CWord32 *to = c_write(place, 8);
    int first = to ? vm_library_add_file(rank, file_new(ends[0])) : -1;
    int second = first >= 0 ? vm_library_add_file(rank, file_new(ends[1])) : -1;
    if (!to)
        return VM_CALL_FAULT;
    to[0] = (uint32_t)first;
    to[1] = (uint32_t)second;
    return c_return_int(args, 0);
}

static bool has_room_for_two(VmRank *rank)
{
    vm_library_descriptor(rank, 0); /* the table exists */
    const VmLibrary *library = vm_library_of(rank);
    uint32_t closed = C_MOST_FILES - library->n_files;
    for (uint32_t i = 0; i < library->n_files; i++)
        closed += !library->files[i];
    return closed >= 2;
}

/* __orrery_pipe(descriptors, flags) */
C_FUNCTION(__orrery_pipe)
{
    int flags = c_int(args[1]);
    if (!may_make(rank))
        return VM_CALL_DONE;
    if (flags & ~(O_NONBLOCK | O_CLOEXEC))
        return c_fail(rank, args, EINVAL, -1);
    if (!has_room_for_two(rank))
        return c_fail(rank, args, EMFILE, -1);
    if (!c_write(0, 8))
        return VM_CALL_FAULT;
    CPipe *pipe = pipe_new(rank, false);
    return give_ends(rank, args, 0,
                     (CPipeEnd *[2]){end_new(pipe, NULL, flags, false), end_new(NULL, pipe, flags, false)});
}

/* __orrery_socketpair(type, descriptors): type with flags */
C_FUNCTION(__orrery_socketpair)
{
    int type = c_int(args[0]) & ~(SOCK_NONBLOCK | SOCK_CLOEXEC), flags = c_int(args[0]) & SOCK_NONBLOCK;
    if (!may_make(rank))
        return VM_CALL_DONE;
    if (type != SOCK_STREAM && type != SOCK_DGRAM && type != SOCK_SEQPACKET)
        return c_fail(rank, args, type < 1 || type > MOST_TYPE ? EINVAL : ESOCKTNOSUPPORT, -1);
    if (!has_room_for_two(rank))
        return c_fail(rank, args, EMFILE, -1);
    if (!c_write(1, 8))
        return VM_CALL_FAULT;
    CPipe *there = pipe_new(rank, false), *back = pipe_new(rank, false);
    if (type != SOCK_STREAM) {
        there->packets = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        back->packets = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    }
    return give_ends(rank, args, 1,
                     (CPipeEnd *[2]){end_new(back, there, flags, true), end_new(there, back, flags, true)});
}

/* __orrery_eventfd(events, flags) */
C_FUNCTION(__orrery_eventfd)
{
    int flags = c_int(args[1]);
    if (!may_make(rank))
        return VM_CALL_DONE;
    if (flags & ~(EFD_NONBLOCK | EFD_CLOEXEC | EFD_SEMAPHORE))
        return c_fail(rank, args, EINVAL, -1);
    if (!vm_library_has_room(rank))
        return c_fail(rank, args, EMFILE, -1);
    CPipe *pipe = pipe_new(rank, true);
    pipe->events = (uint32_t)args[0];
    pipe->single = flags & EFD_SEMAPHORE;
    return c_return_int(args, vm_library_add_file(rank, file_new(end_new(pipe, pipe, flags, false))));
}

/* Returns the socket behind a descriptor. NULL: there is none, with *result, or it is not the rank's turn. */
static CFile *socket_of(VmRank *rank, uint64_t *args, VmCallResult *result)
{
    CFile *file = vm_library_descriptor_in_turn(rank, c_int(args[0]));
    *result = VM_CALL_DONE;
    if (file && file->kind == C_FILE_PIPE && file->end_of_pipe->socket)
        return file;
    *result = c_fail(rank, args, file ? ENOTSOCK : EBADF, -1);
    return NULL;
}

C_FUNCTION(recv)
{
    VmCallResult result;
    CFile *file = socket_of(rank, args, &result);
    char *bytes = file ? c_write(1, args[2]) : NULL;
    if (!file || (args[2] && !bytes))
        return file ? VM_CALL_FAULT : result;
    return c_return(args, (uint64_t)vm_library_pipe_read(rank, file, c_int(args[0]), bytes, args[2], c_int(args[3])));
}

C_FUNCTION(send)
{
    VmCallResult result;
    CFile *file = socket_of(rank, args, &result);
    const char *bytes = file ? c_read(1, args[2]) : NULL;
    if (!bytes)
        return file ? VM_CALL_FAULT : result;
    return c_return(args, (uint64_t)vm_library_pipe_write(rank, file, c_int(args[0]), bytes, args[2], c_int(args[3])));
}

/* One direction ends: the other side reads its end, or is told that nobody reads. */
C_FUNCTION(shutdown)
{
    VmCallResult result;
    CFile *file = socket_of(rank, args, &result);
    int how = c_int(args[1]);
    if (!file)
        return result;
    if (how < SHUT_RD || how > SHUT_RDWR)
        return c_fail(rank, args, EINVAL, -1);
    CPipeEnd *end = file->end_of_pipe;
    end->in->shut |= how != SHUT_WR;
    end->out->shut |= how != SHUT_RD;
    tell(rank, end->in, false, true);
    tell(rank, end->out, false, true);
    return c_return_int(args, 0);
}

/* Of the requests, those that concern any descriptor. The third argument is a variable one. */
C_FUNCTION(ioctl)
{
    CFile *file = vm_library_descriptor_in_turn(rank, c_int(args[0]));
    const CWord64 *address = file ? vm_library_read(rank, args[2], 8, 3) : NULL;
    if (!address)
        return file ? VM_CALL_FAULT : c_fail(rank, args, EBADF, -1);
    bool pipe = file->kind == C_FILE_PIPE && file->end_of_pipe->in;
    if ((args[1] != FIONREAD && args[1] != FIONBIO) || (args[1] == FIONREAD && !pipe))
        return c_fail(rank, args, ENOTTY, -1);
    CWord32 *value = vm_library_write(rank, *address, 4, 3);
    if (!value)
        return VM_CALL_FAULT;
    if (args[1] == FIONBIO && file->kind == C_FILE_PIPE)
        file->end_of_pipe->nonblocking = *value;
    else if (args[1] == FIONREAD)
        *value = (uint32_t)(file->end_of_pipe->in->packets && file->end_of_pipe->in->packets->len
                                ? g_array_index(file->end_of_pipe->in->packets, uint32_t, 0)
                                : file->end_of_pipe->in->used);
    return c_return_int(args, 0);
}

/* -- what is ready ----------------------------------------------------------------------------- */

/* The events of poll() that a descriptor is ready for, and whether it may become ready for more (clib/runtime/poll.c).
 */
static int ready(const CFile *file)
{
    enum { BOTH = POLLIN | POLLRDNORM | POLLOUT | POLLWRNORM, PIPE = 1 << 16 };
    if (!file)
        return POLLNVAL;
    if (file->kind != C_FILE_PIPE)
        return BOTH;
    const CPipe *in = file->end_of_pipe->in, *out = file->end_of_pipe->out;
    int events = PIPE;
    if (in && has_data(in))
        events |= POLLIN | POLLRDNORM;
    if (in && no_writer(in))
        events |= file->end_of_pipe->socket ? POLLIN | POLLRDNORM : POLLHUP;
    if (out && (has_room(out) || no_reader(out)))
        events |= POLLOUT | POLLWRNORM;
    if (out && no_reader(out))
        events |= file->end_of_pipe->socket ? POLLHUP : POLLERR;
    return events;
}

/* __orrery_poll_ready(descriptor): the events that it is ready for */
C_FUNCTION(__orrery_poll_ready)
{
    const VmLibrary *library = vm_library_of(rank);
    if (library->pipes && !may_make(rank))
        return VM_CALL_DONE;
    return c_return_int(args, ready(vm_library_descriptor(rank, c_int(args[0]))));
}

typedef struct __attribute__((packed)) CPollFile {
    int32_t descriptor;
    int16_t events, revents;
} CPollFile;

bool vm_rank_pipes_ready(VmRank *rank, const VmHalt *halt)
{
    const CPollFile *files = vm_rank_peek(rank, halt->files, halt->n_files * sizeof *files); /* for another thread */
    for (uint64_t i = 0; files && i < halt->n_files; i++)
        if (files[i].descriptor >= 0 && ready(vm_library_descriptor(rank, files[i].descriptor)) &
                                            ((uint16_t)files[i].events | POLLERR | POLLHUP | POLLNVAL))
            return true;
    return !files;
}

/* __orrery_poll_wait(files, n, ns): waits until a descriptor of struct pollfd[n] is ready: 1, or 0 when the time is up,
 * -1: EINTR. `ns` UINT64_MAX: forever. */
C_FUNCTION(__orrery_poll_wait)
{
    if (!may_make(rank))
        return VM_CALL_DONE;
    VmPause *pause = &request_of(rank)->pause;
    VmHalt wait = {.reason = VM_HALT_ANY, .descriptor = -1, .files = args[0], .n_files = args[1]};
    if (args[1] > C_MOST_FILES * 4 || !c_read(0, args[1] * sizeof(CPollFile)))
        return rank->state == VM_STATE_FAULTED ? VM_CALL_FAULT : c_fail(rank, args, EINVAL, -1);
    if (vm_rank_pipes_ready(rank, &wait))
        return c_return_int(args, 1);
    if (pause->ends & VM_HALT_INTERRUPTED)
        return c_fail(rank, args, EINTR, -1);
    if (pause->ends & VM_HALT_TIMED_OUT)
        return c_return_int(args, 0);
    uint64_t now_ps = vm_clock_now(&rank->clock), most = (UINT64_MAX - now_ps) / 2000;
    if (!pause->done)
        pause->done = args[2] > most ? UINT64_MAX : now_ps + args[2] * 1000;
    wait.deadline_ps = pause->done;
    halt(rank, VM_HALT_ANY, NULL, -1);
    request_of(rank)->halt = wait;
    return VM_CALL_DONE;
}

/* -- as text ----------------------------------------------------------------------------------- */

int vm_rank_pipe_other_end(VmRank *rank, const VmHalt *halt)
{
    const VmLibrary *library = rank->library;
    for (uint32_t i = 0; library && i < library->n_files; i++) {
        const CFile *file = library->files[i];
        if (!file || file->kind != C_FILE_PIPE)
            continue;
        const CPipe *pipe = halt->reason == VM_HALT_DATA ? file->end_of_pipe->out : file->end_of_pipe->in;
        if (pipe && pipe->number == halt->pipe)
            return (int)i;
    }
    return -1;
}

void vm_rank_pipe_describe(VmRank *rank, const VmHalt *halt, GString *out)
{
    const CFile *file = halt->descriptor >= 0 ? vm_library_descriptor(rank, halt->descriptor) : NULL;
    bool known = file && file->kind == C_FILE_PIPE;
    const CPipeEnd *end = known ? file->end_of_pipe : NULL;
    const char *what = !end ? "a pipe" : end->socket ? "a socket" : end->in == end->out ? "an event counter" : "a pipe";
    if (halt->reason == VM_HALT_ANY)
        g_string_append(out, "descriptors to be ready");
    else
        g_string_append_printf(out, "%s %s (descriptor %d)",
                               halt->reason == VM_HALT_DATA ? "something to read from" : "room to write to", what,
                               halt->descriptor);
}
