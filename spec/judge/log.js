"use strict"

// The judge of logs: bytes in, one report for each log. A log is judged up to its first fault; what
// follows is only looked through for the place where the next log begins (F-LOG-6).

const { createHash } = require("node:crypto")
const { readJson } = require("./json")
const { Fault } = require("./fault")
const { kindOf, checkShape } = require("./records")
const { checkSetup, hasPreset } = require("./setup")
const { newGame } = require("./game")
const { play, record: recordEvent } = require("./rules")

const LONGEST_LINE = 1024 * 1024 // bytes, the line feed not counted (F-TEXT-6)
const DEEPEST_LEVEL = 128
const LF = 10

/**
 * Judges a stream of logs and gives a report for each: its verdict, and line and code of the first
 * finding where there is one. `wishes` may hold requireFinished and requireRules (a preset's name).
 */
function judgeLogs(bytes, wishes = {}) {
  const logs = []
  for (const line of linesOf(bytes)) {
    const { value, fault } = readLine(line.text)
    const type = fault ? seemingType(line.text) : value?.type
    const opens = type === "game-started"
    if (logs.length === 0 || (opens && mayEnd(logs.at(-1)))) logs.push(newLog(line.start))
    const log = logs.at(-1)
    log.lastLine = line.number
    if (!log.finding) take(log, bytes, line, value, fault)
    notice(log, type)
  }
  if (logs.length === 0) return [emptyReport()]
  return logs.map((log) => report(log, wishes))
}

function* linesOf(bytes) {
  for (let start = 0, number = 1; start < bytes.length; number += 1) {
    const feed = bytes.indexOf(LF, start)
    const end = feed < 0 ? bytes.length : feed
    yield { number, start, text: bytes.subarray(start, end) }
    start = end + 1
  }
}

function newLog(start) {
  return {
    start, // the offset of its first byte, for the seal
    records: 0, // that were right
    lastLine: 0,
    finding: null, // the first fault: { line, fault }
    game: null, // once its opening was right
    openingLine: 0,
    sealed: false,
    kind: null, // "event" or "command", by the first record after the opening (F-LOG-5)
    endSeen: false, // a game-ended or a seal, right or wrong
  }
}

/** Whether an opening now begins the next log (F-LOG-3, F-LOG-6). */
function mayEnd(log) {
  return log.endSeen || Boolean(log.game?.over) || (log.finding !== null && log.kind === "command")
}

/** Keeps what decides where the log ends, of right records and of wrong ones: their types. */
function notice(log, type) {
  const kind = kindOf(type)
  if (kind === "event" || kind === "command") log.kind ??= kind
  if (kind === "seal" || type === "game-ended") log.endSeen = true
}

/** The type of a line with a fault of text: the first that stands in it (F-LOG-6). */
function seemingType(bytes) {
  const text = bytes.subarray(0, LONGEST_LINE).toString("latin1")
  return /"type"[ \t\r]*:[ \t\r]*"([^"]*)"/.exec(text)?.[1]
}

/** The JSON value of a line, or its fault. */
function readLine(bytes) {
  try {
    return { value: readText(bytes) }
  } catch (fault) {
    if (fault instanceof Fault) return { fault }
    throw fault
  }
}

function readText(bytes) {
  demand(bytes.length <= LONGEST_LINE, "text/line-too-long", "F-TEXT-6", "longer than 1 MiB")
  const text = decode(bytes)
  demand(!/^[ \t\r]*\ufeff/.test(text), "text/byte-order-mark", "F-TEXT-3", "a byte order mark")
  demand(/[^ \t\r]/.test(text), "text/blank-line", "F-TEXT-3", "nothing but white space")
  return readJson(text, DEEPEST_LEVEL)
}

function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Fault("text/not-utf8", "F-TEXT-2", "$", "these bytes are not UTF-8")
  }
}

/** Judges the next line of a log that had no fault so far: text, then shape, then order, then rules. */
function take(log, bytes, line, value, textFault) {
  try {
    if (textFault) throw textFault
    checkShape(value)
    if (!log.game) open(log, line.number, value)
    else follow(log, bytes.subarray(log.start, line.start), value)
    log.records += 1
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault
    log.finding = { line: line.number, fault }
  }
}

function open(log, line, record) {
  log.game = openGame(record)
  log.openingLine = line
}

/** The game that an opening record begins, or a Fault. Its shape has been checked. */
function openGame(record) {
  demand(kindOf(record.type) === "opening", "log/no-opening", "F-LOG-1", "a log begins with game-started")
  checkSetup(record)
  return newGame(record)
}

function follow(log, bytesBefore, record) {
  const kind = kindOf(record.type)
  demand(kind !== "opening", "log/second-opening", "F-LOG-3", "the game has its opening already")
  demand(!log.sealed, "log/after-seal", "F-SEAL-2", "a seal is the last record")
  if (kind === "seal") {
    checkSeal(record, log.records, bytesBefore)
    log.sealed = true
    return
  }
  demand(!log.game.over, "log/after-end", "F-LOG-4", "the game is over")
  demand(kind === (log.kind ?? kind), "log/mixed-kinds", "F-LOG-5", `this is a log of ${log.kind}s`)
  if (kind === "event") recordEvent(log.game, record)
  else play(log.game, record)
}

function checkSeal(seal, records, bytesBefore) {
  const digest = `sha256:${createHash("sha256").update(bytesBefore).digest("hex")}`
  demand(seal.records === records, "log/wrong-seal", "F-SEAL-1", `${records} records stand before the seal`)
  demand(seal.digest === digest, "log/wrong-seal", "F-SEAL-1", `the digest would be ${digest}`)
}

/** The report of a log. What is required makes findings, not verdicts (F-LOG-7, F-LOG-8). */
function report(log, { requireFinished, requireRules }) {
  const { game, finding } = log
  const verdict = finding ? "invalid" : game.over ? "valid" : "incomplete"
  const findings = []
  if (requireRules && game && !hasPreset(game.opening, requireRules)) {
    findings.push({ line: log.openingLine, code: "log/other-rules" })
  }
  if (finding) findings.push({ line: finding.line, code: finding.fault.code })
  if (requireFinished && verdict === "incomplete") {
    findings.push({ line: log.lastLine, code: "log/unfinished" })
  }
  return { verdict, ...findings[0] }
}

function emptyReport() {
  return { verdict: "invalid", line: 1, code: "log/no-opening" } // F-LOG-1
}

function demand(holds, code, clause, message) {
  if (!holds) throw new Fault(code, clause, "$", message)
}

module.exports = { judgeLogs, openGame }
