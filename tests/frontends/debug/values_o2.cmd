# optimised: variables live in registers, or nowhere
break twice
run
print n
print calls
print global
info locals
finish
