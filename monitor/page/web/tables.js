// tables.js - what is text: totals, diagnosis, findings, source, events, statistics, machine.

const byId = id => document.getElementById(id);

function make(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined)
    made.textContent = text;
  if (className)
    made.className = className;
  return made;
}

// A table; columns are {title, text: true for words}. Rows are lists of cells.
function makeTable(caption, columns, rows) {
  const table = make("table"), head = table.createTHead().insertRow(), body = table.createTBody();
  table.append(make("caption", caption));
  for (const column of columns) {
    const cell = make("th", column.title, column.text ? "text" : "");
    cell.scope = "col";
    if (column.help)
      cell.title = column.help;
    head.append(cell);
  }
  for (const row of rows) {
    const line = body.insertRow();
    row.forEach((cell, i) => line.append(make("td", cell, columns[i].text ? "text" : "")));
  }
  return table;
}

function showFacts() {
  const facts = [["machine", data.machine.name], ["ranks", count(data.ranks_total)],
    ["ended at", timeText(data.makespan_ps)], ["messages", count(data.messages_total)]];
  for (const [name, value] of facts.filter(f => f[1])) {
    const pair = make("div");
    pair.append(make("dt", name), make("dd", value));
    byId("facts").append(pair);
  }
}

function showTotals() {
  const sums = data.totals, whole = sums.reduce((a, b) => a + b, 0), bar = make("div", undefined, "total");
  bar.setAttribute("role", "img");
  const parts = sums.map((sum, state) => [STATES[state], sum]).filter(p => p[1]);
  const text = parts.map(p => `${p[0]} ${percent(p[1], whole)}`).join(", ");
  bar.setAttribute("aria-label", text);
  for (const [name, sum] of parts) {
    const part = make("i");
    part.style.width = `${100 * sum / whole}%`;
    part.style.background = `var(--${name})`;
    part.title = `${name}: ${percent(sum, whole)}`;
    bar.append(part);
  }
  byId("totals").append(bar, make("p", `Time of all ranks together: ${text}.`, "small"));
}

// A text as it stands, in which places such as "heat.c:12" are buttons that show them.
function textWithPlaces(text) {
  const block = make("pre"), names = data.files.map(file => file.name).sort((a, b) => b.length - a.length);
  const quoted = names.map(name => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const place = names.length ? new RegExp(`(${quoted.join("|")}):(\\d+)`, "g") : /$^/g;
  let at = 0;
  for (const match of text.matchAll(place)) {
    block.append(text.slice(at, match.index), sourceButton(data.files.findIndex(file => file.name === match[1]), Number(match[2])));
    at = match.index + match[0].length;
  }
  block.append(text.slice(at));
  return block;
}

function showFindings() {
  const texts = [...data.findings.map(finding => `${finding.check}: ${finding.text}`), data.end].filter(text => text);
  for (const text of texts)
    byId("findings").append(textWithPlaces(text.trimEnd()));
  if (!texts.length)
    byId("findings").append(make("p", "Nothing. Checks (--check) look for more errors than a run by itself."));
}

function sourceButton(file, line) {
  const button = make("button", `${data.files[file].name}:${line}`);
  button.type = "button";
  button.addEventListener("click", () => showSource(file, [line], true));
  return button;
}

// -- source ---------------------------------------------------------------------------------------

function linesOf(file) {
  const times = new Map();
  for (const [of, line, ...parts] of data.lines)
    if (of === file)
      times.set(line, parts);
  return times;
}

let shownFile = -1;
function showSource(file, marked, jump) {
  byId("source-file").value = String(file);
  if (file !== shownFile)
    makeSource(file);
  shownFile = file;
  for (const row of byId("source").querySelectorAll("tr.chosen"))
    row.classList.remove("chosen");
  marked.forEach((line, i) => {
    const row = byId(`line-${line}`);
    if (!row)
      return;
    row.classList.add("chosen");
    if (i === 0) {
      const area = byId("source");
      area.scrollTop = row.offsetTop - area.clientHeight / 2;
      if (jump)
        row.scrollIntoView({block: "center"});
    }
  });
}

function makeSource(file) {
  const {name, text, why} = data.files[file], times = linesOf(file);
  if (text === null) {
    byId("source").replaceChildren(make("p", `${name} cannot be shown: ${why}`));
    return;
  }
  const columns = [{title: "line"}, {title: "computing"}, {title: "overhead"}, {title: "waiting"}, {title: "share", text: true}, {title: "source", text: true}];
  const table = makeTable(`${name}, with the time of all ranks together`, columns, []), body = table.tBodies[0];
  const most = Math.max(1, ...Array.from(times.values(), t => t[0] + t[1] + t[2]));
  text.replace(/\n$/, "").split("\n").forEach((code, i) => body.append(sourceRow(i + 1, code, times.get(i + 1), most)));
  byId("source").replaceChildren(table);
}

function sourceRow(line, code, times, most) {
  const row = document.createElement("tr");
  row.id = `line-${line}`;
  row.append(make("td", String(line)));
  for (let i = 0; i < 3; i++)
    row.append(make("td", times && times[i] ? timeText(times[i]) : ""));
  const cell = make("td"), bar = make("span", undefined, "share");
  for (let i = 0; times && i < 3; i++) {
    const part = make("i");
    part.style.width = `${100 * times[i] / most}%`;
    part.style.background = `var(--${STATES[i]})`;
    bar.append(part);
  }
  cell.append(bar);
  row.append(cell, make("td", code, "code"));
  return row;
}

function fillFiles() {
  data.files.forEach((file, i) => {
    const option = make("option", file.name);
    option.value = String(i);
    byId("source-file").append(option);
  });
  byId("source-file").addEventListener("change", event => showSource(Number(event.target.value), [], false));
  if (data.files.length) {
    const busiest = data.lines.reduce((best, line) => line[2] + line[3] + line[4] > best[1] ? [line[0], line[2] + line[3] + line[4]] : best, [0, -1]);
    showSource(busiest[0], [], false);
    const first = data.lines.filter(line => line[0] === busiest[0]).sort((a, b) => b[2] + b[3] + b[4] - a[2] - a[3] - a[4])[0];
    const row = first && byId(`line-${first[1]}`);
    byId("source").scrollTop = row ? row.offsetTop - byId("source").clientHeight / 2 : 0;
  } else {
    byId("source").append(make("p", "The program has no line tables: compile it with -g."));
  }
}

// -- events and statistics ------------------------------------------------------------------------

function showEvents() {
  const MOST = 100, rows = [];
  let n = 0;
  for (const row of shownRows)
    for (let i = intervalAfter(row, view.from); i < intervals.first[row + 1] && intervals.from[i] < view.to; i++)
      if (n++ < MOST)
        rows.push([rowName(row), timeText(intervals.from[i]), timeText(intervals.to[i]), STATES[stateOf(i)],
          functionOf(intervals.what[i]), causeOf(intervals.what[i]), siteText(intervals.what[i])]);
  const columns = [{title: "rank"}, {title: "from"}, {title: "to"}, {title: "state", text: true}, {title: "call", text: true},
    {title: "cause", text: true}, {title: "place", text: true}];
  byId("events").replaceChildren(makeTable("", columns, rows));
  byId("events-text").textContent = n > MOST ? `The first ${MOST} of ${count(n)}; zoom in or choose ranks to see others.` : `${count(n)} events.`;
}

function showStatistics() {
  const {columns, rows, note} = data.statistics;
  const text = (value, unit) => unit === "ps" ? timeText(value) : count(value);
  byId("statistics").append(makeTable(note, columns, rows.map(row => row.map((value, i) => text(value, columns[i].unit)))));
}

function showMachine() {
  byId("machine").append(make("p", `${data.machine.name}: ${data.machine.description}`));
  const more = make("details");
  more.append(make("summary", "All keys"), make("pre", data.machine.keys));
  byId("machine").append(more);
}
