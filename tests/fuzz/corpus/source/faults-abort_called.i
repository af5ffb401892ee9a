int main(void)
{
    printf("giving up\n");
    abort();
}
