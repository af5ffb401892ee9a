int main(void) { exit(3); }
