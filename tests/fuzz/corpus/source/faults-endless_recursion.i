static int deeper(int n)
{
    int room[100];
    room[n % 100] = n;
    return deeper(n + 1) + room[(n + 1) % 100];
}
int main(void)
{
    printf("down\n");
    return deeper(0);
}
