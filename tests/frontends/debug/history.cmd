# back to who sent what was received, to where a value changed last, to an event
goto sender
break 36
run
goto write total
goto write total
goto write x
goto sender 0
rank 1
goto sender 1
goto sender 2
goto write nosuch
goto write 3
goto event
goto event 3 nosuch.trace
goto nothing
