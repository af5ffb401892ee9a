# where messages are on their routes, and what blocks them
break look
run
continue 30
queues 0
continue 20
queues 0,1
load
why 1
