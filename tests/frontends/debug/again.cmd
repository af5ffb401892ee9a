# breakpoints keep their numbers over a new start, deleted ones stay away; commands before and after a run
continue
print k
list
break main
break deep
break 7
delete 1
run
run
info breakpoints
delete 2
delete 3
run
run
frob
help
quit
continue
