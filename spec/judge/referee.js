"use strict"

// The referee: a request a line in, an answer a line out. Nothing that comes in is fatal.

const { readJson, writeJson, isObject } = require("./json")
const { Fault } = require("./fault")
const { kindOf, checkShape } = require("./records")
const { play, record: recordEvent } = require("./rules")
const { judgeLogs, openGame } = require("./log")
const { legalCommands } = require("./legal")
const { PRESETS } = require("./setup")
const { stateOf } = require("./state")

const DEEPEST_REQUEST = 1000 // a record stands deeper in a request than in a log

// The members of each request beside its id; the first of them names what is asked.
const REQUESTS = {
  when: ["when", "given"],
  ask: ["ask", "given"],
  log: ["log", "require_finished", "require_rules"],
  base64: ["base64", "require_finished", "require_rules"],
}

/** The answer, JSON text, to a request, the bytes of a line. */
function answer(bytes) {
  let id = null
  try {
    const request = readRequest(bytes)
    id = request.id ?? null
    return writeJson({ id, ...answerTo(request) })
  } catch (error) {
    return writeJson({ id, error: error.message, ...(error instanceof Fault && { code: error.code }) })
  }
}

function readRequest(bytes) {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  const request = readOrExplain(text)
  if (!isObject(request)) throw new Error("a request is a JSON object")
  return request
}

/** The JSON value of a request's text. Codes are for records; here the message has to do. */
function readOrExplain(text) {
  try {
    return readJson(text, DEEPEST_REQUEST)
  } catch (fault) {
    throw new Error(fault.message)
  }
}

function answerTo({ id, ...members }) {
  if (id === undefined) throw new Error("a request has an id")
  const asked = Object.keys(REQUESTS).filter((name) => name in members)
  if (asked.length !== 1) throw new Error("a request asks one thing: when, ask, log or base64")
  const strange = Object.keys(members).find((name) => !REQUESTS[asked[0]].includes(name))
  if (strange !== undefined) throw new Error(`${strange} is no member of this request`)
  return ANSWERS[asked[0]](members)
}

const ANSWERS = {
  when({ given, when }) {
    const game = gameAfter(given)
    try {
      checkShape(when)
      return { events: step(game, when).events }
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault
      const { code, rule, path, message } = fault
      return { code, rule, path, message }
    }
  },

  ask({ given, ask }) {
    if (ask !== "legal" && ask !== "state") throw new Error("the asks are legal and state")
    const game = gameAfter(given)
    if (!game) throw new Fault("log/no-opening", "F-LOG-1", "$", "there is no game before its opening")
    return ask === "legal" ? { legal: legalCommands(game) } : { state: stateOf(game) }
  },

  log({ log, ...wishes }) {
    if (typeof log !== "string") throw new Error("log is a text")
    return firstReport(Buffer.from(log), wishes)
  },

  base64({ base64, ...wishes }) {
    const bytes = Buffer.from(String(base64), "base64") // lenient, so that the way back is the test
    if (bytes.toString("base64") !== base64) throw new Error("base64 is no base64")
    return firstReport(bytes, wishes)
  },
}

function firstReport(bytes, { require_finished: requireFinished = false, require_rules: requireRules }) {
  if (typeof requireFinished !== "boolean") throw new Error("require_finished is true or false")
  const named = requireRules === undefined || PRESETS.has(requireRules)
  if (!named) throw new Error("require_rules names a preset")
  return judgeLogs(bytes, { requireFinished, requireRules })[0]
}

/** The game after the events given, or null after none. They are judged, never trusted. */
function gameAfter(given) {
  if (!Array.isArray(given)) throw new Error("given is a list of events")
  let game = null
  given.forEach((event, i) => {
    try {
      checkShape(event)
      if (kindOf(event.type) === "command") throw new Error("a command is no event")
      game = step(game, event).game
    } catch (error) {
      error.message = `given[${i}]: ${error.message}`
      throw error
    }
  })
  return game
}

/** What the rules say of a record of the right shape: the game after it, and the events that it stands for. */
function step(game, record) {
  const kind = kindOf(record.type)
  if (kind === "seal") throw new Error("a seal belongs to a log, not to the rules")
  if (!game) return { game: openGame(record), events: [record] }
  if (kind === "opening") {
    throw new Fault("log/second-opening", "F-LOG-3", "$", "the game has its opening already")
  }
  if (kind === "command") return { game, events: play(game, record) }
  recordEvent(game, record)
  return { game, events: [record] }
}

module.exports = { answer }
