# what ranks have made: communicators, requests, windows with their epochs, files
info windows
break 31
run
info windows
info files
info communicators
info requests
info re
info nothing
continue
delete 1
continue
info requests
