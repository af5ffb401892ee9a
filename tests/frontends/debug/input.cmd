# the program reads its file from the beginning at each start; of a single rank, output is seen as it is written
break 6
run
print number
continue
print number
run
print number
delete 1
continue
