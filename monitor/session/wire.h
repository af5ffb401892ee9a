/* wire.h - what session and engine say to each other over a socket: a kind, a value of GLib, perhaps a descriptor.
 *
 * Both sides are the same program, so what comes is well-formed or nothing: the other side has gone. */
#ifndef ORRERY_MONITOR_SESSION_WIRE_H
#define ORRERY_MONITOR_SESSION_WIRE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Kinds of messages, and the types of their values. */
#define MON_WIRE_KINDS(KIND)                                                                                           \
    /* to the engine */                                                                                                \
    KIND(ASK, "(uuuts)") /* query, rank, frame, thread, argument: ANSWER */                                            \
    KIND(FIND, "(uusau"                                                                                                \
               "suu)")       /* kind, flags, text, ranks, condition, rank, frame: FOUND or FAILED */                   \
    KIND(STEP_FROM, "(auu)") /* ranks, kind of step: where they would begin: FROM or FAILED */                         \
    KIND(GO, MON_ORDER_TYPE) /* STOPPED in the end */                                                                  \
    KIND(INTERRUPT, "()")    /* stop soon; no answer of its own */                                                     \
    KIND(WAKE, "()")         /* to a snapshot: FORKED, with the socket of a copy that waits for GO */                  \
    KIND(AHEAD, "(uba(ut)" MON_ORDER_TYPE ")") /* breakpoint (0: none), whether others stand, ranks and statements     \
                                                * where they have been seen, what to do: who comes to the breakpoint,  \
                                                * or to the end of his step? FORKED, and from the copy REACHED */      \
    KIND(VIEW, "(ba(ut))") /* whether others stand, ranks and statements: FORKED, with the socket of a copy where they \
                            * have come so far; from that REACHED */                                                   \
    KIND(SET, "(uuts)")    /* rank, frame, thread, assignment: ANSWER */                                               \
    KIND(CHANGES, "a" MON_CHANGE_TYPE) /* all changes of this branch of history; no answer */                          \
    KIND(KEEP, "()")                   /* make a snapshot here: SNAPSHOT */                                            \
    /* to the session */                                                                                               \
    KIND(STARTED, "(u)")  /* the machine is there, with so many ranks */                                               \
    KIND(FAILED, "(sis)") /* an error: domain, code, text */                                                           \
    KIND(ANSWER, "(s)")                                                                                                \
    KIND(FOUND, "(sa" MON_SPOT_TYPE ")") /* description; of a watchpoint: what is watched */                           \
    KIND(FROM, "a" MON_STEP_TYPE)                                                                                      \
    KIND(OUTPUT, "(uiay)") /* rank, stream, bytes */                                                                   \
    KIND(NOTE, "(s)")                                                                                                  \
    KIND(SNAPSHOT, "(tttix)")  /* moment, latest time, bytes of output, process, host time; with its socket */         \
    KIND(FORKED, "(i)")        /* process */                                                                           \
    KIND(REACHED, "(a(utu)s)") /* ranks, how many statements each has begun, the breakpoint there (0: its step has     \
                                * ended); why others have not come to the end of their steps */                        \
    KIND(PASSED, "(sb)")       /* a stop that is only told; or what a log point says */                                \
    KIND(STOPPED, MON_STOPPED_TYPE)

/* Where a step begins: kind, rank, thread, depth, depth of the program's caller, line, file, statements of the rank. */
#define MON_STEP_TYPE "(uutttuut)"
/* What a watchpoint watches: rank, address, bytes (0: the value of an expression), thread, type of an element ("": none
 * can be named), the frame that the memory is in and the one that names are meant in: depth (0: none), function, place
 * of the call. */
#define MON_SPOT_TYPE "(utttstuutuu)"
/* A breakpoint: number, kind, text, ranks, condition, ignored so often, flags, text of a log point, spots. */
#define MON_POINT_TYPE "(uusaustusa" MON_SPOT_TYPE ")"
/* A change of a variable: number, whether it is made when the rank has begun so many statements instead of at a moment;
 * that; rank, frame, thread, assignment. */
#define MON_CHANGE_TYPE "(ubtuuts)"
/* What to do: mode, moment, whether it lies between statements, time, bytes of output that were told, whether snapshots
 * are made, breakpoint whose event is told at the moment, steps, breakpoints, stops that were told: breakpoint, rank,
 * statements. */
#define MON_ORDER_TYPE "(utbttbua" MON_STEP_TYPE "a" MON_POINT_TYPE "a(uut))"
/* A stop: reason, rank, breakpoint, moment, is between statements, time, latest time, statements of the rank, thread
 * that is over, bytes of output, text; the end: how, exit status, makespan; hits of a scan: moment, breakpoint, rank,
 * statements, instruction; ranks now; hits of breakpoints: number, hits, still to be ignored, whether what it watched
 * is gone; other breakpoints at this moment. */
#define MON_STOPPED_TYPE "(uuutbttttts(uit)a(tuutu)ua(uttb)au)"

typedef enum MonWireKind {
#define MON_WIRE_KIND(name, type) MON_WIRE_##name,
    MON_WIRE_KINDS(MON_WIRE_KIND)
#undef MON_WIRE_KIND
} MonWireKind;

/* Sends a message; `value` is consumed, NULL stands for "()". `descriptor` goes with it unless it is -1; it stays open
 * here. Returns false if the other side has gone. */
bool mon_wire_send(int socket, MonWireKind kind, GVariant *value, int descriptor);
/* Receives a message. *value must be freed with g_variant_unref(). *descriptor: what came with it, or -1. Returns false
 * if the other side has gone. */
bool mon_wire_receive(int socket, MonWireKind *kind, GVariant **value, int *descriptor);
/* Returns text that may have any bytes as GLib's values can have it: what is no UTF-8 becomes \\ooo. g_free(). */
char *mon_wire_text(const char *text);
/* Whether a message can be received without waiting, or the other side has gone. */
bool mon_wire_waiting(int socket);

#endif
