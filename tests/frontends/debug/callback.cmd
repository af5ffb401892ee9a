# functions that the C library calls back: into them, over them, out of them
break 11
run
step
step
print x
print *(const int *)b
finish
print v
run
next
print v
