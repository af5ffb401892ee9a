# what every kind of variable, and every kind of expression, prints as
print global
break 68
break nowhere
break 99999
break other.c:3
break values.c:64
info breakpoints
run
delete 2
delete 7
continue
info locals
print second
print *node
print node->next->at.x
print *node->next->next
print second.delta
print node->level
print second.halves[0]
print w.bytes
print function
print *function
print wild
print *wild
print text[1]
print letters
print table
print table[1][2]
print title
print &array[1]
print *(&points[1])
print p - array
print *(p+1)
print array[1]@3
print d + 1
print third * 3 == 1
print -sc
print ~c
print (int)third
print (unsigned char)-1
print (double)i / 4
print *(short *)p
print ((struct point *)&points)->y
print (Node *)nothing == nothing
print sizeof(Node) + sizeof array + sizeof(char *)
print BLUE
print c == 'A' && size < 0
print nothing && *(int *)nothing
print i ? 1/0 : 2
print ul > 5
print -1 < 2
print first.flag + 0x10 << 2 | 1
print argv[0]
# what cannot be printed
print
print +
print (((
print array[
print array[d]
print node.at
print node->foo
print second->at
print c.x
print second + 1
print *nothing
print nosuch
print calls
print 1/0
print 99999999999999999999
print c = 5
print c++
print c += 1
print twice(3)
print (struct nosuch *)p
print 08
# the caller's frame, and a static variable
break twice
continue
backtrace
print calls
print n
up
print value
print n
info locals
up
print i
down
frame 0
frame 9
frame x
