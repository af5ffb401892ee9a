/* Words of other languages are names like others in C: of functions, parameters, labels, members. */
#include <stdio.h>
#include <stdlib.h>

struct class {
    int private, public;
    struct class *template;
};

static void *new (size_t size)
{
    return calloc(1, size);
}

static int not(int x)
{
    return !x;
}

static void delete (struct class *this)
{
    free(this);
}

program(int namespace)
{
    return namespace + 1;
}

static int try_often(int throw)
{
    int catch = 0;
try:
    if (catch ++ < throw)
        goto try;
delete:
    if (catch % 2)
        goto until;
    catch ++;
    goto delete;
until:
    return catch;
}

int main(void)
{
    struct class *this = new (sizeof *this);
    this->private = not(0) + not(5);
    this->public = program(2) * not(0);
    printf("%d %d %d %d\n", this->private, this->public, try_often(3), this->template == NULL);
    delete (this);
    return 0;
}
