# what is typed behind commands: taken, or refused with what the command takes
list
list
list 12,14
list sum
list 30
list arrays.c:3
list arrays.c:main
list nowhere
list other.c:3
list 14,12
list 12,14,16
list 0
list 999
list 48,99
break
break 3
break 13
break 32
break main
info breakpoints
ignore
delete one
run now
break 46
run
delete 1
continue
continue 2
info breakpoints
continue x
continue 0
list
list
list
step sideways
finish 7
up 1
up x
frame 1
backtrace
backtrace main
print
whatis
quit now
help list
help nonsense
info everything
delete 5
delete 6
continue 3
next
continue 3
