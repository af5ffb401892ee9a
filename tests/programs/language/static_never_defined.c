/* A function declared static that is called must be defined (6.9p3); one whose size alone is asked need not. */
static int never(void);
static int asked(void);
unsigned long size = sizeof(asked());

int main(void)
{
    return never();
}
