"use strict"

// The board and the tiles (R-BOARD, R-TILE).

/** The colours, in the order that matters where one does (R-BOARD-4). */
const COLOURS = ["blue", "brown", "purple", "yellow"]

const COLUMNS = "abcdef"
const ROWS = "12345"

/** The 30 cells, a1 to f5 (R-BOARD-1). */
const CELLS = [...ROWS].flatMap((row) => [...COLUMNS].map((column) => column + row))

const TILE_TABLE = `
  1 2 19 20:   EW
  13 15:       EW    crystal
  14 16:       EW    gold
  17 18 35 36: NS
  31 33:       NS    crystal
  32 34:       NS    gold
  3:           ES    crystal
  21:          ES
  4:           SW    crystal
  22:          SW
  9 27:        NE    crystal
  10:          NW    crystal
  28:          NW
  5 6:         ESW
  11:          NEW   crystal
  12:          NEW
  23 29:       NES
  24 30:       NSW
  7 8 25 26:   NESW`

/** From a tile's number to its exits and its treasure, which may be undefined (R-TILE-1, R-TILE-2). */
const TILES = new Map(
  TILE_TABLE.trim().split("\n").flatMap((line) => {
    const [numbers, print] = line.split(":")
    const [exits, treasure] = print.trim().split(/ +/)
    return numbers.trim().split(" ").map((number) => [Number(number), { exits, treasure }])
  }),
)

/** Whether a number of the board: 10 to 110 in tens, on the beach as in the jungle. */
function isBoardNumber(number) {
  return number % 10 === 0 && number >= 10 && number <= 110
}

/** The cell at a beach number and its side towards the beach (R-BOARD-2). */
function beachGate(number) {
  const place = number / 10
  return place <= 5 ? { cell: `a${place}`, side: "W" } : { cell: `${COLUMNS[place - 6]}5`, side: "S" }
}

/** The cell at a jungle number and its side towards the temple (R-BOARD-3). */
function jungleGate(number) {
  const place = number / 10
  return place <= 6 ? { cell: `${COLUMNS[place - 1]}1`, side: "N" } : { cell: `f${place - 6}`, side: "E" }
}

const OPPOSITE = { N: "S", S: "N", E: "W", W: "E" }

/** The side of a cell at which another cell lies, or undefined where the two are no neighbours. */
function sideTowards(cell, other) {
  const right = COLUMNS.indexOf(other[0]) - COLUMNS.indexOf(cell[0])
  const down = ROWS.indexOf(other[1]) - ROWS.indexOf(cell[1])
  return { "1,0": "E", "-1,0": "W", "0,1": "S", "0,-1": "N" }[`${right},${down}`]
}

module.exports = { COLOURS, CELLS, TILES, OPPOSITE, isBoardNumber, beachGate, jungleGate, sideTowards }
