break ÿ
break 11
run
print "ÿa"
print aÿ
set var ÿ=3
print @ÿ x
ÿ
until ÿ
list ÿ
condition 1 ÿ
continue
goto ÿ
