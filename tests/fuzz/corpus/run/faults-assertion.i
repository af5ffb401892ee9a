int main(int argc, char **argv)
{
    (void)argv;
   ((
   argc == 2
   ) ? (void)0 : __orrery_assert_fail(
   "argc == 2"
   , "assertion.c", 5, __func__))
                    ;
    return 0;
}
