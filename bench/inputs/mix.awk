# Words of a text and how often, lengths, a substitution, then arithmetic.
{
    for (i = 1; i <= NF; i++) {
        word = tolower($i)
        sub(/[.]$/, "", word)
        count[word]++
        total += length(word)
    }
    if (/a[eiou]+[nr].*s/) matched++
    gsub(/[aeiou]+/, "-")
    dashes += split($0, parts, "-")
}
END {
    for (word in count) { kinds++; if (count[word] > most || (count[word] == most && word < best)) { most = count[word]; best = word } }
    print kinds, best, most, total, matched, dashes
    for (i = 1; i <= 500000; i++) { x += 1 / (i * i); n = (n * 31 + i) % 65537 }
    printf "%.9f %d\n", x, n
}
