int main(void)
{
    int *a = malloc(10 * sizeof *a);
    printf("before\n");
    a[1000000000] = 1;
    printf("after\n");
    return 0;
}
