CREATE TABLE rows(id INTEGER PRIMARY KEY, name TEXT, town TEXT, price REAL, sold INTEGER);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
INSERT INTO rows SELECT i, 'name' || (i * 7919 % 5003), 'town' || (i * 31 % 97), (i * 104729 % 100000) / 100.0, i % 2 FROM n;
CREATE INDEX by_town ON rows(town, price);
SELECT town, count(*), round(avg(price), 4), max(name) FROM rows GROUP BY town ORDER BY 2 DESC, 1 LIMIT 5;
SELECT count(*) FROM rows a JOIN rows b ON a.name = b.name AND a.id < b.id;
SELECT name, sum(price) AS s FROM rows WHERE name LIKE '%9%' GROUP BY name HAVING s > 100 ORDER BY s DESC, name LIMIT 3;
UPDATE rows SET price = price * 1.1 WHERE town IN (SELECT town FROM rows WHERE price > 990);
DELETE FROM rows WHERE id % 3 = 0;
SELECT count(*), round(sum(price), 2), group_concat(DISTINCT substr(town, 5, 1)) FROM rows;
