/* core.h - shared by all features of the language server.
 *
 *   document.c  texts that are open, positions in them       flags.c  flags: compile_flags.txt, compile_commands.json
 *   analysis.c   a document through the compiler              spot.c     what is under the cursor, where things are
 *   words.c     words of C in a text, outside of comments and strings
 */
#ifndef ORRERY_LSP_CORE_H
#define ORRERY_LSP_CORE_H

#include "compiler/compiler.h"

#include <jansson.h>

/* -- documents (document.c) -------------------------------------------------------------------- */

typedef struct LspDocument {
    char *uri, *path; /* path: absolute; of a URI that is no file, its text */
    GString *text;
    json_int_t version;
    GArray *lines;                /* size_t: offsets of the lines; made when needed */
    guint64 changes;              /* of the server when it was changed last */
    struct LspAnalysis *analysis; /* NULL: none yet */
    bool told;                    /* the client has its diagnostics */
} LspDocument;

LspDocument *lsp_document_new(const char *uri, const char *text, size_t size);
void lsp_document_free(gpointer document);
char *lsp_document_path_of_uri(const char *uri);
char *lsp_document_uri_of_path(const char *path);
size_t lsp_document_lines(LspDocument *document);
/* Offset of the first byte of a line (from 0), and of the byte behind its last, without its newline. */
size_t lsp_document_line_start(LspDocument *document, size_t line);
size_t lsp_document_line_end(LspDocument *document, size_t line);
size_t lsp_document_line_of(LspDocument *document, size_t offset);
/* Positions of the protocol to offsets and back; `utf8`: characters count bytes, else units of UTF-16. */
size_t lsp_document_offset(LspDocument *document, const json_t *position, bool utf8);
json_t *lsp_document_position(LspDocument *document, size_t offset, bool utf8);
json_t *lsp_document_range(LspDocument *document, size_t from, size_t to, bool utf8);
/* Applies one change: the whole text, or a range of it. */
void lsp_document_change(LspDocument *document, const json_t *change, bool utf8);

/* -- words (words.c) --------------------------------------------------------------------------- */

typedef enum LspWordKind { LSP_NAME, LSP_NUMBER, LSP_STRING, LSP_COMMENT, LSP_DIRECTIVE, LSP_SIGN } LspWordKind;
typedef struct LspWord {
    LspWordKind kind;
    size_t from, to;
    bool in_directive; /* it stands in a line of the preprocessor */
} LspWord;
/* Returns the words of a text (LspWord), in order. The caller frees the array. O(size). */
GArray *lsp_words(const char *text, size_t size);
bool lsp_words_is_name(const char *text);
bool lsp_words_is_keyword(const char *text, size_t size);
extern const char *const lsp_words_keywords[]; /* ends with NULL */

/* -- the server -------------------------------------------------------------------------------- */

typedef struct LspServer {
    const char *include_dir;
    bool utf8;             /* positions count bytes */
    bool snippets;         /* the client fills snippets in */
    char *root;            /* folder of the workspace; NULL: none */
    char **flags;          /* from initializationOptions; NULL: none */
    GHashTable *documents; /* URI -> LspDocument: those that are open */
    GHashTable *files;     /* path -> LspDocument: read from the disk during a request */
    guint64 changes;       /* how many changes there were */
    char *scratch;         /* folder for texts on their way through the preprocessor; NULL: none yet */
} LspServer;

LspDocument *lsp_open_document(const LspServer *server, const char *uri);
LspDocument *lsp_document_at(LspServer *server, const char *path); /* open, or from the disk; NULL: cannot be read */

/* -- flags (flags.c) ------------------------------------------------------------------------- */

typedef struct LspFlags {
    CcOptions options;
    GPtrArray *cpp; /* for options.cpp_flags, NULL-terminated */
} LspFlags;
LspFlags *lsp_flags_of(const LspServer *server, const char *path);
void lsp_flags_free(LspFlags *flags);

/* -- analyses (analysis.c) ---------------------------------------------------------------------- */

typedef struct LspDiagnostic {
    CcSeverity severity;
    char *file, *option, *text, *fix;
    unsigned line, column, length, fix_column, fix_length;
    GPtrArray *notes; /* LspDiagnostic *; NULL: none */
} LspDiagnostic;
typedef struct LspAnalysis {
    guint64 changes; /* of the server when it was made */
    LspFlags *flags;
    CcDiagnostics *collector;
    CcIndex *index;         /* NULL: it could not be preprocessed */
    GPtrArray *diagnostics; /* LspDiagnostic */
} LspAnalysis;
/* Returns the analysis of a document as it is now. */
LspAnalysis *lsp_analysis(LspServer *server, LspDocument *document);
/* Analyses a document with `probe` inserted at an offset in place of `length` bytes. */
LspAnalysis *lsp_analysis_probe(LspServer *server, LspDocument *document, size_t at, size_t length, const char *probe);
/* Analyses `text` as if it were the document's. */
LspAnalysis *lsp_analysis_of_text(LspServer *server, LspDocument *document, const char *text, size_t size,
                                  const char *probe);
void lsp_analysis_free(LspAnalysis *analysis);
uint32_t lsp_analysis_file(const CcIndex *index, const char *path); /* UINT32_MAX: not in the unit */

/* -- what is under the cursor (spot.c) --------------------------------------------------------- */

typedef struct LspSpot {
    LspDocument *document;
    LspAnalysis *analysis;
    size_t offset, from, to; /* of the cursor; of the word there */
    char *word;              /* NULL: there is none */
    uint32_t entity;         /* CC_NO_ENTITY: none */
} LspSpot;
/* Finds what `params` (textDocument, position) point at. Returns false if the document is not open. The caller calls
 * lsp_spot_clear(). */
bool lsp_spot(LspServer *server, const json_t *params, LspSpot *spot);
void lsp_spot_clear(LspSpot *spot);
const CcEntity *lsp_spot_entity(const LspAnalysis *analysis, uint32_t number);
/* A Location, or NULL if the file cannot be read. */
json_t *lsp_spot_location(LspServer *server, const LspAnalysis *analysis, CcFilePlace place);

typedef struct LspFound { /* an occurrence of a thing in some file */
    char *path;
    unsigned line, column, length;
    CcRole role;
} LspFound;
/* Returns all occurrences (LspFound) of an entity in the units that are open, sorted by file and place. The caller
 * frees the array. */
GArray *lsp_spot_find(LspServer *server, const LspAnalysis *analysis, uint32_t entity);

#endif
