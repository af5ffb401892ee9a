break add
info threads
run
info threads
info locks
thread 1
backtrace
print mine
thread 3
info locals
print number
print mine
thread apply all bt
thread apply 1 2 print mine
thread apply all continue
thread 9
thread x
thread apply
info ranks
thread 2
step
print mine
next
next
finish
next
next
next
info threads
continue
