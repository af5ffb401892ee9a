# sets of ranks step together; others stand if they shall
break 31
run
next all
next all
print @all i
next 1-2
where
set scheduler-locking on
next 3
where
next 3
next all
until 33 ranks 0,2
where
next 0
next 0
next 0
set scheduler-locking
set scheduler-locking maybe
set scheduler-locking off
advance 36 ranks 1-3
where
step nosuch
advance 18.5us
continue
