# arrays of variable length: values, elements, types, sizes
break 47
break sum
break 26
run
info locals
print row
print row[2]
print table
print table[1]
print table[1][2]
print *table
print sizeof row
print sizeof table
print sizeof table[0]
print sizeof(Point)
print &table[1][0] - &table[0][0]
print points[1]
print row[0]@2
whatis row
whatis table
whatis table[1]
whatis &table[1]
whatis fixed
whatis rows
whatis function
whatis point
whatis *point
whatis n + 1
whatis 1.5
whatis points
ptype point
ptype points[0].values
print part
continue
print part
whatis part
delete 1
continue
print text
whatis text
continue
print text
up
print text
down
up 9
delete 3
break 17
continue
next
next
next
info locals
print *table@2
whatis table
whatis table[0]
print table[2]
print sizeof table[0]
up
print table
