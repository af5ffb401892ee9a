int in_header(int x) { return y; }
