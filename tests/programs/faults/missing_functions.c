int fork(void);
void *popen(const char *, const char *);
int main(void)
{
    fork();
    popen("ls", "r");
    return 0;
}
