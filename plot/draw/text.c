/* text.c - how wide text is. The advances are those of DejaVu Sans, in thousandths of the size of the font. Where that
 * font is missing, most others are narrower, so nothing overlaps. */
#include "plot/plot.h"

#include <string.h>

/* From the space to the tilde. */
static const uint16_t regular[] = {
    318,  401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, /*  !"#$%&'()*+,-./ */
    636,  636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, /* 0123456789:;<=>? */
    1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787, /* @ABCDEFGHIJKLMNO */
    603,  787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, /* PQRSTUVWXYZ[\]^_ */
    500,  613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, /* `abcdefghijklmno */
    635,  635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,      /* pqrstuvwxyz{|}~ */
};
static const uint16_t bold_face[] = {
    348, 456,  521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415,  380, 365, 696, 696,  696,
    696, 696,  696, 696, 696, 696,  696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830,  683,
    683, 821,  837, 372, 372, 775,  637, 995, 837, 850, 733, 850, 770, 720,  682, 812, 774, 1103, 771,
    724, 725,  457, 365, 457, 838,  500, 500, 675, 716, 593, 716, 678, 435,  716, 712, 343, 343,  665,
    343, 1042, 712, 687, 716, 716,  493, 595, 478, 712, 652, 924, 645, 652,  582, 712, 365, 712,  838,
};
/* A letter that is not in the tables: as wide as an m, and ideographs as the font is high. */
enum { OTHER_WIDTH = 840, WIDE_WIDTH = 1000 };

static unsigned advance(gunichar letter, bool bold)
{
    if (letter >= ' ' && letter <= '~')
        return (bold ? bold_face : regular)[letter - ' '];
    return g_unichar_iszerowidth(letter) ? 0 : g_unichar_iswide(letter) ? WIDE_WIDTH : OTHER_WIDTH;
}

static gunichar next_letter(const char **at)
{
    gunichar letter = g_utf8_get_char_validated(*at, -1);
    bool valid = letter != (gunichar)-1 && letter != (gunichar)-2;
    *at += valid ? g_utf8_skip[(guchar) * *at] : 1;
    return valid ? letter : '?';
}

double plot_text_width(const char *text, double size, bool bold)
{
    unsigned sum = 0;
    while (*text)
        sum += advance(next_letter(&text), bold);
    return sum * size / 1000;
}

/* Returns the first and the last letters, `kept` of them in all, with dots between. */
static char *cut(const char *text, glong letters, glong kept)
{
    glong tail = kept / 2, head = kept - tail;
    const char *head_end = g_utf8_offset_to_pointer(text, head),
               *tail_start = g_utf8_offset_to_pointer(text, letters - tail);
    g_autofree char *front = g_strndup(text, (gsize)(head_end - text));
    return g_strconcat(front, "...", tail_start, NULL);
}

char *plot_text_fit(const char *text, double size, bool bold, double width)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    glong letters = g_utf8_strlen(valid, -1);
    if (plot_text_width(valid, size, bold) <= width)
        return g_steal_pointer(&valid);
    glong least = 0, most = letters; /* `least` fits, or nothing does */
    while (most - least > 1) {
        glong middle = (least + most) / 2;
        g_autofree char *tried = cut(valid, letters, middle);
        *(plot_text_width(tried, size, bold) <= width ? &least : &most) = middle;
    }
    return cut(valid, letters, least);
}
