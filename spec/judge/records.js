"use strict"

// The shapes of the records (F-SHAPE). A shape is "text" or "integer", a list of a shape, an object
// with exactly these fields, or a table from any key to a shape. Which players, cells, colours and
// tiles exist is no matter of shape.

const { isObject } = require("./json")
const { Fault } = require("./fault")

const FORMAT = "karuba-log/1"

const list = (of) => ({ list: of })
const fields = (of) => ({ fields: of })
const table = (of) => ({ table: of })

const numbers = fields({ beach: "integer", jungle: "integer" })
const award = fields({ player: "text", temple: "text", token: "integer", crystals: "integer" })
const score = fields({
  temples: "integer", crystals: "integer", gold: "integer", total: "integer", tiles: "integer",
})

const OPENING = {
  "game-started": {
    format: "text",
    players: list("text"),
    leader: "text",
    layout: fields({ blue: numbers, brown: numbers, purple: numbers, yellow: numbers }),
    rules: fields({ pickup: "text", temple_treasures: list("integer"), separation: "text" }),
  },
}

const COMMANDS = {
  draw: { tile: "integer" },
  place: { player: "text", cell: "text" },
  discard: { player: "text" },
  move: { player: "text", adventurer: "text", path: list("text") },
  collect: { player: "text", adventurer: "text" },
  pass: { player: "text" },
}

const EVENTS = {
  "tile-drawn": { round: "integer", tile: "integer" },
  "tile-placed": { player: "text", tile: "integer", cell: "text" },
  "tile-discarded": { player: "text", tile: "integer", steps: "integer" },
  "adventurer-moved": { player: "text", adventurer: "text", path: list("text") },
  "treasure-collected": { player: "text", adventurer: "text", cell: "text", treasure: "text" },
  "turn-passed": { player: "text" },
  "round-ended": { round: "integer", awards: list(award) },
  "game-ended": { reason: "text", scores: table(score), winners: list("text") },
}

const SEAL = { seal: { records: "integer", digest: "text" } }

const KINDS = { opening: OPENING, command: COMMANDS, event: EVENTS, seal: SEAL }

const SHAPES = { __proto__: null, ...OPENING, ...COMMANDS, ...EVENTS, ...SEAL }

const COMMAND_OF_EVENT = {
  "tile-drawn": "draw",
  "tile-placed": "place",
  "tile-discarded": "discard",
  "adventurer-moved": "move",
  "treasure-collected": "collect",
  "turn-passed": "pass",
}

/** What a record of some type is: "opening", "command", "event", "seal", or undefined. */
function kindOf(type) {
  if (typeof type !== "string") return undefined
  return Object.keys(KINDS).find((kind) => Object.hasOwn(KINDS[kind], type))
}

/** Throws the first fault of a record's shape. */
function checkShape(record) {
  if (!isObject(record)) throw wrongType("$", "an object")
  demandField(record, "type", "$")
  check(record.type, "text", "$.type")
  const { type, meta, ...rest } = record
  if ("meta" in record && !isObject(meta)) throw wrongType("$.meta", "an object") // F-META-1
  if (!kindOf(type)) throw new Fault("shape/unknown-type", "F-SHAPE-1", "$.type", "no type of a record")
  if (kindOf(type) === "opening" && typeof rest.format === "string" && rest.format !== FORMAT) {
    throw new Fault("log/unknown-format", "F-LOG-2", "$.format", `the format is not ${FORMAT}`)
  }
  checkFields(rest, SHAPES[type], "$")
}

function check(value, shape, path) {
  if (shape === "text") {
    if (typeof value !== "string") throw wrongType(path, "a string")
  } else if (shape === "integer") {
    if (typeof value !== "number") throw wrongType(path, "an integer") // a Real is an object
  } else if (shape.list) {
    if (!Array.isArray(value)) throw wrongType(path, "a list")
    value.forEach((item, i) => check(item, shape.list, `${path}[${i}]`))
  } else {
    if (!isObject(value)) throw wrongType(path, "an object")
    if (shape.fields) checkFields(value, shape.fields, path)
    else for (const key of Object.keys(value)) check(value[key], shape.table, `${path}.${key}`)
  }
}

function checkFields(object, shapes, path) {
  for (const [name, shape] of Object.entries(shapes)) {
    demandField(object, name, path)
    check(object[name], shape, `${path}.${name}`)
  }
  for (const name of Object.keys(object)) {
    if (!Object.hasOwn(shapes, name)) {
      throw new Fault("shape/unknown-field", "F-SHAPE-2", `${path}.${name}`, `${name} is no field here`)
    }
  }
}

function demandField(object, name, path) {
  if (Object.hasOwn(object, name)) return
  throw new Fault("shape/missing-field", "F-SHAPE-2", `${path}.${name}`, `${name} is missing`)
}

function wrongType(path, wanted) {
  return new Fault("shape/wrong-type", "F-SHAPE-3", path, `${wanted} should stand here`)
}

/** The command that a recorded event tells of: its type and the fields that both have. */
function commandOf(event) {
  const type = COMMAND_OF_EVENT[event.type]
  const names = Object.keys(COMMANDS[type])
  return { type, ...Object.fromEntries(names.map((name) => [name, event[name]])) }
}

module.exports = { kindOf, checkShape, commandOf }
