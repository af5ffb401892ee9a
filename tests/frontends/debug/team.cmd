break 17
run
info threads
backtrace
print number
print mine
thread 2
print number
print mine
thread apply all print mine
continue
next
info locks
delete 1
continue
