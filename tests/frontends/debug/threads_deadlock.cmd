run
info ranks
info threads
thread 2
backtrace
rank 1
info threads
thread 2
