/* Inline assembly that does something is refused by the name of the instruction; barriers are not. */
/* options: -Wall */
int main(void)
{
    unsigned low, high;
    __asm__ volatile("mfence" ::: "memory");
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    __asm__ volatile("pause; rep stosb");
    __asm__ volatile("lock; addl $1,0(%%rsp)" ::: "memory");
    return 0;
}
