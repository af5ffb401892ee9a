/* Starts and ends: what a rank costs before it does anything. */
int main(void)
{
    return 0;
}
