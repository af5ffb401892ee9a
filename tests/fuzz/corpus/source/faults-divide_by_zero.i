int main(int argc, char **argv)
{
    (void)argv;
    int zero = argc - 1;
    printf("dividing\n");
    return 7 / zero;
}
