/* Every header can be included with every other, twice (C11 7.1.2 p4). */
#define _GNU_SOURCE
/* clang-format off */
#include <alloca.h>
#include <assert.h>
#include <complex.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <float.h>
#include <getopt.h>
#include <inttypes.h>
#include <iso646.h>
#include <libgen.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <memory.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include <values.h>
#include <wchar.h>
#include <wctype.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <sys/utsname.h>
#include <sys/types.h>
#include <sys/times.h>
#include <sys/time.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <sys/param.h>
#include <wctype.h>
#include <wchar.h>
#include <values.h>
#include <unistd.h>
#include <time.h>
#include <strings.h>
#include <string.h>
#include <stdnoreturn.h>
#include <stdlib.h>
#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stdalign.h>
#include <signal.h>
#include <setjmp.h>
#include <sched.h>
#include <memory.h>
#include <math.h>
#include <malloc.h>
#include <locale.h>
#include <limits.h>
#include <libgen.h>
#include <iso646.h>
#include <inttypes.h>
#include <getopt.h>
#include <float.h>
#include <fenv.h>
#include <fcntl.h>
#include <errno.h>
#include <dirent.h>
#include <ctype.h>
#include <complex.h>
#include <assert.h>
#include <alloca.h>
/* clang-format on */

int main(void)
{
    size_t size =
        sizeof(div_t) + sizeof(struct tm) + sizeof(struct stat) + sizeof(struct rusage) + sizeof(int_fast16_t);
    puts(size > 0 && EOF < 0 && CHAR_BIT == 8 && INT64_MAX > 0 && DBL_DIG == 15 && SIGINT == 2 && ENOENT == 2
             ? "all there"
             : "?");
    return 0;
}
