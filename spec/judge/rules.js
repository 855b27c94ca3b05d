"use strict"

// What the rules say of a command, and of a recorded event. The guards stand in the order of the
// specification: the first that fails names the code.

const { COLOURS, CELLS, TILES, OPPOSITE, beachGate, jungleGate, sideTowards } = require("./board")
const { apply, due, mustStopToCollect } = require("./game")
const { commandOf } = require("./records")
const { sameJson } = require("./json")
const { Fault } = require("./fault")

/** The event that a command yields, or a Fault; the state stays as it is. */
function decide(game, command) {
  guard(!due(game), "rule/event-due", "R-JUDGE-1") // before all guards of any command
  return { type: EVENT_OF_COMMAND[command.type], ...DECISIONS[command.type](game, command) }
}

const EVENT_OF_COMMAND = {
  draw: "tile-drawn",
  place: "tile-placed",
  discard: "tile-discarded",
  move: "adventurer-moved",
  collect: "treasure-collected",
  pass: "turn-passed",
}

const DECISIONS = {
  draw(game, { tile }) {
    guard(!game.over, "rule/game-over", "R-END-3")
    guard(!game.roundOpen, "rule/round-open", "R-DRAW-1")
    guard(TILES.has(tile), "rule/unknown-tile", "R-DRAW-2", "$.tile")
    guard(!game.drawn.includes(tile), "rule/tile-drawn", "R-DRAW-3", "$.tile")
    return { round: game.drawn.length + 1, tile }
  },

  place(game, { player, cell }) {
    const island = islandToPlay(game, player)
    guard(CELLS.includes(cell), "rule/unknown-cell", "R-PLACE-1", "$.cell")
    guard(!island.tiles.has(cell), "rule/cell-occupied", "R-PLACE-2", "$.cell")
    return { player, tile: game.drawn.at(-1), cell }
  },

  discard(game, { player }) {
    islandToPlay(game, player)
    const tile = game.drawn.at(-1)
    return { player, tile, steps: TILES.get(tile).exits.length } // R-DISCARD-1
  },

  move(game, { player, adventurer, path }) {
    const island = islandToWalk(game, player)
    guardAdventurer(island, adventurer)
    guard(island.adventurers.get(adventurer) !== "temple", "rule/already-home", "R-MOVE-3", "$.adventurer")
    guardPath(path)
    guard(path.length <= island.turn.steps, "rule/too-few-steps", "R-MOVE-5", "$.path")
    let place = island.adventurers.get(adventurer)
    path.forEach((entry, i) => {
      const numbers = game.opening.layout[adventurer]
      guard(isStep(island, numbers, place, entry), "rule/no-way", "R-MOVE-6", `$.path[${i}]`)
      guard(!isHeld(island, adventurer, entry), "rule/cell-held", "R-MOVE-7", `$.path[${i}]`)
      place = entry
    })
    return { player, adventurer, path }
  },

  collect(game, { player, adventurer }) {
    const island = islandToWalk(game, player)
    guardAdventurer(island, adventurer)
    // R-MOVE-2 has held: where somebody moved in this turn, it was this adventurer.
    guard(island.turn.moved || !mustStopToCollect(game), "rule/not-moved", "R-COLLECT-2", "$.adventurer")
    const cell = island.adventurers.get(adventurer)
    guard(island.treasures.has(cell), "rule/no-treasure", "R-COLLECT-1", "$.adventurer")
    return { player, adventurer, cell, treasure: island.treasures.get(cell) }
  },

  pass(game, { player }) {
    const { turn, adventurers, treasures } = islandToWalk(game, player)
    const onTreasure = turn.moved && treasures.has(adventurers.get(turn.adventurer))
    guard(game.opening.rules.pickup !== "landing" || !onTreasure, "rule/must-collect", "R-PASS-2")
    return { player }
  },
}

function guard(holds, code, rule, path = "$") {
  if (!holds) throw new Fault(code, rule, path, `${rule} forbids it`)
}

/** The guards that all commands of a turn share. */
function islandOf(game, player) {
  guard(!game.over, "rule/game-over", "R-END-3")
  guard(game.roundOpen, "rule/no-round", "R-TURN-1")
  guard(game.islands.has(player), "rule/unknown-player", "R-TURN-2", "$.player")
  return game.islands.get(player)
}

function islandToPlay(game, player) {
  const island = islandOf(game, player)
  guard(island.turn.stage === "to-play", "rule/already-played", "R-TURN-3", "$.player")
  return island
}

function islandToWalk(game, player) {
  const island = islandOf(game, player)
  guard(island.turn.stage !== "to-play", "rule/not-discarded", "R-TURN-4", "$.player")
  guard(island.turn.stage === "walking", "rule/turn-closed", "R-TURN-5", "$.player")
  return island
}

function guardAdventurer({ turn }, adventurer) {
  guard(COLOURS.includes(adventurer), "rule/unknown-adventurer", "R-MOVE-1", "$.adventurer")
  const free = turn.adventurer === null || turn.adventurer === adventurer
  guard(free, "rule/other-adventurer", "R-MOVE-2", "$.adventurer")
}

function guardPath(path) {
  guard(path.length > 0, "rule/empty-path", "R-MOVE-4", "$.path")
  path.forEach((entry, i) => {
    guard(path[i - 1] !== "temple", "rule/beyond-temple", "R-MOVE-4", `$.path[${i}]`)
    guard(entry === "temple" || CELLS.includes(entry), "rule/unknown-cell", "R-MOVE-4", `$.path[${i}]`)
  })
}

/** Whether a step leads from a place to an entry, for the adventurer with these numbers (R-MOVE-6). */
function isStep(island, { beach, jungle }, place, entry) {
  if (place === "beach") {
    const gate = beachGate(beach)
    return entry === gate.cell && hasExit(island, gate.cell, gate.side)
  }
  if (entry === "temple") {
    const gate = jungleGate(jungle)
    return place === gate.cell && hasExit(island, gate.cell, gate.side)
  }
  const side = sideTowards(place, entry)
  return side !== undefined && hasExit(island, place, side) && hasExit(island, entry, OPPOSITE[side])
}

function hasExit({ tiles }, cell, side) {
  return tiles.has(cell) && TILES.get(tiles.get(cell)).exits.includes(side)
}

/** Whether another own adventurer stands on the cell (R-MOVE-7); beach and temple have room for all. */
function isHeld({ adventurers }, adventurer, entry) {
  return entry !== "temple"
    && [...adventurers].some(([colour, place]) => colour !== adventurer && place === entry)
}

/** Plays a command: folds in its event and all that is due after it, and gives these events. */
function play(game, command) {
  const events = [decide(game, command)]
  apply(game, events[0])
  for (let next = due(game); next; next = due(game)) {
    apply(game, next)
    events.push(next)
  }
  return events
}

/** Judges a recorded event against what the rules yield (R-JUDGE), and folds it in. */
function record(game, event) {
  const yielded = dueBefore(game, event) ?? decide(game, commandOf(event))
  for (const name of Object.keys(yielded)) {
    guard(sameJson(event[name], yielded[name]), "mismatch/value", "R-JUDGE-3", `$.${name}`)
  }
  apply(game, yielded)
}

/** The due event, where this one takes its place; null where none is due and none claims to be. */
function dueBefore(game, event) {
  const next = due(game)
  if (next) {
    guard(event.type === next.type, "mismatch/overdue", "R-JUDGE-1")
    return next
  }
  guard(event.type !== "round-ended" && event.type !== "game-ended", "mismatch/not-due", "R-JUDGE-2")
  return null
}

module.exports = { decide, play, record, isStep, isHeld }
