# ranks stop together, a step is one rank's, and everything goes backwards as well
break 9
break MPI_Allreduce
run
step 0
step 0
reverse-step
reverse-next
continue
watch sum
continue
reverse-continue
reverse-continue
reverse-continue
condition 1 rank == 2
disable 2
continue
reverse-finish
goto 0
goto 1us
info ranks
