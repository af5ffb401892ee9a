// network.js - the network at the chosen time: how busy links are, which messages are on their way, a message's route.

const SVG = "http://www.w3.org/2000/svg";
let linkLines = [], vertexMarks = [], networkAll = null, networkBox = null;

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes))
    made.setAttribute(key, value);
  if (text !== undefined)
    made.textContent = text;
  return made;
}

// From idle to busy, by the square root, so that a few percent differ visibly from nothing. Lightness goes in one
// direction, away from the ground.
const HEAT = {light: [[200, 208, 217], [120, 185, 230], [0, 114, 178], [0, 26, 48]], dark: [[62, 74, 88], [20, 110, 165], [86, 180, 233], [245, 250, 255]]};
function heat(busy) {
  const stops = HEAT[document.documentElement.classList.contains("dark") ? "dark" : "light"];
  const place = Math.sqrt(Math.min(1, busy)) * 3, low = Math.min(2, Math.floor(place)), part = place - low;
  return `rgb(${stops[low].map((c, i) => Math.round(c + (stops[low + 1][i] - c) * part)).join(",")})`;
}

// Positions of the vertices. What is many times as wide as high is broken into lines, at its gaps if it has such.
function placeVertices() {
  const xs = data.vertices.map(v => v[1]), ys = data.vertices.map(v => v[2]);
  const least = list => list.reduce((a, b) => Math.min(a, b)), most = list => list.reduce((a, b) => Math.max(a, b));
  const columns = [...new Set(xs)].sort((a, b) => a - b), gaps = columns.slice(1).map((x, i) => x - columns[i]);
  const smallest = gaps.length ? least(gaps) : 1, starts = columns.filter((x, i) => !i || gaps[i - 1] > 1.2 * smallest);
  const width = most(xs) - least(xs), height = most(ys) - least(ys) + 2;
  const lines = Math.min(starts.length, Math.floor(Math.sqrt(width / height) + 0.5));
  if (width < 4 * height || lines < 2)
    return [xs, ys];
  const each = Math.ceil(starts.length / lines);
  const lineOf = xs.map(x => Math.floor((starts.filter(start => start <= x).length - 1) / each));
  return [xs.map((x, i) => x - starts[lineOf[i] * each]), ys.map((y, i) => y + lineOf[i] * height)];
}

function drawNetwork() {
  const home = document.getElementById("network");
  if (!data.vertices.length || !data.links.length) {
    document.getElementById("network-text").textContent = data.network_note;
    return;
  }
  const unit = 80, [xs, ys] = placeVertices().map(list => list.map(at => at * unit));
  const left = Math.min(...xs) - 40, top = Math.min(...ys) - 40, width = Math.max(...xs) + 40 - left, height = Math.max(...ys) + 40 - top;
  const beside = Math.max(0, 240 - width) / 2, above = Math.max(0, 160 - height) / 2; // small ones are not blown up
  networkAll = [left - beside, top - above, width + 2 * beside, height + 2 * above];
  const svg = element("svg", {viewBox: networkAll.join(" "), tabindex: "0", role: "application", "aria-describedby": "network-keys",
    "aria-label": `Network of ${data.vertices.length} nodes and switches and ${data.links.length} links`});
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
    (most ? `, most of all ${most}.` : ".") + " The bluer and darker (in dark colours: lighter), the busier.";
}

// -- moving about ---------------------------------------------------------------------------------

function setNetworkBox(x, y, width, height) {
  networkBox = [x, y, width, height];
  document.querySelector("#network svg").setAttribute("viewBox", networkBox.join(" "));
}

function zoomNetwork(factor, across = 0.5, down = 0.5) {
  const [x, y, width, height] = networkBox || networkAll;
  const by = Math.max(factor, 160 / width) > 1 ? Math.min(factor, networkAll[2] / width) : Math.max(factor, 160 / width);
  setNetworkBox(x + across * width * (1 - by), y + down * height * (1 - by), width * by, height * by);
}

function moveNetwork(across, down) {
  const [x, y, width, height] = networkBox || networkAll;
  setNetworkBox(x + across * width, y + down * height, width, height);
}

const networkKeys = {
  ArrowLeft: () => moveNetwork(-0.1, 0),
  ArrowRight: () => moveNetwork(0.1, 0),
  ArrowUp: () => moveNetwork(0, -0.1),
  ArrowDown: () => moveNetwork(0, 0.1),
  "+": () => zoomNetwork(0.7),
  "=": () => zoomNetwork(0.7),
  "-": () => zoomNetwork(1.4),
  "0": () => setNetworkBox(...networkAll),
};

function listenToNetwork() {
  const svg = document.querySelector("#network svg");
  document.getElementById("network-bar").hidden = !svg;
  if (!svg)
    return;
  let drag = null;
  const part = event => {
    const box = svg.getBoundingClientRect();
    return [(event.clientX - box.x) / box.width, (event.clientY - box.y) / box.height];
  };
  document.getElementById("network-in").addEventListener("click", networkKeys["+"]);
  document.getElementById("network-out").addEventListener("click", networkKeys["-"]);
  document.getElementById("network-all").addEventListener("click", networkKeys["0"]);
  svg.addEventListener("keydown", event => {
    if (!networkKeys[event.key] || event.ctrlKey || event.metaKey || event.altKey)
      return;
    event.preventDefault();
    networkKeys[event.key]();
  });
  svg.addEventListener("wheel", event => {
    event.preventDefault();
    zoomNetwork(1.2 ** (event.deltaY / 60), ...part(event));
  }, {passive: false});
  svg.addEventListener("pointerdown", event => { drag = part(event); });
  svg.addEventListener("pointermove", event => {
    if (!drag || !event.buttons)
      return;
    const now = part(event);
    moveNetwork(drag[0] - now[0], drag[1] - now[1]);
    drag = now;
  });
  svg.addEventListener("pointerup", () => { drag = null; });
}
