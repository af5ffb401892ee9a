/* stdio.c - small change of <stdio.h>: other names for setvbuf (BSD). */
#include <stdio.h>

void setbuffer(FILE *stream, char *buffer, size_t size)
{
    setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, size);
}

void setlinebuf(FILE *stream)
{
    setvbuf(stream, 0, _IOLBF, 0);
}
