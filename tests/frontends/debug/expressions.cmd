# what the compiler reads for the debugger: C, sections of arrays, calls, formats, values of MPI
break 40
run
print a[0]@10
print a[0:10:2]
print a[::3]
print a[9:0:-4]
print m[0:2][1:3]
print m
print m[::][1]
print /x a
print /t 10
print /c 65
print /d c
print /x one
print one
print *one.next
print one.next->at
print one.next->delta
print one.next[0].flags
print f
print *f
print f(21)
print norm(&p)
print norm(pp) * 2
print length_of("four")
print sends(1)
print twice(a[2]) + N
print SCALE * 2
print half
print MPI_COMM_WORLD
print column
print req
print status
print c
print BLUE
print c == GREEN
print (enum colour)6
print sizeof(struct node)
print sizeof p
print (long)x
print &a[3]
print *&a[3]
print text
print &text
print "abc"
print got = 5
set var got = 5
print got
set var one.delta = -7
print one.delta
set var p.x += 1.5
print p
set var m[1][1] = 99
print m[1]
set var nosuch = 1
print x + zz * 2
print x +
print p->x
print one.next->nosuch
whatis a
whatis &a[0]
whatis a[0:4]
whatis m[1]
ptype one
ptype struct node
ptype Point
whatis f
whatis x + 1
x/8xw a
x/2dg &p
x/s text
x/4cb text
x/2f &p
x/3xw 0
# wrong formats, text that is no expression, effects that are refused
print /q x
print /4s text
print /s &text[1]
print /z rank
print /a f
print /o 64
print /u (char)-1
print x; y
print a[1:1]
print a[:]
print pp[:]
print a[0:2] + 1
print a[0]@-1
print 5@2
print #
print "unterminated
print sizeof(double[4])
print (void)0
print int
whatis unsigned long long *
print got++
set got = 1
set var 5 = 1
set var got = sends(1)
set var pp = &p
set var pp->y = 8.25
print *pp
set var c = BLUE
print c
set var text[0] = 'J'
print text
print exit(3)
print abs(-4)
print twice()
print twice(1, 2)
print twice("x")
print (0 ? 1/0 : 3), 4
print nosuch(1)
print MPI_ANY_SOURCE == MPI_ANY_TAG
print -7 / 2, -7 % 3
print 1.5e3f
print 0x7fffffff + 1
print 'a' + 1
print !x || 1/0
x/2xq a
x
x/2i main
continue
