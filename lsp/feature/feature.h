/* feature.h - the questions that the language server answers: a function each, from the parameters of the protocol to
 * its result. NULL stands for the result null. */
#ifndef ORRERY_LSP_FEATURE_H
#define ORRERY_LSP_FEATURE_H

#include "lsp/core/core.h"

/* -- diagnostics.c ----------------------------------------------------------------------------- */
/* Returns the parameters of publishDiagnostics for a document. */
json_t *lsp_diagnostics(LspServer *server, LspDocument *document);
json_t *lsp_diagnostics_actions(LspServer *server, const json_t *params);

/* -- hover.c, go.c, symbols.c ------------------------------------------------------------------ */
json_t *lsp_hover(LspServer *server, const json_t *params);
json_t *lsp_go_definition(LspServer *server, const json_t *params);
json_t *lsp_go_declaration(LspServer *server, const json_t *params);
json_t *lsp_go_type_definition(LspServer *server, const json_t *params);
json_t *lsp_go_references(LspServer *server, const json_t *params);
json_t *lsp_go_highlight(LspServer *server, const json_t *params);
json_t *lsp_document_symbols(LspServer *server, const json_t *params);
json_t *lsp_workspace_symbols(LspServer *server, const json_t *params);
json_t *lsp_symbols_folding(LspServer *server, const json_t *params);

/* -- completion.c, signature.c ------------------------------------------------------------------- */
json_t *lsp_completion(LspServer *server, const json_t *params);
json_t *lsp_signature_help(LspServer *server, const json_t *params);

/* -- rename.c ---------------------------------------------------------------------------------- */
json_t *lsp_prepare_rename(LspServer *server, const json_t *params);
/* Sets *why (g_free()) if the name cannot be given. */
json_t *lsp_rename(LspServer *server, const json_t *params, char **why);

/* -- tokens.c ---------------------------------------------------------------------------------- */
json_t *lsp_tokens_legend(void);
json_t *lsp_tokens_full(LspServer *server, const json_t *params);
json_t *lsp_tokens_range(LspServer *server, const json_t *params);

#endif
