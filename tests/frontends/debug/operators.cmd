# every operator, on integers, unsigned and real numbers and pointers; what each refuses
break 21
run
print seven + minus * 2
print seven - minus
print minus / 2
print minus % 2
print large / three
print most / 2
print most % 10
print -least
print least / -1
print least % -1
print seven / zero
print seven % 0
print zero && seven / zero
print seven || seven / zero
print minus < seven
print minus < most
print minus <= -7
print minus > seven
print minus >= -7
print minus != -7
print large >= three
print most > least
print seven & three
print seven | 8
print seven ^ 2
print 1 << 40
print 1 << 64
print minus >> 1
print most >> 60
print most >> 64
print minus >> 99
print !seven
print !half
print !first
print ~minus
print -half
print -three
print +quarter
print ~half
print -first
print half + two
print half - two
print half * two
print half / 0
print half == 0.5
print half != two
print half < two
print half <= 0.5
print half > two
print half >= 1
print quarter + 1
print half % two
print seven & half
print third - first
print first - third
print first < third
print first >= third
print first == third
print *(third - 1)
print *(1 + first)
print first * 2
print first + half
print third - 0.5
print one - other
print numbers[1]@3
print numbers[0]@0
print (seven + 1)@2
print first & 1
print seven = 8
print (seven
print 'a
print seven +
print 3 4
print nothing
print &twice
print *seven
print (float)quarter
print (double *)half
print (char)321
print (unsigned)minus
print (short)large
print (_Bool)7
print (void)seven
print (nosuch)seven
