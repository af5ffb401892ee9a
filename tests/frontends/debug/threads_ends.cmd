break 36
break leaves
break cleaned
run
next
thread 2
info threads
next
thread 1
next
info threads
continue
info threads
backtrace
finish
thread 3
continue
thread
info threads
