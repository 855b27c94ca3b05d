"use strict"

const { due, scoresOf } = require("./game")

/** The state of a game in its one JSON form, karuba-state/1. */
function stateOf(game) {
  const { players, leader, layout, rules } = game.opening
  return {
    format: "karuba-state/1",
    players,
    leader,
    layout,
    rules,
    phase: game.over ? "over" : game.roundOpen ? "turns" : "draw",
    round: game.drawn.length,
    drawn: game.drawn,
    due: due(game)?.type ?? null,
    islands: byKey(game.islands, islandState),
    temple_treasures: byKey(game.temples),
    awards: game.awards,
    scores: scoresOf(game),
    reason: game.over?.reason ?? null,
    winners: game.over?.winners ?? [],
  }
}

function islandState({ tiles, treasures, adventurers, turn: { stage, steps, adventurer } }) {
  return {
    tiles: byKey(tiles),
    treasures: byKey(treasures),
    adventurers: byKey(adventurers),
    turn: { stage, steps, adventurer },
  }
}

function byKey(map, show = (value) => value) {
  return Object.fromEntries([...map].map(([key, value]) => [key, show(value)]))
}

module.exports = { stateOf }
