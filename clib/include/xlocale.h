/* xlocale.h - old place of locale_t */
#include <locale.h>
