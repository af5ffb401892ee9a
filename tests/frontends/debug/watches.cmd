# values of one rank and of all, reads, accesses, a frame that ends, commands, log points
break 35
run
watch @all total
watch total > 45
rwatch total
awatch @0 total if rank > 0
watch nosuch
watch 3 + 4
watch rank = 3
info breakpoints
continue
continue
continue
delete 5
delete 4
continue
continue
reverse-continue
reverse-continue
delete 1
delete 2
delete 3
break add ranks 1
commands
silent
print by
continue
end
dprintf 9 if by < 2,"by is %d, local %x of %s",by,local,"x"
run
info breakpoints
delete 6
tbreak 8 ranks 2
run
watch local
watch *p if *p > 25
continue
continue
continue
continue
