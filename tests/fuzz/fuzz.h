/* fuzz.h - what the fuzzers share.
 *
 * A fuzzer is one function: it takes any bytes and must return, without crash, sanitizer report, leak, hang or more
 * than a bounded amount of memory. Built with ORRERY_FUZZ, libFuzzer calls it with mutated inputs, guided by coverage.
 * In every other build replay.c calls it with the inputs of corpus/, which makes each of them a test.
 *
 *     fuzz_source    preprocessed C -> compiler at -O0 and -O2 -> linker -> verifier
 *     fuzz_run       the same, and the program runs for a while
 *     fuzz_object    object or program file -> reader, disassembler, linker, verifier, VM for a while
 *     fuzz_machine   machine file -> reader, printer, network
 *     fuzz_trace     trace -> reader, all of its events
 *     fuzz_program   program file -> two ranks with MPI, reports, debugger, disassembler
 */
#ifndef ORRERY_FUZZ_H
#define ORRERY_FUZZ_H

#include "compiler/compiler.h"
#include "vm/vm.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Compiles text at an optimisation level, with all warnings; messages are rendered and dropped. NULL if it is wrong. */
VcodeModule *fuzz_compile(const uint8_t *text, size_t size, int level);
/* Links the object (not taken) with a start-up function and nothing else; functions of the C library stay external.
 * NULL if something is missing. */
VcodeModule *fuzz_link(VcodeModule *object);
/* Runs a program (taken) for a bounded number of cycles, without files, its output dropped. */
void fuzz_run(VcodeModule *program);

#endif
