"use strict"

// The command line: `validate FILE...` and `referee`.

const fs = require("node:fs")
const { judgeLogs } = require("./log")
const { answer } = require("./referee")

const UNREAD = [{ verdict: "unread", line: 1, code: "log/unreadable" }] // F-FILE-1

/** Prints a line for each log of each file and gives the exit code. */
function validate(files) {
  const verdicts = new Set()
  for (const file of files) {
    reportsOf(file).forEach((report, i) => {
      verdicts.add(report.verdict)
      print(JSON.stringify({ file, log: i + 1, ...report }))
    })
  }
  return verdicts.has("unread") ? 3 : verdicts.has("invalid") ? 1 : 0
}

function reportsOf(file) {
  let bytes
  try {
    bytes = fs.readFileSync(file)
  } catch {
    return UNREAD
  }
  return judgeLogs(bytes)
}

/** Answers each line of the input until it ends. */
async function referee(input) {
  let rest = [] // the parts of a line that has not ended yet
  for await (const chunk of input) {
    let start = 0
    for (let feed = chunk.indexOf("\n"); feed >= 0; feed = chunk.indexOf("\n", start)) {
      print(answer(Buffer.concat([...rest, chunk.subarray(start, feed)])))
      rest = []
      start = feed + 1
    }
    rest.push(chunk.subarray(start))
  }
  const last = Buffer.concat(rest)
  if (last.length > 0) print(answer(last))
  return 0
}

function print(line) {
  process.stdout.write(`${line}\n`)
}

async function main([command, ...args]) {
  if (command === "validate" && args.length > 0) return validate(args)
  if (command === "referee" && args.length === 0) return referee(process.stdin)
  process.stderr.write("usage: node main.js validate FILE... | node main.js referee\n")
  return 2
}

main(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
