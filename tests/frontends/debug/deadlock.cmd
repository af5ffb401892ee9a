# a deadlock explains itself, and every rank still stands where it waits
run
info ranks
rank 2
print left
info locals
next
list
