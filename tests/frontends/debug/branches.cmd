break 11
run
set var x = 100
rank 2
set var x = 1000
print @all x
info branches
continue
print @all x
reverse-continue
print @all x
rank 3
set var x=5
set var y = 5
set var x
info branches
delete 1
continue
branch 0
print @all x
continue
branch 1
continue
reverse-continue
stepi
set var x = 7
branch 7
branch x
