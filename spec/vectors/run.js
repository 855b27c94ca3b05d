// Ask a program all vectors: `node run.js [--vectors FOLDER] PROGRAM [ARGUMENT ...]`.
//
// Exit code 0: it agrees with all. 1: it differs in some. 2: wrong usage, or it does not start, is
// silent, or dies.
"use strict";

const { spawn } = require("node:child_process");
const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { isDeepStrictEqual } = require("node:util");

const PATIENCE = 10; // seconds for an answer
const COMPARED = ["id", "events", "verdict", "line", "code", "error"]; // what counts of an answer

async function main(words) {
  const [folder, [program, ...rest]] =
    words[0] === "--vectors" ? [words[1], words.slice(2)] : [__dirname, words];
  const files = readdirSync(folder).filter((name) => name.endsWith(".json")).sort();
  const vectors = files.flatMap((name) => JSON.parse(readFileSync(join(folder, name), "utf8")).vectors);
  if (!vectors.length) throw new Error(`there are no vectors in ${folder}`);
  if (!program) throw new Error("usage: node run.js [--vectors FOLDER] PROGRAM [ARGUMENT ...]");

  const child = spawn(program, rest, { stdio: ["pipe", "pipe", "inherit"] });
  const failed = new Promise((_, reject) => {
    child.on("error", (error) => reject(new Error(`the program does not start: ${error.message}`)));
  });
  child.stdin.on("error", () => {}); // a program that has died is seen where it does not answer
  const lines = linesOf(child.stdout);
  let differ = 0;
  for (const { rule, comment, then, ...request } of vectors) {
    child.stdin.write(JSON.stringify(request) + "\n");
    const line = await Promise.race([lines.next(), after(PATIENCE), failed]);
    if (line === undefined || line.done) {
      child.kill("SIGKILL");
      const why = `the program has died, or is silent for ${PATIENCE} seconds`;
      throw new Error(`${request.id}: no answer; ${why}`);
    }
    const wanted = { id: request.id, ...then };
    const got = compared(line.value);
    if (!isDeepStrictEqual(got, wanted)) {
      differ += 1;
      const [expected, found] = [wanted, got].map((value) => JSON.stringify(value));
      console.log(`${request.id} (${rule})\n  expected ${expected}\n  got      ${found}`);
    }
  }
  console.log(`${vectors.length} vectors: ${vectors.length - differ} agree, ${differ} differ`);
  return differ ? 1 : 0;
}

async function* linesOf(stream) {
  let waiting = "";
  for await (const text of stream.setEncoding("utf8")) {
    const parts = (waiting + text).split("\n");
    waiting = parts.pop();
    yield* parts;
  }
}

const after = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000).unref());

function compared(line) {
  try {
    const said = JSON.parse(line);
    return Object.fromEntries(COMPARED.filter((name) => name in said).map((name) => [name, said[name]]));
  } catch { // no JSON, or no object
    return line;
  }
}

const end = (code) => process.stdout.write("", () => process.exit(code)); // once all is written
main(process.argv.slice(2)).then(end, (error) => {
  console.error(error.message);
  end(2);
});
