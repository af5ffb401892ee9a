// Recursion, objects, strings, a sieve and floats; ES5, prints by print().
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
print(fib(23));
var sieve = [], count = 0, i, j;
for (i = 0; i <= 60000; i++) sieve[i] = 0;
for (i = 2; i <= 60000; i++)
  if (!sieve[i]) { count++; for (j = i + i; j <= 60000; j += i) sieve[j] = 1; }
print(count);
var words = {}, seed = 1;
for (i = 0; i < 20000; i++) {
  seed = (seed * 16807) % 2147483647;
  var w = "w" + (seed % 3000);
  words[w] = (words[w] || 0) + 1;
}
var keys = Object.keys(words).sort();
print(keys.length, keys[0], words[keys[0]]);
var text = "";
for (i = 0; i < 2000; i++) text += "the quick brown fox ";
print(text.split(" ").length, text.replace(/quick/g, "slow").length);
var x = 0, y = 0;
for (i = 1; i <= 200000; i++) { x += 1 / (i * i); y += Math.sin(i) * 0.5; }
print(x.toFixed(9), y.toFixed(6));
print(JSON.stringify(JSON.parse('{"a":[1,2,{"b":null}],"c":"d"}')));
