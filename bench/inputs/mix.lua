-- Recursion, tables, strings, a sieve and floats.
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print(fib(27))
local sieve, count = {}, 0
for i = 2, 300000 do
  if not sieve[i] then
    count = count + 1
    for j = i + i, 300000, i do sieve[j] = true end
  end
end
print(count)
local words, seed = {}, 1
for i = 1, 40000 do
  seed = (seed * 16807) % 2147483647
  local w = string.format("w%d", seed % 5000)
  words[w] = (words[w] or 0) + 1
end
local keys = {}
for k in pairs(words) do keys[#keys + 1] = k end
table.sort(keys, function(a, b) if words[a] ~= words[b] then return words[a] > words[b] end return a < b end)
print(#keys, keys[1], words[keys[1]])
local text = string.rep("the quick brown fox ", 3000)
local n = 0
for w in text:gmatch("%a+") do n = n + #w end
print(n, (text:gsub("quick", "slow")):len())
local x, y = 0.0, 0.0
for i = 1, 1000000 do x = x + 1 / (i * i); y = y + math.sin(i) * 0.5 end
print(string.format("%.12f %.9f", x, y))
