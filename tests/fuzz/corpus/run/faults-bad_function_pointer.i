int main(void)
{
    int (*f)(int) = (int (*)(int))12345;
    printf("calling\n");
    return f(1);
}
