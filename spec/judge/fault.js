"use strict"

/** What is wrong with a line or a command: a code, the rule that says so, and where. */
class Fault extends Error {
  constructor(code, rule, path, message) {
    super(message)
    this.code = code
    this.rule = rule
    this.path = path
  }
}

module.exports = { Fault }
