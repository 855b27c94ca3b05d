"use strict"

// All commands that are legal now: candidates in the game's order, sifted by the rules themselves.

const { COLOURS, CELLS, TILES } = require("./board")
const { decide, isStep, isHeld } = require("./rules")
const { Fault } = require("./fault")

/** The legal commands of a state: draws, and for each player what the turn allows. */
function legalCommands(game) {
  const draws = [...TILES.keys()].sort((a, b) => a - b).map((tile) => ({ type: "draw", tile }))
  const turns = game.opening.players.flatMap((player) => [
    ...CELLS.map((cell) => ({ type: "place", player, cell })),
    { type: "discard", player },
    ...COLOURS.flatMap((adventurer) =>
      shortestPaths(game, player, adventurer).map((path) => ({ type: "move", player, adventurer, path }))),
    ...COLOURS.map((adventurer) => ({ type: "collect", player, adventurer })),
    { type: "pass", player },
  ])
  return [...draws, ...turns].filter((command) => isLegal(game, command))
}

function isLegal(game, command) {
  try {
    decide(game, command)
    return true
  } catch (fault) {
    if (fault instanceof Fault) return false
    throw fault
  }
}

/** One shortest path to each end in reach. The cell where the walk begins is an end too: out and back. */
function shortestPaths(game, player, adventurer) {
  const island = game.islands.get(player)
  const numbers = game.opening.layout[adventurer]
  const start = island.adventurers.get(adventurer)
  if (start === "temple") return []
  const paths = new Map() // from end to path, shortest first
  let edge = [[start, []]]
  for (let steps = 1; steps <= island.turn.steps; steps += 1) {
    const further = []
    for (const [place, path] of edge) {
      if (place === "temple") continue
      for (const entry of [...CELLS, "temple"]) {
        if (paths.has(entry) || !isStep(island, numbers, place, entry)) continue
        if (isHeld(island, adventurer, entry)) continue
        paths.set(entry, [...path, entry])
        further.push([entry, paths.get(entry)])
      }
    }
    edge = further
  }
  return [...paths.values()]
}

module.exports = { legalCommands }
