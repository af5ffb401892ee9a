int fork(void);
int pthread_create(void *, const void *, void *(*)(void *), void *);
int main(void)
{
    fork();
    pthread_create(0, 0, 0, 0);
    return 0;
}
