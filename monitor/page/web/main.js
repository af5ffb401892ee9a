// main.js - choosing, filtering, keys and buttons; starts everything.

function setDetail(parts) {
  byId("detail").replaceChildren(...parts.map(part => {
    const line = make("p");
    line.append(...(Array.isArray(part) ? part : [part]));
    return line;
  }));
}

function placeParts(what, word) { // the line of a call, as a button
  const site = siteOf(what);
  return site.file < 0 ? [] : [[`${word} ${functionOf(what) || ""} at `, sourceButton(site.file, site.line), ` in ${site.caller}`]];
}

function setTime(time) {
  chosen.time = Math.max(0, Math.min(data.makespan_ps, time));
  byId("time").value = String(Math.round(100000 * chosen.time / Math.max(1, data.makespan_ps)));
  byId("time-text").textContent = timeText(chosen.time);
  updateNetwork();
  redraw();
}

function chooseInterval(row, i, time) {
  chosen.row = row;
  chosen.interval = i;
  chosen.message = -1;
  if (i < 0) {
    setDetail([`Rank ${rowName(row)} at ${timeText(time)}: nothing.`]);
  } else {
    const what = intervals.what[i], state = stateOf(i), cause = causeOf(what), call = functionOf(what);
    const doing = state === MIXED ? "several short events" : STATES[state] + (call ? ` in ${call}` : "") + (cause ? `: ${cause}` : "");
    setDetail([`Rank ${rowName(row)}, ${doing}, from ${timeText(intervals.from[i])} to ${timeText(intervals.to[i])}, ` +
      `${timeText(intervals.to[i] - intervals.from[i])} long.`, ...placeParts(what, state === 0 ? "Before" : "In")]);
    const site = siteOf(what);
    if (site.file >= 0)
      showSource(site.file, [site.line], false);
  }
  setTime(time);
}

function chooseMessage(i) {
  chosen.message = i;
  chosen.interval = -1;
  const m = messages, route = data.routes[m.route[i]] || [];
  const parts = [`Message ${count(m.id[i])} from rank ${m.from[i]} to rank ${m.to[i]}, ${count(m.bytes[i])} bytes, ` +
    (m.tag[i] < 0 ? "within a collective operation" : `tag ${m.tag[i]}`) + `, communicator ${m.context[i]}: sent at ` +
    `${timeText(m.sent[i])}, arrived at ${timeText(m.arrived[i])}, ${timeText(m.arrived[i] - m.sent[i])} on its way.`];
  parts.push(...placeParts(m.sender[i], "Sent by"), ...placeParts(m.receiver[i], "Received by"));
  const sort = data.one_path ? "Route" : data.routes_recorded ? "Route that it took" : "Route on an empty network; this one may have taken another";
  parts.push(route.length && data.links.length ? `${sort}: ${route.map(linkName).join(", ")}.` : "Route: within a node, or not known.");
  setDetail(parts);
  const lines = [m.sender[i], m.receiver[i]].map(siteOf).filter(site => site.file >= 0);
  if (lines.length)
    showSource(lines[0].file, lines.filter(site => site.file === lines[0].file).map(site => site.line), false);
  show(m.sent[i], rowOf(m.from[i]));
  setTime(m.sent[i]);
}

function forget() {
  chosen.interval = chosen.message = -1;
  setDetail(["Nothing."]);
  updateNetwork();
  redraw();
}

// -- filter ---------------------------------------------------------------------------------------

function applyFilter() {
  const ranks = parseRanks(byId("filter-ranks").value), tag = byId("filter-tag").value.trim();
  byId("filter-ranks").setAttribute("aria-invalid", String(ranks === undefined));
  byId("filter-ranks").setCustomValidity(ranks === undefined ? "Ranks are numbers and ranges, such as 0-3,8" : "");
  filter.rows = ranks || null;
  filter.tag = tag === "" || Number.isNaN(Number(tag)) ? null : Number(tag);
  filter.context = byId("filter-context").value === "" ? null : Number(byId("filter-context").value);
  filter.least = Number(byId("filter-least").value) || 0;
  filter.most = byId("filter-most").value.trim() === "" ? Infinity : Number(byId("filter-most").value);
  filter.messages = byId("filter-messages").checked;
  filter.collective = byId("filter-collective").checked;
  updateShownRows();
  updateNetwork();
  redraw();
}

function listen() {
  const form = byId("filter");
  form.addEventListener("input", applyFilter);
  form.addEventListener("reset", () => setTimeout(applyFilter));
  form.addEventListener("submit", event => event.preventDefault());
  const middle = () => chosen.time >= view.from && chosen.time <= view.to ? chosen.time : (view.from + view.to) / 2;
  byId("zoom-in").addEventListener("click", () => zoom(0.5, middle()));
  byId("zoom-out").addEventListener("click", () => zoom(2, middle()));
  byId("zoom-all").addEventListener("click", () => setView(0, data.makespan_ps));
  byId("rows-higher").addEventListener("click", () => scaleRows(2));
  byId("rows-lower").addEventListener("click", () => scaleRows(0.5));
  byId("step-on").addEventListener("click", () => step(true));
  byId("step-back").addEventListener("click", () => step(false));
  byId("time").addEventListener("input", event => setTime(event.target.value / 100000 * data.makespan_ps));
  byId("theme").addEventListener("click", () => setTheme(!document.documentElement.classList.contains("dark")));
  window.addEventListener("resize", redraw);
  listenToPointer();
  canvas.addEventListener("keydown", key);
}

function scaleRows(factor) { // the row of the choice stays in view
  view.rowScale = Math.max(1, Math.min(view.rowScale * factor, 28 * shownRows.length / 200));
  measure();
  show(chosen.time, chosen.row);
}

function step(forward) {
  const time = nextEvent(chosen.time, forward);
  if (time === undefined)
    return;
  setTime(time);
  show(time, chosen.row);
}

function listenToPointer() {
  let drag = null;
  canvas.addEventListener("pointerdown", event => {
    drag = {x: event.offsetX, y: event.offsetY, from: view.from, to: view.to, top: view.top, moved: false};
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", event => {
    if (!drag)
      return;
    const dx = event.offsetX - drag.x, dy = event.offsetY - drag.y;
    drag.moved = drag.moved || Math.hypot(dx, dy) > 4;
    if (!drag.moved)
      return;
    const shift = -dx / (size.width - GUTTER) * (drag.to - drag.from);
    view.top = Math.max(0, drag.top - dy / view.rowHeight);
    setView(drag.from + shift, drag.to + shift);
  });
  canvas.addEventListener("pointerup", event => {
    if (drag && !drag.moved)
      click(event.offsetX, event.offsetY);
    drag = null;
  });
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    if (event.shiftKey) {
      view.top = Math.max(0, view.top + Math.sign(event.deltaY || event.deltaX) * 3);
      redraw();
    } else {
      zoom(1.2 ** (event.deltaY / 60), timeAt(Math.max(GUTTER, event.offsetX)));
    }
  }, {passive: false});
}

function click(x, y) {
  const time = Math.max(0, timeAt(Math.max(GUTTER, x))), found = find(x, y);
  if (y < AXIS)
    setTime(time);
  else if (found.message >= 0)
    chooseMessage(found.message);
  else if (found.row !== undefined)
    chooseInterval(found.row, found.interval, time);
}

function moveRow(by) {
  const place = Math.max(0, Math.min(shownRows.length - 1, (placeOfRow.get(chosen.row) || 0) + by));
  chosen.row = shownRows[place];
  chooseInterval(chosen.row, intervalAt(chosen.row, chosen.time), chosen.time);
  show(chosen.time, chosen.row);
}

function moveInterval(by) {
  const first = intervals.first[chosen.row], end = intervals.first[chosen.row + 1];
  if (first === end)
    return;
  const now = chosen.interval >= 0 ? chosen.interval + by : Math.min(end - 1, intervalAfter(chosen.row, chosen.time));
  const i = Math.max(first, Math.min(end - 1, now));
  chooseInterval(chosen.row, i, intervals.from[i]);
  show(intervals.from[i], chosen.row);
}

function moveMessage(forward) {
  const i = nextMessage(data.rows[chosen.row].rank, forward), row = chosen.row;
  if (i < 0) {
    setDetail([`Rank ${rowName(row)} has no further message that the filter lets through.`]);
    return;
  }
  chooseMessage(i);
  chosen.row = row;
}

const span = part => (view.to - view.from) * part;
const keys = {
  ArrowLeft: () => setView(view.from - span(0.1), view.to - span(0.1)),
  ArrowRight: () => setView(view.from + span(0.1), view.to + span(0.1)),
  ArrowUp: () => moveRow(-1),
  ArrowDown: () => moveRow(1),
  "+": () => zoom(0.5, (view.from + view.to) / 2),
  "=": () => zoom(0.5, (view.from + view.to) / 2),
  "-": () => zoom(2, (view.from + view.to) / 2),
  "0": () => setView(0, data.makespan_ps),
  "[": () => moveInterval(-1),
  "]": () => moveInterval(1),
  h: () => scaleRows(2),
  l: () => scaleRows(0.5),
  n: () => moveMessage(true),
  p: () => moveMessage(false),
  ",": () => step(false),
  ".": () => step(true),
  Escape: forget,
};
function key(event) {
  if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey)
    return;
  event.preventDefault();
  keys[event.key]();
}

// -- start ----------------------------------------------------------------------------------------

function setTheme(dark) {
  document.documentElement.classList.toggle("dark", dark);
  byId("theme").setAttribute("aria-pressed", String(dark));
  byId("theme").textContent = dark ? "Light" : "Dark";
  readColours();
  updateNetwork();
  redraw();
}

function fillLegend() {
  for (const state of STATES.slice(0, 4)) {
    const item = make("li"), box = make("i");
    box.style.background = `var(--${state})`;
    item.append(box, state + (state === "waiting" ? " (half as high)" : ""));
    byId("legend").append(item);
  }
  byId("legend").append(make("li", "lines: messages, from sender to receiver"));
}

function fillContexts() {
  for (const name of [...new Set(messages.context)].sort((a, b) => a - b)) {
    const option = make("option", `${name}`);
    option.value = String(name);
    byId("filter-context").append(option);
  }
}

function notice(text) {
  byId("notice").textContent = text;
  byId("notice").hidden = false;
}

async function start() {
  showFacts();
  showTotals();
  byId("diagnosis").append(textWithPlaces(data.diagnosis.trim()));
  showFindings();
  fillFiles();
  showStatistics();
  showMachine();
  fillLegend();
  if (!window.DecompressionStream) {
    notice("The timeline needs a browser of 2023 or later.");
    return;
  }
  [intervals, messages, use] = [readIntervals(await unpack("intervals")), readMessages(await unpack("messages")), readUse(await unpack("use"))];
  makeBlocks();
  sortMessages();
  fillContexts();
  if (messages.n && messages.n <= MOST_LINES && !messages.tag.some(tag => tag >= 0)) // otherwise nothing would be seen of them
    byId("filter-collective").checked = byId("filter-collective").defaultChecked = filter.collective = true;
  if (data.left_out)
    notice(data.left_out);
  updateShownRows();
  drawNetwork();
  listenToNetwork();
  listen();
  setTheme(window.matchMedia("(prefers-color-scheme: dark)").matches);
  measure();
  chosen.row = shownRows[0] || 0;
  setTime(0);
  let waiting = 0;
  document.addEventListener("drawn", () => {
    clearTimeout(waiting);
    waiting = setTimeout(showEvents, 200);
  });
  draw();
  document.documentElement.dataset.ready = "yes";
}
start();
