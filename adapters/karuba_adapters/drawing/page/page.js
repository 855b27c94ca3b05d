"use strict";

// Shows a recorded game. No rule of the game is known here: each frame says what is seen to change
// with its record, and whatever is seen after a record is all frames up to it, laid over each other.
// All text goes in as text, never as markup.

const replay = JSON.parse(document.getElementById("replay").textContent);
const { players, frames, findings, at } = replay;
const COLOURS = ["blue", "brown", "purple", "yellow"];
const LAST = frames.length + (findings.length ? 1 : 0); // a fault stands after the last right record
const ROUNDS = frames.flatMap((frame, index) => (frame.now.round ? [index + 1] : []));
const stillness = matchMedia("(prefers-reduced-motion: reduce)");

const byId = (id) => document.getElementById(id);
const slider = byId("slider");
const records = byId("records");

let current = 0; // the record that is shown, 1 for the opening
let playing = 0; // the timer of the next record, while it plays
let walking = null; // the adventurer's walk that is seen, or was the last one
let noting = 0; // the timer that puts the record into the address

function make(tag, className, ...content) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...content);
  return element;
}

function draw(parent, tag, attributes) {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", tag);
  Object.entries(attributes).forEach(([name, value]) => shape.setAttribute(name, value));
  return parent.appendChild(shape);
}

// Whatever stands on an island is drawn round the middle of its square.
const square = (inset = 0) => ({ x: inset - 50, y: inset - 50, width: 100 - 2 * inset, height: 100 - 2 * inset });

const moved = ([x, y]) => `translate(${x} ${y})`;

function refer(shape, symbol) {
  if (symbol) shape.setAttribute("href", `#k-${symbol}`);
  else shape.removeAttribute("href");
}

// In the words of a record, a number is the seat of a player.
function words(says) {
  return says.map((word) => (typeof word === "number" ? make("bdi", "who", players[word]) : word));
}

// Islands

function makeIsland(name) {
  const card = byId("player").content.cloneNode(true).firstElementChild;
  card.querySelector("bdi").textContent = card.querySelector("h2").title = name;
  const island = card.querySelector("svg");
  island.setAttribute("role", "img");
  const tiles = Object.entries(at.cells).map(([cell, centre]) => {
    const group = draw(island, "g", { transform: moved(centre), "data-tile-on": cell });
    const [tile, treasure] = [draw(group, "use", square()), draw(group, "use", square())];
    draw(group, "rect", { ...square(4), rx: 8, class: "ring k-mark" });
    return { cell, group, tile, treasure };
  });
  const ways = ["k-way-edge", "k-way"].map((className) => draw(island, "polyline", { class: className }));
  const adventurers = COLOURS.map((colour) => {
    const shape = draw(island, "use", { ...square(), "data-adventurer": colour });
    refer(shape, `adventurer-${colour}`);
    return { colour, shape };
  });
  byId("islands").append(card);
  const told = [...card.querySelectorAll("[data-spot]")];
  return { card, island, tiles, ways, adventurers, told, awards: card.querySelector(".awards") };
}

const islands = players.map(makeIsland);

const centreOf = (colour, where) => at.cells[where] ?? at[where][colour];

function paintIsland(seat, seen, now) {
  const { card, island, tiles, adventurers, told, awards } = islands[seat];
  const shown = (spot) => seen[`${seat}.${spot}`];
  const isNew = (spot) => `${seat}.${spot}` in now;
  for (const { cell, group, tile, treasure } of tiles) {
    const [number, lies] = shown(cell) ?? [];
    refer(tile, number && `tile-${number}`);
    refer(treasure, lies);
    group.classList.toggle("new", isNew(cell));
  }
  for (const { colour, shape } of adventurers) {
    shape.setAttribute("transform", moved(centreOf(colour, shown(colour))));
    shape.dataset.where = shown(colour);
  }
  for (const element of told) {
    element.textContent = shown(element.dataset.spot);
    element.classList.toggle("new", isNew(element.dataset.spot));
  }
  awards.replaceChildren(...shown("awards").map(award));
  card.classList.toggle("wins", shown("wins"));
  island.setAttribute("aria-label", described(players[seat], shown));
}

function award([temple, token, crystals]) {
  const extra = crystals ? [make("small", "", ` +${crystals}`), make("span", "unseen", " crystals")] : [];
  const item = make("li", `token ${temple}`, make("span", "unseen", `${temple} temple: `), `${token}`, ...extra);
  item.title = item.textContent;
  return item;
}

function described(name, shown) {
  const walkers = COLOURS.map((colour) => {
    const where = shown(colour);
    return `${colour} ${where in at.cells ? `on ${where}` : where === "beach" ? "on the beach" : "in its temple"}`;
  });
  const laid = Object.keys(at.cells).filter(shown).map((cell) => {
    const [number, treasure] = shown(cell);
    return `${number} on ${cell}${treasure ? ` with ${treasure}` : ""}`;
  });
  return `Island of ${name}. Adventurers: ${walkers.join(", ")}. Tiles: ${laid.join(", ") || "none"}.`;
}

// The way that an adventurer went stays drawn until the next record; the walk itself is shown where it
// follows what was seen before.
function paintWalk(frame, isNext) {
  walking?.cancel();
  for (const { ways } of islands) ways.forEach((way) => way.removeAttribute("points"));
  if (!frame?.walk) return;
  const [seat, colour, path] = frame.walk;
  const { ways, adventurers } = islands[seat];
  const centres = path.map((where) => centreOf(colour, where));
  ways.forEach((way) => way.setAttribute("points", centres.join(" ")));
  if (!isNext || stillness.matches) return;
  const steps = centres.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
  const duration = Math.min(200 * path.length, Number(byId("speed").value) * 0.8);
  const { shape } = adventurers.find((each) => each.colour === colour);
  walking = shape.animate(steps, { duration, easing: "ease-in-out" });
}

// The table

function makeStack(colour) {
  const temple = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  temple.setAttribute("viewBox", "0 0 100 100");
  refer(draw(temple, "use", { width: 100, height: 100 }), `temple-${colour}`);
  const left = make("dd", "");
  byId("stacks").append(make("div", "", make("dt", "", temple, make("span", "unseen", colour)), left));
  return left;
}

const stacks = players.length ? COLOURS.map(makeStack) : [];

function paintTable(seen) {
  const number = seen.drawn;
  const drawn = byId("drawn");
  refer(drawn.firstElementChild, number && `tile-${number}`);
  drawn.setAttribute("aria-label", number ? `Drawn: tile ${number}` : "No tile is drawn");
  byId("round").textContent = seen.round ? `Round ${seen.round} of ${replay.tiles}, tile ${number}` : "";
  stacks.forEach((left, index) => {
    const [top, ...below] = seen[`${COLOURS[index]}.stack`];
    left.replaceChildren(...(top ? [make("b", "", `${top}`), below.map((token) => ` ${token}`).join("")] : ["none"]));
  });
}

function verdict() {
  const log = replay.log > 1 && `log ${replay.log}`;
  const rules = replay.rules && `${replay.rules} rules`;
  const count = `${frames.length} record${frames.length === 1 ? "" : "s"}`;
  const told = [log, replay.verdict, rules, count, findings.length ? null : replay.waits];
  byId("verdict").append(told.filter(Boolean).join(" · "));
  if (!findings.length) return;
  const link = make("a", "fault", `fault in line ${findings[0].line}`);
  link.href = `#r${LAST}`;
  link.addEventListener("click", () => { pause(); go(LAST); }); // the address may still name it
  byId("verdict").append(" · ", link);
}

function faultTitle() {
  const before = players.length ? "this is the game before it" : "there is no game before it";
  return `Line ${findings[0].line} is at fault; ${before}`;
}

function finding({ line, path, code, rule, message }) {
  return make("p", "finding", message, " ", make("small", "", `${code} · line ${line} · ${path} · ${rule}`));
}

function detail() {
  if (current > frames.length) return findings.map(finding);
  return current === LAST && replay.waits ? [make("p", "", `The game is not finished: ${replay.waits}.`)] : [];
}

// The records

function makeRecord(className, line, content, index) {
  const row = make("div", className, make("span", "number", `${index + 1}`), make("span", "", ...content));
  row.id = `record-${index + 1}`;
  row.title = `line ${line}`;
  row.setAttribute("role", "option");
  row.addEventListener("click", () => { pause(); go(index + 1); });
  records.append(row);
  return row;
}

const rows = frames.map((frame, index) =>
  makeRecord(frame.now.round ? "record opens" : "record", frame.line, words(frame.says), index));
if (findings.length) {
  const [{ line, code, message }] = findings;
  rows.push(makeRecord("record fault", line, [`${code}: ${message}`], frames.length));
}

function mark(row, isCurrent) {
  row?.setAttribute("aria-selected", isCurrent);
  if (!isCurrent) return;
  records.setAttribute("aria-activedescendant", row.id);
  // The list alone is scrolled: the page stays where its reader has put it.
  records.scrollTop = row.offsetTop - (records.clientHeight - row.offsetHeight) / 2;
}

// Moving through the game

function go(target) {
  const stop = Math.min(Math.max(target, 1), LAST);
  if (stop === current) return;
  const frame = frames[stop - 1];
  const seen = Object.assign({}, ...frames.slice(0, stop).map(({ now }) => now));
  const now = (stop > 1 && frame?.now) || {};
  islands.forEach((_, seat) => paintIsland(seat, seen, now));
  paintWalk(frame, stop === current + 1);
  const left = rows[current - 1];
  current = stop;
  paintTable(seen);
  paintDock(frame, seen);
  mark(left, false);
  mark(rows[stop - 1], true); // last: the list is as high as the dock leaves it
  noteAddress();
}

function paintDock(frame, seen) {
  byId("says").replaceChildren(...(frame ? words(frame.says) : [faultTitle()]));
  byId("detail").replaceChildren(...detail());
  document.body.classList.toggle("at-fault", !frame);
  slider.value = current;
  slider.style.setProperty("--done", LAST > 1 ? (current - 1) / (LAST - 1) : 1);
  const round = seen.round ? `, round ${seen.round}` : "";
  slider.setAttribute("aria-valuetext", `${current} of ${LAST}${frame ? round : ", the fault"}`);
}

// Browsers refuse many changes of the address in a short time, and nobody needs each one of them.
function noteAddress() {
  clearTimeout(noting);
  noting = setTimeout(() => history.replaceState(null, "", `#r${current}`), 300);
}

function addressed() {
  const [, number] = /^#r(\d{1,9})$/.exec(location.hash) ?? [];
  return number && Number(number);
}

const roundOn = () => go(ROUNDS.find((stop) => stop > current) ?? LAST);
const roundBack = () => go(ROUNDS.findLast((stop) => stop < current) ?? 1);

// Playing

function setPlaying(isPlaying) {
  document.body.classList.toggle("playing", isPlaying);
  byId("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  for (const id of ["says", "detail"]) byId(id).setAttribute("aria-live", isPlaying ? "off" : "polite");
}

function pause() {
  clearTimeout(playing);
  playing = 0;
  setPlaying(false);
}

function playOn() {
  playing = setTimeout(() => {
    if (current + 1 >= LAST) pause(); // before the last record, so that it is announced
    go(current + 1);
    if (playing) playOn();
  }, Number(byId("speed").value));
}

function play() {
  setPlaying(true);
  if (current === LAST) go(1);
  playOn();
}

const togglePlay = () => (playing ? pause() : play());

// What a reader does

const KEYS = {
  ArrowLeft: () => go(current - 1),
  ArrowRight: () => go(current + 1),
  PageUp: roundBack,
  PageDown: roundOn,
  Home: () => go(1),
  End: () => go(LAST),
};
const LIST_KEYS = { ArrowUp: KEYS.ArrowLeft, ArrowDown: KEYS.ArrowRight };

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.altKey || event.ctrlKey || event.metaKey || target.matches("select")) return;
  const act = KEYS[key] ?? (target === records ? LIST_KEYS[key] : undefined);
  const isToggle = key === " " && !target.matches("button, a");
  if (!act && !isToggle) return;
  event.preventDefault();
  if (isToggle) {
    togglePlay();
  } else {
    pause();
    act();
  }
});

const CLICKS = {
  "round-back": roundBack, back: KEYS.ArrowLeft, on: KEYS.ArrowRight, "round-on": roundOn,
};
for (const [id, act] of Object.entries(CLICKS)) {
  byId(id).addEventListener("click", () => { pause(); act(); });
}
byId("play").addEventListener("click", togglePlay);
slider.addEventListener("input", () => { pause(); go(Number(slider.value)); });
addEventListener("hashchange", () => {
  clearTimeout(noting);
  pause();
  go(addressed() ?? current);
});

slider.max = LAST;
byId("islands").dataset.players = players.length;
document.body.classList.toggle("broken", findings.length > 0);
verdict();
go(addressed() ?? (findings.length ? LAST : 1));
