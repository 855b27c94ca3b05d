"use strict"

// A strict reader of JSON text (F-TEXT). JSON.parse will not do: it takes doubled keys and lone
// surrogates, it cannot tell 1.0 from 1, and it rounds 2^53 + 1 silently.
//
// Objects come without a prototype, so that "__proto__" is a key like any other. A number written
// with a fraction or an exponent comes as a Real, so that nobody takes it for an integer (F-SHAPE-3).

const { Fault } = require("./fault")

/** A number that is no integer, kept as it was written. */
class Real {
  constructor(text) {
    this.text = text
  }
}

/** The JSON value of a text in which objects and arrays nest at most `levels` deep, or a Fault. */
function readJson(text, levels) {
  // Measured before the reading, so that no nesting can exhaust the stack (F-TEXT-6).
  if (depthOf(text) > levels) {
    throw new Fault("text/too-deep", "F-TEXT-6", "$", `nested deeper than ${levels} levels`)
  }
  const cursor = { text, at: 0, finding: null }
  const value = readValue(cursor)
  skipSpace(cursor)
  if (cursor.at < text.length) throw notJson(cursor)
  // Doubled keys and the like are found in JSON only: a text that is none is told as that.
  if (cursor.finding) throw cursor.finding
  return value
}

/** How many brackets are open at once, those in strings left out. */
function depthOf(text) {
  let [level, deepest] = [0, 0]
  for (const mark of text.replace(/\\["\\]/g, "").replace(/"[^"]*"?/g, "")) {
    if (mark === "{" || mark === "[") deepest = Math.max(deepest, (level += 1))
    else if (mark === "}" || mark === "]") level -= 1
  }
  return deepest
}

function readValue(cursor) {
  skipSpace(cursor)
  const start = cursor.text[cursor.at]
  if (start === "{") return readObject(cursor)
  if (start === "[") return readArray(cursor)
  if (start === '"') return readString(cursor)
  if (start in WORDS) return readWord(cursor, start)
  return readNumber(cursor)
}

function readObject(cursor) {
  const object = Object.create(null)
  cursor.at += 1
  if (skipMark(cursor, "}")) return object
  do {
    skipSpace(cursor)
    if (cursor.text[cursor.at] !== '"') throw notJson(cursor)
    const key = readString(cursor)
    if (key in object) note(cursor, "text/doubled-key", "F-TEXT-4", `the key ${key} stands twice`)
    if (!skipMark(cursor, ":")) throw notJson(cursor)
    object[key] = readValue(cursor)
  } while (skipMark(cursor, ","))
  if (!skipMark(cursor, "}")) throw notJson(cursor)
  return object
}

function readArray(cursor) {
  const array = []
  cursor.at += 1
  if (skipMark(cursor, "]")) return array
  do array.push(readValue(cursor))
  while (skipMark(cursor, ","))
  if (!skipMark(cursor, "]")) throw notJson(cursor)
  return array
}

function readString(cursor) {
  let string = ""
  let from = cursor.at + 1
  for (cursor.at = from; cursor.text[cursor.at] !== '"'; ) {
    const character = cursor.text[cursor.at]
    if (character === undefined || character < " ") throw notJson(cursor)
    if (character === "\\") {
      string += cursor.text.slice(from, cursor.at) + readEscape(cursor)
      from = cursor.at
    } else {
      cursor.at += 1
    }
  }
  string += cursor.text.slice(from, cursor.at)
  cursor.at += 1
  // The text came from UTF-8, so half a pair can only have come from an escape (F-TEXT-2).
  if (/\p{Surrogate}/u.test(string)) note(cursor, "text/lone-surrogate", "F-TEXT-2", "half a surrogate pair")
  return string
}

const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }

function readEscape(cursor) {
  const letter = cursor.text[cursor.at + 1]
  if (letter === "u") {
    const digits = cursor.text.slice(cursor.at + 2, cursor.at + 6)
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw notJson(cursor)
    cursor.at += 6
    return String.fromCharCode(parseInt(digits, 16))
  }
  if (!Object.hasOwn(ESCAPES, letter)) throw notJson(cursor)
  cursor.at += 2
  return ESCAPES[letter]
}

const WORDS = { __proto__: null, t: ["true", true], f: ["false", false], n: ["null", null] }

function readWord(cursor, letter) {
  const [word, value] = WORDS[letter]
  if (!cursor.text.startsWith(word, cursor.at)) throw notJson(cursor)
  cursor.at += word.length
  return value
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y

function readNumber(cursor) {
  NUMBER.lastIndex = cursor.at
  const match = NUMBER.exec(cursor.text)
  if (!match) throw notJson(cursor)
  const [text, fraction, exponent] = match
  cursor.at += text.length
  const integer = fraction === undefined && exponent === undefined
  const inRange = integer ? Number.isSafeInteger(Number(text)) : Number.isFinite(Number(text))
  if (!inRange) note(cursor, "text/number-out-of-range", "F-TEXT-5", "a number out of range")
  return integer ? Number(text) + 0 : new Real(text) // -0 + 0 is 0
}

function skipSpace(cursor) {
  while (" \t\r\n".includes(cursor.text[cursor.at] ?? "end")) cursor.at += 1
}

function skipMark(cursor, mark) {
  skipSpace(cursor)
  if (cursor.text[cursor.at] !== mark) return false
  cursor.at += 1
  return true
}

function notJson(cursor) {
  return new Fault("text/not-json", "F-TEXT-1", "$", `no JSON at character ${cursor.at + 1}`)
}

/** Keeps a finding, where its clause comes before that of the one kept so far. */
function note(cursor, code, clause, message) {
  if (cursor.finding && cursor.finding.rule <= clause) return
  cursor.finding = new Fault(code, clause, "$", message)
}

/** Compact JSON of a value: what readJson gives, or plain objects and arrays. */
function writeJson(value) {
  if (value instanceof Real) return value.text
  if (Array.isArray(value)) return `[${value.map(writeJson).join(",")}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${writeJson(member)}`,
  )
  return `{${members.join(",")}}`
}

/** Whether a value is a JSON object. */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Real)
}

/** Whether two values are the same JSON value; key order never matters (F-TEXT-1). */
function sameJson(one, other) {
  if (Array.isArray(one)) {
    return Array.isArray(other)
      && one.length === other.length
      && one.every((item, i) => sameJson(item, other[i]))
  }
  if (!isObject(one)) return one === other
  if (!isObject(other)) return false
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length
    && keys.every((key) => Object.hasOwn(other, key) && sameJson(one[key], other[key]))
}

module.exports = { readJson, writeJson, isObject, sameJson, Real }
