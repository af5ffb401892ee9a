# a fault: the frames can still be looked at
break 7
run
continue
backtrace
frame 2
print n
info ranks
step
continue
break main
run
step
step
finish
