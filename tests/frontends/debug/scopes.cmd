# arguments, scopes and lines of frames, of optimised code too
break twice
run
info args
info line
info scope
up
info args
info scope
info locals
print x
print p.x
print &c
set var c = RED
set var rank = 7
info li
