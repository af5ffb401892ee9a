int main(void)
{
    for (int i = 0; i < 5; i++)
        printf("%d ", rand());
    srand(42);
    for (int i = 0; i < 5; i++)
        printf("%d ", rand() % 100);
    srandom(7);
    unsigned long sum = 0;
    for (int i = 0; i < 10000; i++)
        sum += (unsigned long)random();
    printf("%lu\n", sum);
    unsigned seed = 99;
    for (int i = 0; i < 3; i++)
        printf("%d ", rand_r(&seed));
    printf("%u\n", seed);
    printf("%.17g ", drand48());
    srand48(12345);
    printf("%.17g ", drand48());
    printf("%ld ", lrand48());
    printf("%ld\n", mrand48());
    unsigned short state[3] = {1, 2, 3};
    printf("%.17g ", erand48(state));
    printf("%ld ", nrand48(state));
    printf("%ld\n", jrand48(state));
    unsigned short *old = seed48(state);
    printf("%u %u %u ", old[0], old[1], old[2]);
    printf("%.17g\n", drand48());
    printf("%d\n", 
                  2147483647
                          );
    return 0;
}
