#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    printf("giving up\n");
    abort();
}
