# Recursion, lists, arrays, strings, arithmetic.
proc fib {n} { if {$n < 2} { return $n }; expr {[fib [expr {$n - 1}]] + [fib [expr {$n - 2}]]} }
puts [fib 21]
for {set i 2} {$i <= 20000} {incr i} {
    if {![info exists sieve($i)]} {
        incr count
        for {set j [expr {$i + $i}]} {$j <= 20000} {incr j $i} { set sieve($j) 1 }
    }
}
puts $count
set seed 1
for {set i 0} {$i < 10000} {incr i} {
    set seed [expr {($seed * 16807) % 2147483647}]
    lappend words "w[expr {$seed % 700}]"
}
puts [lrange [lsort -unique $words] 0 5]
set text [string repeat "the quick brown fox " 2000]
puts [string length [regsub -all quick $text slow]]
set x 0.0
for {set i 1} {$i < 50000} {incr i} { set x [expr {$x + 1.0 / ($i * $i)}] }
puts [format %.9f $x]
