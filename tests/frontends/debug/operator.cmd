# functions that several ranks call, one that MPI calls, and steps over calls that block
break combine
break sum_of
run
info ranks
backtrace
info locals
next
next
rank 5
print rank
rank 8
rank x
delete 2
continue
backtrace
up
print value
delete 1
break operator.c:29
run
next 1
info ranks
step 1
finish 1
info ranks
print rank
