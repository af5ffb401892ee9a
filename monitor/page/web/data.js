// data.js - what the page carries: facts as JSON, events as columns of numbers, which are unpacked here.
// Numbers are in groups of 7 bits, the lowest first; bit 7 says that more follow. Columns are deflated, in base64.

const data = JSON.parse(document.getElementById("data").textContent);
const STATES = ["computing", "overhead", "waiting", "paused", "mixed"];
const MIXED = 4;

class Numbers {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  next() { // by multiplication: times go beyond 32 bits
    let value = 0, scale = 1, byte;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value;
  }
  signed() {
    const n = this.next();
    return n % 2 ? -(n + 1) / 2 : n / 2;
  }
}

async function unpack(id) {
  const text = atob(document.getElementById(id).textContent.trim());
  const bytes = Uint8Array.from(text, c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Numbers(new Uint8Array(await new Response(stream).arrayBuffer()));
}

// Intervals of all rows, those of a row together and in the order of time: `first[row]` to `first[row + 1]`.
function readIntervals(numbers) {
  const n = numbers.next(), rows = data.rows.length;
  const all = {n, first: new Uint32Array(rows + 1), from: new Float64Array(n), to: new Float64Array(n),
    what: new Uint32Array(n), shares: new Map()};
  let at = 0;
  for (let row = 0; row < rows; row++) {
    all.first[row] = at;
    let time = 0;
    for (let left = numbers.next(); left > 0; left--, at++) {
      all.from[at] = time += numbers.next();
      all.to[at] = time += numbers.next();
      all.what[at] = numbers.next();
      if (data.activities[all.what[at]][0] === MIXED)
        all.shares.set(at, [numbers.next(), numbers.next(), numbers.next()]);
    }
  }
  all.first[rows] = at;
  return all;
}

// Messages, in the order in which they were sent. Places are activities of the calls that sent and received.
function readMessages(numbers) {
  const n = numbers.next(), f = () => new Float64Array(n), u = () => new Uint32Array(n);
  const all = {n, sent: f(), arrived: f(), from: u(), to: u(), bytes: f(), tag: new Int32Array(n), context: u(),
    id: f(), sender: u(), receiver: u(), route: u()};
  let time = 0, id = 0;
  for (let i = 0; i < n; i++) {
    all.sent[i] = time += numbers.next();
    all.arrived[i] = time + numbers.next();
    all.from[i] = numbers.next();
    all.to[i] = numbers.next();
    all.bytes[i] = numbers.next();
    all.tag[i] = numbers.signed();
    all.context[i] = numbers.next();
    all.id[i] = id += numbers.signed();
    all.sender[i] = numbers.next();
    all.receiver[i] = numbers.next();
    all.route[i] = numbers.next();
  }
  return all;
}

// Use of links: for each link the windows in which it was busy, and for how long.
function readUse(numbers) {
  return data.links.map(() => {
    const windows = new Map();
    let window = 0;
    for (let left = numbers.next(); left > 0; left--) {
      window += numbers.next();
      windows.set(window, numbers.next());
    }
    return windows;
  });
}
