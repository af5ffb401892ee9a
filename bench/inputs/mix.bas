10 DIM s(2001)
20 LET c = 0
30 FOR i = 2 TO 2000
40 IF s(i) = 1 THEN GOTO 90
50 LET c = c + 1
60 FOR j = i + i TO 2000 STEP i
70 LET s(j) = 1
80 NEXT j
90 NEXT i
100 PRINT c
110 LET x = 0
120 FOR i = 1 TO 20000
130 LET x = x + 1 / (i * i)
140 NEXT i
150 PRINT x
160 LET a$ = ""
170 FOR i = 1 TO 200
180 LET a$ = MID$(a$ + "the quick brown fox", i / 20 + 1, 60)
190 NEXT i
200 PRINT LEN(a$)
210 QUIT
