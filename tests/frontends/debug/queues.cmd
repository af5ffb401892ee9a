# what ranks have in MPI: chains of waits, queues, load, before and in a deadlock
why
break 17
run
why
why 0
why 2
why 9
waits
queues
queues 0
load
findings
print @blocked b
info datatypes
break 18
continue
stacks
continue
why 0
why 1
queues 0
