// timeline.js - the ranks over time, on a canvas: intervals as bars, messages as lines between them.
// What is narrower than a pixel is drawn as shares of its states, from blocks of intervals.

const canvas = document.getElementById("timeline");
const context = canvas.getContext("2d");
const GUTTER = 76, AXIS = 26, MOST_LINES = 2000;
let size = {width: 0, height: 0}, drawnMessages = [], colours = {}, asked = false;

function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["ink", "quiet", "ground", "line", "computing", "overhead", "waiting", "paused", "message", "chosen"])
    colours[name] = style.getPropertyValue(`--${name}`).trim();
  colours.parts = STATES.slice(0, 4).map(name => [1, 3, 5].map(at => parseInt(colours[name].slice(at, at + 2), 16)));
}

const xOf = time => GUTTER + (time - view.from) / (view.to - view.from) * (size.width - GUTTER);
const timeAt = x => view.from + (x - GUTTER) / (size.width - GUTTER) * (view.to - view.from);
const yOf = place => AXIS + (place - view.top) * view.rowHeight;
const placeAt = y => Math.floor((y - AXIS) / view.rowHeight + view.top);
const placeOfRow = new Map();

function measure() {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth;
  const rows = shownRows.length, most = Math.max(260, Math.min(560, window.innerHeight * 0.6));
  view.rowHeight = Math.min(28, (most - AXIS) / Math.max(1, rows) * view.rowScale);
  const height = AXIS + Math.max(60, Math.min(most - AXIS, rows * view.rowHeight));
  size = {width, height};
  canvas.style.height = `${height}px`;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const fits = (height - AXIS) / view.rowHeight;
  view.top = Math.max(0, Math.min(view.top, rows - fits));
  placeOfRow.clear();
  shownRows.forEach((row, place) => placeOfRow.set(row, place));
}

function niceStep(span) {
  const raw = span / Math.max(2, (size.width - GUTTER) / 110), power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map(n => n * power).find(step => step >= raw);
}

function drawAxis() {
  const step = Math.max(1, niceStep(view.to - view.from));
  context.font = "12px system-ui, sans-serif";
  context.fillStyle = colours.quiet;
  context.strokeStyle = colours.line;
  context.textBaseline = "middle";
  context.lineWidth = 1;
  for (let time = Math.ceil(view.from / step) * step; time <= view.to; time += step) {
    const x = Math.round(xOf(time)) + 0.5;
    context.beginPath();
    context.moveTo(x, AXIS - 5);
    context.lineTo(x, size.height);
    context.stroke();
    const text = timeText(time), half = context.measureText(text).width / 2;
    context.textAlign = "center";
    context.fillText(text, Math.max(GUTTER + half, Math.min(size.width - half - 2, x)), 10);
  }
}

function drawNames() {
  const every = Math.max(1, Math.ceil(14 / view.rowHeight));
  context.font = "12px system-ui, sans-serif";
  context.textAlign = "right";
  context.textBaseline = "middle";
  const first = Math.floor(view.top), last = Math.min(shownRows.length, Math.ceil(view.top + (size.height - AXIS) / view.rowHeight));
  for (let place = first; place < last; place++) {
    const row = shownRows[place], current = row === chosen.row;
    if (place % every && !current)
      continue;
    context.fillStyle = current ? colours.chosen : colours.ink;
    context.fillText((view.rowHeight >= 14 ? "rank " : "") + rowName(row), GUTTER - 6, Math.max(AXIS + 7, yOf(place) + view.rowHeight / 2));
  }
}

// Draws shares of states as a column, from the bottom: computing, overhead, waiting, paused.
function drawShares(x, width, y, height, times) {
  const sum = times[0] + times[1] + times[2] + times[3];
  let bottom = y + height;
  for (let state = 0; sum && state < 4; state++) {
    const part = height * times[state] / sum;
    if (part > 0) {
      context.fillStyle = colours[STATES[state]];
      context.fillRect(x, bottom - part, width, part);
      bottom -= part;
    }
  }
}

function drawInterval(i, y, height) {
  const from = Math.max(GUTTER, xOf(intervals.from[i])), to = Math.min(size.width, xOf(intervals.to[i]));
  if (stateOf(i) === MIXED) {
    const times = [[0], [0], [0], [0]];
    addShares(i, times, 0);
    drawShares(from, to - from, y, height, times.map(t => t[0]));
    return;
  }
  const waits = stateOf(i) === 2, low = waits ? height * 0.5 : height; // also without colours waiting looks otherwise
  context.fillStyle = colours[STATES[stateOf(i)]];
  context.fillRect(from, y + height - low, Math.max(0.5, to - from), low);
  if (to - from > 3 && height > 6) {
    context.strokeStyle = colours.ground;
    context.strokeRect(from + 0.25, y + height - low, to - from, low);
  }
  if (to - from > 60 && height >= 14 && !waits) {
    const name = functionOf(intervals.what[i]) || STATES[stateOf(i)];
    context.fillStyle = stateOf(i) === 3 ? colours.ink : "#ffffff";
    context.textAlign = "left";
    context.textBaseline = "middle";
    if (context.measureText(name).width < to - from - 8)
      context.fillText(name, from + 4, y + height / 2);
  }
}

function drawRow(row, y, height) {
  const first = intervals.first[row], end = intervals.first[row + 1];
  const pixel = (view.to - view.from) / (size.width - GUTTER);
  let i = intervalAfter(row, view.from);
  while (i < end && intervals.from[i] < view.to) {
    const block = blocks.first[row] + Math.floor((i - first) / BLOCK), blockEnd = Math.min(end, first + (Math.floor((i - first) / BLOCK) + 1) * BLOCK);
    if ((i - first) % BLOCK === 0 && intervals.to[blockEnd - 1] - intervals.from[i] < 2 * pixel) {
      drawShares(xOf(intervals.from[i]), Math.max(1, xOf(intervals.to[blockEnd - 1]) - xOf(intervals.from[i])), y, height,
        blocks.time.map(column => column[block]));
      i = blockEnd;
      continue;
    }
    if (intervals.to[i] - intervals.from[i] >= pixel) {
      drawInterval(i++, y, height);
      continue;
    }
    const times = [[0], [0], [0], [0]], from = intervals.from[i]; // what is within one pixel, together
    while (i < end && intervals.to[i] - from < pixel)
      addShares(i++, times, 0);
    if (i < end && intervals.to[i] - intervals.from[i] < pixel)
      addShares(i++, times, 0);
    drawShares(Math.max(GUTTER, xOf(from)), 1, y, height, times.map(t => t[0]));
  }
}

// Several rows as one, each pixel in the mean colour of their states. `sums`: time of each state at each pixel.
function addRow(row, sums, pixel) {
  const end = intervals.first[row + 1], first = intervals.first[row], width = sums.length / 4;
  let i = intervalAfter(row, view.from);
  while (i < end && intervals.from[i] < view.to) {
    const x = Math.max(0, Math.floor((intervals.from[i] - view.from) / pixel)), number = Math.floor((i - first) / BLOCK);
    const blockEnd = Math.min(end, first + (number + 1) * BLOCK);
    if ((i - first) % BLOCK === 0 && intervals.to[blockEnd - 1] - intervals.from[i] < pixel) {
      for (let state = 0; state < 4; state++)
        sums[4 * x + state] += blocks.time[state][blocks.first[row] + number];
      i = blockEnd;
      continue;
    }
    const last = Math.min(width - 1, Math.floor((intervals.to[i] - view.from) / pixel));
    const part = Math.min(pixel, intervals.to[i] - intervals.from[i]), shares = intervals.shares.get(i);
    for (let at = x; at <= last; at++)
      for (let state = 0; state < 4; state++)
        sums[4 * at + state] += part * (shares ? (state < 3 ? shares[state] / 1000 : 0) : Number(state === stateOf(i)));
    i++;
  }
}

let groups = {key: "", picture: null}; // what was drawn last: most frames only move the choice
function drawGroups() {
  const width = Math.round(size.width - GUTTER), height = Math.round(size.height - AXIS);
  const key = [view.from, view.to, view.top, view.rowHeight, width, height, shownRows.length, shownRows[0], colours.ground].join();
  if (groups.key !== key)
    groups = {key, picture: pictureOfGroups(width, height)};
  context.imageSmoothingEnabled = false;
  context.drawImage(groups.picture, GUTTER, AXIS);
}

function pictureOfGroups(width, height) {
  const image = new ImageData(width, height), pixel = (view.to - view.from) / width;
  for (let y = 0; y < height; y += 2) {
    const sums = new Float64Array(4 * width);
    for (let place = Math.floor(view.top + y / view.rowHeight); place < view.top + (y + 2) / view.rowHeight && place < shownRows.length; place++)
      addRow(shownRows[place], sums, pixel);
    for (let x = 0; x < width; x++)
      mixColours(image.data, 4 * (y * width + x), sums.subarray(4 * x, 4 * x + 4));
    image.data.copyWithin(4 * (y + 1) * width, 4 * y * width, 4 * (y + 1) * width);
  }
  const picture = new OffscreenCanvas(width, height);
  picture.getContext("2d").putImageData(image, 0, 0);
  return picture;
}

function mixColours(pixels, at, times) {
  const sum = times[0] + times[1] + times[2] + times[3];
  for (let part = 0; sum && part < 3; part++)
    pixels[at + part] = times.reduce((all, time, state) => all + time * colours.parts[state][part], 0) / sum;
  pixels[at + 3] = sum ? 255 : 0;
}

function drawRows() {
  if (view.rowHeight < 2) {
    drawGroups();
    return;
  }
  const gap = view.rowHeight >= 8 ? 2 : 0;
  for (let place = Math.floor(view.top); place < shownRows.length && yOf(place) < size.height; place++)
    drawRow(shownRows[place], yOf(place) + gap / 2, view.rowHeight - gap);
}

// The messages to draw: those of the longest way first, as many as can be told apart.
let byLength = [], innerMessages = false;
function sortMessages() {
  innerMessages = messages.tag.some(tag => tag < 0);
  byLength = Array.from(messages.sent.keys()).sort((a, b) =>
    (messages.arrived[b] - messages.sent[b]) - (messages.arrived[a] - messages.sent[a]) || a - b);
}

function placeOfRank(rank) {
  return placeOfRow.get(rowOf(rank));
}

function lineOf(i) {
  const from = placeOfRank(messages.from[i]), to = placeOfRank(messages.to[i]);
  if (from === undefined || to === undefined)
    return null;
  const half = view.rowHeight / 2;
  return [xOf(messages.sent[i]), yOf(from) + half, xOf(messages.arrived[i]), yOf(to) + half];
}

function drawMessages() {
  drawnMessages = [];
  let inView = 0;
  for (const i of byLength) {
    if (messages.arrived[i] < view.from || messages.sent[i] > view.to || !messagePasses(i))
      continue;
    inView++;
    if (drawnMessages.length < MOST_LINES && lineOf(i))
      drawnMessages.push(i);
  }
  context.strokeStyle = colours.message;
  context.fillStyle = colours.message;
  context.globalAlpha = Math.max(0.25, Math.min(0.9, 200 / (drawnMessages.length + 1)));
  context.lineWidth = 1;
  context.beginPath();
  for (const i of drawnMessages) {
    const [x1, y1, x2, y2] = lineOf(i);
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
  }
  context.stroke();
  if (drawnMessages.length <= 400)
    drawnMessages.forEach(i => drawHead(lineOf(i)));
  context.globalAlpha = 1;
  return inView;
}

function drawHead([x1, y1, x2, y2]) {
  const angle = Math.atan2(y2 - y1, x2 - x1);
  context.beginPath();
  context.moveTo(x2, y2);
  context.lineTo(x2 - 7 * Math.cos(angle - 0.4), y2 - 7 * Math.sin(angle - 0.4));
  context.lineTo(x2 - 7 * Math.cos(angle + 0.4), y2 - 7 * Math.sin(angle + 0.4));
  context.fill();
}

function drawChoice() {
  context.strokeStyle = context.fillStyle = colours.chosen;
  context.lineWidth = 2;
  const place = placeOfRow.get(chosen.row), i = chosen.interval;
  if (i >= 0 && place !== undefined)
    context.strokeRect(xOf(intervals.from[i]), yOf(place), Math.max(2, xOf(intervals.to[i]) - xOf(intervals.from[i])), view.rowHeight);
  const line = chosen.message >= 0 && lineOf(chosen.message);
  if (line) {
    context.lineWidth = 3;
    context.beginPath();
    context.moveTo(line[0], line[1]);
    context.lineTo(line[2], line[3]);
    context.stroke();
    drawHead(line);
  }
  const x = xOf(chosen.time);
  context.setLineDash([4, 3]);
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, AXIS - 8);
  context.lineTo(x, size.height);
  context.stroke();
  context.setLineDash([]);
}

function draw() {
  asked = false;
  measure();
  context.clearRect(0, 0, size.width, size.height);
  drawAxis();
  context.save();
  context.beginPath();
  context.rect(0, AXIS, size.width, size.height - AXIS);
  context.clip();
  drawNames();
  context.beginPath();
  context.rect(GUTTER, AXIS - 8, size.width - GUTTER, size.height - AXIS + 8);
  context.clip();
  drawRows();
  const inView = drawMessages();
  drawChoice();
  context.restore();
  const some = drawnMessages.length < inView ? `, of which the ${count(drawnMessages.length)} with the longest ways are drawn` : "";
  const hidden = filter.messages && !filter.collective && innerMessages ? ", without those within collectives" : "";
  document.getElementById("view-text").textContent =
    `${timeText(view.from)} to ${timeText(view.to)}, ${count(shownRows.length)} of ${count(data.rows.length)} rows, ${count(inView)} messages${some}${hidden}.`;
  document.dispatchEvent(new Event("drawn"));
}

function redraw() {
  if (!asked) {
    asked = true;
    requestAnimationFrame(draw);
  }
}

function zoom(factor, about) {
  const whole = Math.max(1, data.makespan_ps), span = Math.max(20, Math.min(whole, (view.to - view.from) * factor));
  const part = (about - view.from) / (view.to - view.from);
  setView(about - part * span, about + (1 - part) * span);
}

function setView(from, to) {
  const whole = Math.max(1, data.makespan_ps), span = Math.min(whole, to - from);
  view.from = Math.max(0, Math.min(whole - span, from));
  view.to = view.from + span;
  redraw();
}

// Moves the view so that the time, and the row, can be seen.
function show(time, row) {
  const span = view.to - view.from;
  if (time < view.from || time > view.to)
    setView(time - span / 2, time + span / 2);
  const place = placeOfRow.get(row), fits = Math.floor((size.height - AXIS) / view.rowHeight);
  if (place !== undefined && (place < view.top || place >= view.top + fits))
    view.top = Math.max(0, place - Math.floor(fits / 2));
  redraw();
}

// What is under a point: a message close by, else an interval.
function find(x, y) {
  let best = -1, least = 6;
  for (const i of drawnMessages) {
    const [x1, y1, x2, y2] = lineOf(i), length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const along = Math.max(0, Math.min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / (length * length)));
    const away = Math.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1));
    if (away < least) {
      least = away;
      best = i;
    }
  }
  const row = shownRows[placeAt(y)];
  return {message: best, row, interval: row === undefined ? -1 : intervalAt(row, timeAt(x))};
}
