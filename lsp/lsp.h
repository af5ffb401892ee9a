/* lsp.h - a language server for C programs with MPI and OpenMP: the Language Server Protocol 3.17. */
#ifndef ORRERY_LSP_H
#define ORRERY_LSP_H

#include "rpc/rpc.h"

/* Answers a client until it says exit or closes the channel. `include_dir` is the folder of the compiler's headers,
 * `version` what the server says of itself. Returns the exit status that the protocol asks for: 0 if shutdown came
 * before exit, else 1. */
int lsp_server_run(RpcChannel *channel, const char *include_dir, const char *version);

/* -- parameters of C functions as text (feature/parameters.c) ----------------------------------- */

/* Splits a head like "int f(int a, char *b)" into its parameters (char *), with their types. O(length). */
GPtrArray *lsp_parameters(const char *head);
/* Returns the name in a parameter like "const int *a[4]", or NULL. The caller frees it with g_free(). */
char *lsp_parameter_name(const char *parameter);

#endif
