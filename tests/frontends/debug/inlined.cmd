# inlined functions have frames of their own, breakpoints, and steps into, over and out of them
break bump
break main
info breakpoints
run
next
next
backtrace
up
down
finish
next
delete 2
break measure
continue
backtrace
continue
delete 1
up
info locals
down
finish
print &p
up
print counter
