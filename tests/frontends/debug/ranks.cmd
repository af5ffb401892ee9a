# sets of ranks, and values and stacks over them
break 40
workers = 1-3
run
print @all x
print @all rank
print @all a[2]
print @0-1 a
print @comm(half) rank
print @even rank
workers = 1-3,!2
group
print @workers rank*2
print @all twice(rank)
spread rank
spread x
stacks
where
where !workers
print @all nosuch
print @9 x
print @all & x
print @0-9 x
odd = comm(odd)
bad name = 1
group all = 1
where blocked
where finish
print @0,2 - 2 x
print @(0-1,3)&!0 x
print @!this /x rank
print @0-3:2 rank
print @all got = 3
print @none x
group workers
group 3,1,2
group 3-1
group 1 2
group (1
group comm(x
group comm(nosuch)
group 1-3:0
group
print @all
print @all &x == 0
print @all 7
print @all f
print @all text
spread @0-2 a[1]*1.5
spread text
step 1
where
stacks
print @blocked rank
