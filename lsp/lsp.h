/* lsp.h - a language server for C programs with MPI and OpenMP: the Language Server Protocol 3.17. */
#ifndef ORRERY_LSP_H
#define ORRERY_LSP_H

#include "rpc/rpc.h"

/* Answers a client until it says exit or closes the channel. `include_dir` is the folder of the compiler's headers,
 * `version` what the server says of itself. Returns the exit status that the protocol asks for: 0 if shutdown came
 * before exit, else 1. */
int lsp_server_run(RpcChannel *channel, const char *include_dir, const char *version);

#endif
