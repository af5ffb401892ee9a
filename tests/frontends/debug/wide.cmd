# __int128, and packed bit-fields that lie across a unit
break main
run
next
next
next
print p
print p.w
print p.w + 1
print p.u
print p.u + 1
print bits
print bits.z
print local
print whole
