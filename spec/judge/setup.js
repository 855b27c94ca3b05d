"use strict"

// The setup of a game (R-SETUP-1 to R-SETUP-8): its players, its layout, its rules.

const { COLOURS, isBoardNumber } = require("./board")
const { sameJson } = require("./json")
const { Fault } = require("./fault")

const SEPARATIONS = new Map([
  ["edge-3", ({ beach, jungle }) => edgeWalk(beach, jungle) >= 3],
  ["edge-4", ({ beach, jungle }) => edgeWalk(beach, jungle) >= 4],
  ["value-30", ({ beach, jungle }) => Math.abs(beach - jungle) >= 30],
])

function edgeWalk(beach, jungle) {
  const sum = (beach + jungle) / 10
  return Math.min(sum - 1, 23 - sum)
}

const PICKUPS = ["stop", "landing", "step"]

/** Throws the first fault of a game's setup. */
function checkSetup({ players, leader, layout, rules }) {
  checkPlayers(players)
  demand(players.includes(leader), "setup/leader", "R-SETUP-3", "$.leader")
  checkNumbers(layout)
  checkSeparations(layout, rules.separation)
  demand(PICKUPS.includes(rules.pickup), "setup/pickup", "R-SETUP-7", "$.rules.pickup")
  const stack = rules.temple_treasures
  demand(isStack(stack, players.length), "setup/temple-treasures", "R-SETUP-8", "$.rules.temple_treasures")
  demand(SEPARATIONS.has(rules.separation), "setup/separation-rule", "R-SETUP-6", "$.rules.separation")
}

function checkPlayers(players) {
  demand(players.length >= 2 && players.length <= 4, "setup/player-count", "R-SETUP-1", "$.players")
  players.forEach((player, i) => {
    demand(isName(player), "setup/player-name", "R-SETUP-2", `$.players[${i}]`)
    demand(players.indexOf(player) === i, "setup/player-doubled", "R-SETUP-1", `$.players[${i}]`)
  })
}

function isName(text) {
  const length = [...text].length // code points, not UTF-16 units
  return length >= 1 && length <= 64 && !/[\u0000-\u001f\u007f-\u009f]/.test(text)
}

function checkNumbers(layout) {
  for (const edge of ["beach", "jungle"]) {
    const numbers = COLOURS.map((colour) => layout[colour][edge])
    numbers.forEach((number, i) => {
      const path = `$.layout.${COLOURS[i]}.${edge}`
      demand(isBoardNumber(number), "setup/number", "R-SETUP-4", path)
      demand(numbers.indexOf(number) === i, "setup/number-shared", "R-SETUP-5", path)
    })
  }
}

function checkSeparations(layout, separation) {
  const keeps = SEPARATIONS.get(separation) ?? (() => true) // a separation that is none is told later
  for (const colour of COLOURS) {
    demand(keeps(layout[colour]), "setup/separation", "R-SETUP-6", `$.layout.${colour}`)
  }
}

function isStack(values, players) {
  return values.length >= players && values.length <= 8
    && values.every((value, i) => value >= 1 && value <= 99 && (i === 0 || value <= values[i - 1]))
}

function demand(holds, code, rule, path) {
  if (!holds) throw new Fault(code, rule, path, `${rule} does not hold`)
}

const OFFICIAL = {
  pickup: "stop",
  stacks: { 2: [5, 3], 3: [5, 3, 2], 4: [5, 4, 3, 2] },
  separation: "edge-3",
}
const same = (stack) => ({ 2: stack, 3: stack, 4: stack })

const PRESETS = new Map([
  ["official", OFFICIAL],
  ["seed-002", OFFICIAL],
  ["seed-000", { pickup: "step", stacks: same([5, 4, 3, 2]), separation: "edge-3" }],
  ["seed-001", { pickup: "landing", stacks: same([5, 3, 2, 1]), separation: "edge-4" }],
])

/** Whether an opening's rules are those of a preset, written out for its number of players. */
function hasPreset({ players, rules }, name) {
  const { pickup, stacks, separation } = PRESETS.get(name)
  return sameJson(rules, { pickup, temple_treasures: stacks[players.length], separation })
}

module.exports = { checkSetup, hasPreset, PRESETS }
