: fib dup 2 < if else dup 1- recurse swap 2 - recurse + then ;
27 fib . cr
variable count
create flags 20001 allot
: sieve 0 count ! flags 20001 1 fill
  20001 2 do flags i + c@ if 1 count +! i begin i + dup 20001 < while 0 over flags + c! repeat drop then loop count @ ;
: sieves 0 20 0 do drop sieve loop ; sieves . cr
: gcd begin ?dup while tuck mod repeat ;
: gcds 0 1200 1 do 300 1 do i j gcd + loop loop ; gcds . cr
: mix 1 2000000 0 do 1103515245 * 12345 + 2147483647 and loop ; mix . cr
bye
