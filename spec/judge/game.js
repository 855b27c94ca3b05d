"use strict"

// The state of a game and its fold: what each event changes, what is due, the score.
// Events that come here have been judged; nothing is tested again.

const { COLOURS, TILES } = require("./board")

/** The state after an opening (R-SETUP-9). */
function newGame(opening) {
  return {
    opening,
    drawn: [], // the tiles, in order; their number is the round
    roundOpen: false, // from a draw to its round-ended
    over: null, // the game-ended, once it stands
    islands: new Map(opening.players.map((player) => [player, newIsland()])),
    temples: new Map(COLOURS.map((colour) => [colour, [...opening.rules.temple_treasures]])),
    arrivals: [], // of this round: { player, colour }
    awards: [],
  }
}

function newIsland() {
  return {
    tiles: new Map(), // from cell to tile
    treasures: new Map(), // from cell to what lies there
    adventurers: new Map(COLOURS.map((colour) => [colour, "beach"])), // a cell, "beach" or "temple"
    collected: { crystal: 0, gold: 0 },
    turn: { ...newTurn(), stage: "closed" }, // no round is open
  }
}

function newTurn() {
  return { stage: "to-play", steps: 0, adventurer: null, moved: false }
}

/** Folds one event into the state. */
function apply(game, event) {
  FOLDS[event.type](game, event, game.islands.get(event.player))
}

const FOLDS = {
  "tile-drawn"(game, { tile }) {
    game.drawn.push(tile)
    game.roundOpen = true
    game.arrivals = []
    for (const island of game.islands.values()) island.turn = newTurn() // R-DRAW-4
  },

  "tile-placed"(game, { tile, cell }, island) {
    const { treasure } = TILES.get(tile)
    island.tiles.set(cell, tile)
    if (treasure) island.treasures.set(cell, treasure)
    close(island.turn) // R-PLACE-3
  },

  "tile-discarded"(game, { steps }, { turn }) {
    Object.assign(turn, { stage: "walking", steps })
  },

  "adventurer-moved"(game, { player, adventurer, path }, island) {
    const { turn } = island
    const end = path.at(-1)
    island.adventurers.set(adventurer, end)
    turn.steps -= path.length // R-MOVE-5
    turn.adventurer = adventurer
    turn.moved = true
    if (end === "temple") {
      game.arrivals.push({ player, colour: adventurer })
      close(turn) // R-MOVE-8
    } else if (turn.steps === 0 && !(mustStopToCollect(game) && island.treasures.has(end))) {
      close(turn) // R-CLOSE-1
    }
  },

  "treasure-collected"(game, { adventurer, cell, treasure }, island) {
    const { turn } = island
    island.treasures.delete(cell)
    island.collected[treasure] += 1
    turn.adventurer = adventurer
    turn.steps -= 1 // R-COLLECT-4; by the other rules they all lapse
    if (mustStopToCollect(game) || turn.steps === 0) close(turn) // R-COLLECT-3, R-CLOSE-1
  },

  "turn-passed"(game, event, { turn }) {
    close(turn) // R-PASS-1
  },

  "round-ended"(game, { awards }) {
    game.roundOpen = false
    game.awards.push(...awards)
    for (const { temple } of awards) game.temples.get(temple).shift()
  },

  "game-ended"(game, event) {
    game.over = event
  },
}

function close(turn) {
  Object.assign(turn, { stage: "closed", steps: 0, adventurer: null })
}

/** Whether collecting ends the walk, by `stop` and `landing`; by `step` it is a step of it. */
function mustStopToCollect(game) {
  return game.opening.rules.pickup !== "step"
}

/** The event that is due now, whole, or null: the end of a round or of the game. */
function due(game) {
  if (game.over || game.drawn.length === 0) return null
  const islands = [...game.islands.values()]
  if (game.roundOpen) {
    return islands.every(({ turn }) => turn.stage === "closed") ? roundEnded(game) : null // R-CLOSE-2
  }
  if (islands.some(isAllHome)) return gameEnded(game, "all-home") // R-END-1
  return game.drawn.length === TILES.size ? gameEnded(game, "tiles-exhausted") : null // R-END-2
}

function isAllHome({ adventurers }) {
  return [...adventurers.values()].every((place) => place === "temple")
}

function roundEnded(game) {
  const awards = COLOURS.flatMap((colour) => templeAwards(game, colour))
  return { type: "round-ended", round: game.drawn.length, awards }
}

/** What one temple gives: the top tokens in seating order, all worth the first (R-AWARD). */
function templeAwards(game, colour) {
  const stack = game.temples.get(colour)
  const arrived = game.opening.players.filter((player) =>
    game.arrivals.some((arrival) => arrival.player === player && arrival.colour === colour))
  return arrived.map((player, i) => {
    return { player, temple: colour, token: stack[i], crystals: stack[0] - stack[i] }
  })
}

function gameEnded(game, reason) {
  const scores = scoresOf(game)
  const { players } = game.opening
  const best = (among, number) => {
    const most = Math.max(...among.map((player) => scores[player][number]))
    return among.filter((player) => scores[player][number] === most)
  }
  const winners = best(best(players, "total"), "tiles") // R-SCORE-2
  return { type: "game-ended", reason, scores, winners }
}

/** The scores as they stand, by player (R-SCORE-1). */
function scoresOf(game) {
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)
  return Object.fromEntries([...game.islands].map(([player, { tiles, collected }]) => {
    const awards = game.awards.filter((award) => award.player === player)
    const temples = sum(awards.map(({ token }) => token))
    const crystals = collected.crystal + sum(awards.map((award) => award.crystals))
    const { gold } = collected
    return [player, { temples, crystals, gold, total: temples + crystals + 2 * gold, tiles: tiles.size }]
  }))
}

module.exports = { newGame, apply, due, scoresOf, mustStopToCollect }
