// network.js - the network at the chosen time: how busy links are, which messages are on their way, a message's route.

const SVG = "http://www.w3.org/2000/svg";
let linkLines = [], vertexMarks = [];

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes))
    made.setAttribute(key, value);
  if (text !== undefined)
    made.textContent = text;
  return made;
}

// Grey over yellow and orange to red, by the square root: a few percent differ visibly from nothing.
function heat(busy) {
  const stops = [[207, 214, 222], [240, 200, 70], [226, 110, 30], [150, 20, 40]];
  const place = Math.sqrt(Math.min(1, busy)) * 3, low = Math.min(2, Math.floor(place)), part = place - low;
  return `rgb(${stops[low].map((c, i) => Math.round(c + (stops[low + 1][i] - c) * part)).join(",")})`;
}

function drawNetwork() {
  const home = document.getElementById("network");
  if (!data.vertices.length || !data.links.length) {
    document.getElementById("network-text").textContent = data.network_note;
    return;
  }
  const unit = 80, xs = data.vertices.map(v => v[1] * unit), ys = data.vertices.map(v => v[2] * unit);
  const left = Math.min(...xs) - 40, top = Math.min(...ys) - 40;
  const svg = element("svg", {viewBox: `${left} ${top} ${Math.max(...xs) + 40 - left} ${Math.max(...ys) + 40 - top}`,
    role: "group", "aria-label": `Network of ${data.vertices.length} nodes and switches and ${data.links.length} links`});
  linkLines = data.links.map((link, i) => addLink(svg, link, i, xs, ys));
  vertexMarks = data.vertices.map((vertex, i) => addVertex(svg, vertex, xs[i], ys[i]));
  home.replaceChildren(svg);
}

// The two directions of a link are side by side.
function addLink(svg, link, i, xs, ys) {
  const [from, to] = link, dx = xs[to] - xs[from], dy = ys[to] - ys[from], length = Math.hypot(dx, dy) || 1;
  const ox = -dy / length * 4, oy = dx / length * 4, bend = length > 140 ? length * 0.14 : 0;
  const path = `M${xs[from] + ox} ${ys[from] + oy} Q${(xs[from] + xs[to]) / 2 + ox + ox / 4 * bend} ${(ys[from] + ys[to]) / 2 + oy + oy / 4 * bend} ${xs[to] + ox} ${ys[to] + oy}`;
  const line = element("path", {d: path, class: "link", fill: "none"});
  const hit = element("path", {d: path, class: "hit", fill: "none"});
  hit.append(element("title", {}, linkName(i)));
  hit.addEventListener("click", () => chooseLink(i));
  svg.append(line, hit);
  return line;
}

function addVertex(svg, [name, , , isSwitch], x, y) {
  const mark = isSwitch ? element("rect", {x: x - 11, y: y - 11, width: 22, height: 22, class: "vertex"})
    : element("circle", {cx: x, cy: y, r: 13, class: "vertex"});
  svg.append(mark);
  if (data.vertices.length <= 256)
    svg.append(element("text", {x, y: y + 26}, name.length > 10 ? name.slice(0, 9) + "…" : name));
  mark.append(element("title", {}, name));
  return mark;
}

const linkName = i => `${data.vertices[data.links[i][0]][0]} to ${data.vertices[data.links[i][1]][0]}`;

function chooseLink(i) {
  const whole = Array.from(use[i].values()).reduce((a, b) => a + b, 0);
  setDetail([`Link ${linkName(i)}: busy for ${timeText(whole)}, ${percent(whole, data.makespan_ps)} of the run, and for ` +
    `${timeText(use[i].get(windowAt(chosen.time)) || 0)} of the ${timeText(data.window_ps)} around ${timeText(chosen.time)}.`]);
}

const windowAt = time => Math.floor(Math.max(0, Math.min(time, data.makespan_ps - 1)) / data.window_ps);

function updateNetwork() {
  const route = chosen.message >= 0 ? data.routes[messages.route[chosen.message]] : [];
  const ends = chosen.message >= 0 ? [data.placement[messages.from[chosen.message]], data.placement[messages.to[chosen.message]]] : [];
  const window = data.window_ps ? windowAt(chosen.time) : 0;
  linkLines.forEach((line, i) => {
    const busy = data.window_ps ? (use[i].get(window) || 0) / data.window_ps : 0;
    line.style.stroke = heat(busy);
    line.classList.toggle("chosen", route.includes(i));
  });
  vertexMarks.forEach((mark, i) => mark.classList.toggle("chosen", ends.includes(i)));
  if (linkLines.length)
    document.getElementById("network-text").textContent = networkText(window);
}

function networkText(window) {
  let flying = 0;
  for (let i = 0; i < messages.n && messages.sent[i] <= chosen.time; i++)
    flying += messages.arrived[i] > chosen.time && messagePasses(i);
  const busy = data.links.map((_, i) => [i, use[i].get(window) || 0]).filter(l => l[1]).sort((a, b) => b[1] - a[1]);
  const most = busy.slice(0, 3).map(l => `${linkName(l[0])} ${percent(l[1], data.window_ps)}`).join(", ");
  return `At ${timeText(chosen.time)}: ${count(flying)} messages on their way, ${count(busy.length)} of ${count(data.links.length)} links busy` +
    (most ? `, most of all ${most}.` : ".") + " Colours: grey for an idle link, over yellow and orange to dark red for a busy one.";
}
