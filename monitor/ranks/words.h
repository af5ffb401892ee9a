/* words.h - what the files of this room share. */
#ifndef ORRERY_MONITOR_RANKS_WORDS_H
#define ORRERY_MONITOR_RANKS_WORDS_H

#include "monitor/look.h"

/* Words of the language of sets, NULL-terminated (read.c). */
extern const char *const mon_rank_words[];
/* Length of the name that a text begins with; 0: none. */
size_t mon_rank_word_length(const char *text);

#endif
