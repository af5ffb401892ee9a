// model.js - questions about events: who is at a time, what the filter lets through, what comes next.

let intervals, messages, use;
const view = {from: 0, to: Math.max(1, data.makespan_ps), top: 0, rowHeight: 0, rowScale: 1};
const chosen = {row: 0, interval: -1, message: -1, time: 0};
const filter = {rows: null, tag: null, context: null, least: 0, most: Infinity, messages: true, collective: false};

const UNITS = [[1e12, "s"], [1e9, "ms"], [1e6, "us"], [1e3, "ns"], [1, "ps"]];
function timeText(ps) {
  const unit = UNITS.find(u => Math.abs(ps) >= u[0]) || UNITS[4];
  return `${Number((ps / unit[0]).toPrecision(6))} ${unit[1]}`;
}
const count = n => n.toLocaleString("en");
const percent = (part, whole) => whole ? `${(100 * part / whole).toFixed(1)} %` : "0 %";

const rowName = row => data.rows[row].thread ? `${data.rows[row].rank}.${data.rows[row].thread}` : `${data.rows[row].rank}`;
const activity = i => data.activities[intervals.what[i]];
const stateOf = i => activity(i)[0];
const functionOf = what => data.functions[data.activities[what][1]];
const causeOf = what => data.causes[data.activities[what][3]];
function siteOf(what) { // {file, line, caller}; file -1: unknown
  const site = data.sites[data.activities[what][2]];
  return {file: site[0], line: site[1], caller: data.functions[site[2]]};
}
function siteText(what) {
  const site = siteOf(what);
  return site.file < 0 ? "" : `${data.files[site.file].name}:${site.line}`;
}

function rowOf(rank) { return rankRows.get(rank); }
const rankRows = new Map();
data.rows.forEach((row, i) => { if (!rankRows.has(row.rank)) rankRows.set(row.rank, i); });

// The rows that are drawn, from top to bottom.
let shownRows = [];
function updateShownRows() {
  shownRows = data.rows.map((_, i) => i).filter(i => !filter.rows || filter.rows(data.rows[i].rank));
}

// Returns a test for ranks such as "0-3,8", null for all; undefined if the text is none.
function parseRanks(text) {
  if (!text.trim())
    return null;
  const ranges = text.split(",").map(part => /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part));
  if (ranges.includes(null))
    return undefined;
  const pairs = ranges.map(m => [Number(m[1]), Number(m[2] === undefined ? m[1] : m[2])]);
  return rank => pairs.some(pair => pair[0] <= rank && rank <= pair[1]);
}

function messagePasses(i) {
  return filter.messages && (filter.collective || messages.tag[i] >= 0) &&
    (filter.tag === null || messages.tag[i] === filter.tag) &&
    (filter.context === null || messages.context[i] === filter.context) &&
    messages.bytes[i] >= filter.least && messages.bytes[i] <= filter.most &&
    (!filter.rows || filter.rows(messages.from[i]) || filter.rows(messages.to[i]));
}

// The first interval of the row that ends after the time; the end of the row if there is none.
function intervalAfter(row, time) {
  let low = intervals.first[row], high = intervals.first[row + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (intervals.to[middle] > time)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}
function intervalAt(row, time) {
  const i = intervalAfter(row, time);
  return i < intervals.first[row + 1] && intervals.from[i] <= time ? i : -1;
}

// The time of the next event of the rows and messages that are shown, in that direction; undefined: none.
function nextEvent(time, forward) {
  let best;
  const offer = t => {
    if (forward ? t > time : t < time)
      best = best === undefined || (forward ? t < best : t > best) ? t : best;
  };
  for (const row of shownRows) {
    const i = intervalAfter(row, forward ? time : time - 1);
    for (let k = Math.max(intervals.first[row], i - 1); k < Math.min(i + 2, intervals.first[row + 1]); k++)
      offer(intervals.from[k]), offer(intervals.to[k]);
  }
  for (let i = 0; i < messages.n; i++)
    if (messagePasses(i))
      offer(messages.sent[i]), offer(messages.arrived[i]);
  return best;
}

// The next message of a rank after the chosen one, in the order of sending; -1: none.
function nextMessage(rank, forward) {
  const step = forward ? 1 : -1;
  let i = chosen.message >= 0 ? chosen.message + step : forward ? 0 : messages.n - 1;
  for (; i >= 0 && i < messages.n; i += step)
    if (messagePasses(i) && (messages.from[i] === rank || messages.to[i] === rank))
      return i;
  return -1;
}

// Blocks of intervals that come one after the other, so that what is narrower than a pixel need not be looked at.
// `blocks.computing[b]`, ...: time of each state in block b.
const BLOCK = 64;
const blocks = {};
function makeBlocks() {
  const n = Math.ceil(intervals.n / BLOCK) + data.rows.length;
  blocks.first = new Uint32Array(data.rows.length + 1);
  blocks.time = [0, 1, 2, 3].map(() => new Float64Array(n));
  let block = 0;
  for (let row = 0; row < data.rows.length; row++) {
    blocks.first[row] = block;
    for (let i = intervals.first[row]; i < intervals.first[row + 1]; i++) {
      if (i > intervals.first[row] && (i - intervals.first[row]) % BLOCK === 0)
        block++;
      addShares(i, blocks.time, block);
    }
    block++;
  }
  blocks.first[data.rows.length] = block;
}
function addShares(i, time, at) {
  const length = intervals.to[i] - intervals.from[i], shares = intervals.shares.get(i);
  if (!shares) {
    time[stateOf(i)][at] += length;
    return;
  }
  let rest = length;
  shares.forEach((share, state) => {
    time[state][at] += length * share / 1000;
    rest -= length * share / 1000;
  });
  time[3][at] += Math.max(0, rest);
}
