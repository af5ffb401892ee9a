# stops at what is no place: messages, times, beginnings and ends of ranks; conditions are read when they are set
catch message from 2 to 0 tag 7
catch message matched to 0 comm world
break message size>=64K
catch message arrived from 1-3 to 0
catch start 2
catch end 3
break at 3us
catch message inner sent from 3 if rank == 99
catch
catch message frm 2
catch message size>=
catch message tag -1
catch message from 77
catch finding nosuch
catch fault SIGFOO
catch time soon
catch deadlock now
break 33 if nosuch > 3
break 33 if x = 3
break 33 if x >
info breakpoints
run
continue
continue
continue
continue
continue
continue
delete 6
continue
reverse-continue
reverse-continue
delete 2
reverse-continue
