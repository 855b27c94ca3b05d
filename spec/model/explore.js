// Every state that an instance of the model can reach, by breadth-first search over Quint's own evaluator.
//
// The evaluator asks its random generator wherever a step has a choice. Here the generator follows a
// script, and the scripts are counted through like an odometer, so that every choice is taken once.
//
//   node explore.js FILE.qnt MODULE [--invariant NAME] [--step ACTION] [--limit N]
//        [--graph OUT.jsonl [--head NAME=EXPRESSION] [--write NAME=EXPRESSION,NAME=EXPRESSION]]
//
// Prints one JSON line of figures. Exit code 1: the invariant fails somewhere (the events that lead there
// are printed), 2: the limit was reached or the model does not load.
// It uses unpublished modules of the package, hence the exact version in package.json.
'use strict'
process.env.QUINT_RETRY_NONDET_SMALLER_THAN = '0' // an empty choice is a branch that ends, not one to try again
const fs = require('fs')
const { parseArgs } = require('util')
const quint = '@informalsystems/quint/dist/src/'
const { Evaluator } = require(quint + 'runtime/impl/evaluator')
const { buildExpr } = require(quint + 'runtime/impl/builder')
const { newTraceRecorder } = require(quint + 'runtime/trace')
const { zerog } = require(quint + 'idGenerator')
const { toExpr } = require(quint + 'cliHelpers')
const builtins = require(quint + 'runtime/impl/builtins')
const cli = require(quint + 'cliCommands')

// The stock `any` shuffles its branches; one choice among them is enough.
const stock = builtins.lazyBuiltinLambda
builtins.lazyBuiltinLambda = name => name !== 'actionAny' ? stock(name)
  : (context, branches) => branches[Number(context.rand(BigInt(branches.length)))](context)

/** The scripted generator: `next` answers a choice, `advance` goes to the next script. */
function odometer() {
  let script = [], bounds = [], at = 0
  return {
    getState: () => 0n,
    setState: () => {},
    next(bound) {
      if (at === script.length) script.push(0n)
      bounds[at] = bound
      return script[at++]
    },
    start() { script = [] ; at = 0 },
    advance() {
      script.length = bounds.length = at
      at = 0
      while (script.length && script[script.length - 1] + 1n >= bounds[script.length - 1]) { script.pop(); bounds.pop() }
      if (script.length) script[script.length - 1]++
      return script.length > 0
    },
  }
}

/** A value as JSON in the manner of ITF; sets and maps sorted, so that equal values give equal text. */
function plain(e) {
  if (e.kind === 'int') return Number(e.value)
  if (e.kind !== 'app') return e.value
  const args = e.args
  switch (e.opcode) {
    case 'List': return args.map(plain)
    case 'Tup': return { '#tup': args.map(plain) }
    case 'Set': return { '#set': sorted(args.map(plain)) }
    case 'Map': return { '#map': sorted(args.map(pair => pair.args.map(plain))) }
    case 'variant': return { tag: args[0].value, value: plain(args[1]) }
    case 'Rec': {
      const record = {}
      for (let i = 0; i < args.length; i += 2) record[args[i].value] = plain(args[i + 1])
      return record
    }
    default: throw new Error(`no value: ${e.opcode}`)
  }
}
function sorted(values) {
  return values.map(value => [JSON.stringify(value), value]).sort((a, b) => a[0] < b[0] ? -1 : 1).map(pair => pair[1])
}
const json = value => plain(value.toQuintEx(zerog))

async function load(file, main, generator) {
  const loaded = await cli.load({ input: file, main })
  const parsed = await loaded.asyncChain(cli.parse) // types are checked by `quint typecheck`
  if (parsed.isLeft()) throw new Error(`${file} does not load: ${text(parsed.value)}`)
  const stage = parsed.value
  stage.args = { ...stage.args, main, input: file }
  const evaluator = new Evaluator(stage.resolver.table, newTraceRecorder(0, generator), generator, false)
  evaluator.ctx.recorder = new Proxy({}, { get: () => () => {} })
  evaluator.ctx.trace.extend = () => {}
  const compile = expression => {
    const compiled = buildExpr(evaluator.builder, toExpr(stage, expression).unwrap())
    return () => {
      const result = compiled(evaluator.ctx)
      if (result.isLeft()) throw new Error(`${expression}: ${text(result.value)}`)
      return result.value
    }
  }
  return { compile, memory: evaluator.ctx.varStorage }
}
const text = value => JSON.stringify(value, (_, part) => typeof part === 'bigint' ? String(part) : part).slice(0, 2000)

/** The variables of the machine: a state to load, and what a step makes of it. */
function variables(memory) {
  const unset = { isLeft: () => true, isRight: () => false, mapLeft: () => unset, chain: () => unset, map: () => unset, value: {} }
  const key = name => [...memory.vars.keys()].find(each => memory.vars.get(each).name.split('::').pop() === name)
  const next = () => memory.nextVars.forEach(register => { register.value = unset })
  return {
    load(saved) {
      memory.vars.forEach((register, each) => { register.value = saved[each] })
      next()
      memory.clearCaches()
    },
    /** What a step has assigned; the state stays as it is, and so does all that was worked out about it. */
    takeNext() {
      const saved = {}
      memory.nextVars.forEach((register, each) => { saved[each] = register.value })
      next()
      return saved
    },
    dropNext: next,
    get: (saved, name) => saved[key(name)].value,
  }
}

async function explore(file, main, options) {
  const started = Date.now()
  const generator = odometer()
  const { compile, memory } = await load(file, main, generator)
  const questions = list => Object.fromEntries((list ?? '').split(',').filter(Boolean).map(pair => {
    const [name, expression] = pair.split('=')
    return [name, compile(expression)]
  }))
  const state = variables(memory)
  const init = compile('init'), step = compile(options.step ?? 'step')
  const invariant = compile(options.invariant ?? 'true')
  const graph = options.graph && fs.openSync(options.graph, 'w')
  const asked = questions(options.write), head = questions(options.head)
  const answers = named => Object.fromEntries(Object.entries(named).map(([name, value]) => [name, json(value())]))
  const seen = new Map(), queue = [], parents = []
  const limit = Number(options.limit ?? 1e6)
  let edges = 0, final = 0

  const reach = (saved, parent) => {
    const text = JSON.stringify(json(state.get(saved, 'game')))
    let id = seen.get(text)
    if (id === undefined) {
      id = seen.size
      seen.set(text, id)
      queue.push(saved)
      parents.push([parent, json(state.get(saved, 'event'))])
      state.load(saved)
      if (!invariant().toBool()) throw Object.assign(new Error(`the invariant ${options.invariant} fails`), { trace: trace(id) })
    }
    return id
  }
  const trace = id => {
    const events = []
    for (; id !== null; id = parents[id][0]) events.unshift(parents[id][1])
    return events
  }
  const write = line => graph && fs.writeSync(graph, JSON.stringify(line) + '\n')

  if (!init().toBool()) throw new Error('init is disabled')
  reach(state.takeNext(), null)
  if (options.head) write(answers(head))
  for (let id = 0; id < queue.length; id++) {
    const here = queue[id], line = { id }, successors = []
    queue[id] = null
    state.load(here)
    generator.start()
    do {
      if (step().toBool()) successors.push(state.takeNext())
      else state.dropNext()
    } while (generator.advance())
    if (graph) Object.assign(line, answers(asked))
    line.edges = successors.map(there => ({ event: json(state.get(there, 'event')), to: reach(there, id) }))
    write(line)
    edges += line.edges.length
    if (!line.edges.length) final++
    if (seen.size > limit) throw new Error(`more than ${limit} states`)
  }
  const figures = { module: main, states: seen.size, edges, final, seconds: (Date.now() - started) / 1000 }
  console.log(JSON.stringify(figures))
}

const textOption = { type: 'string' }
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { invariant: textOption, step: textOption, limit: textOption, graph: textOption, head: textOption, write: textOption },
})
explore(positionals[0], positionals[1], values).catch(error => {
  console.error(error.trace ? `${error.message}, after these events:` : error.stack)
  for (const event of error.trace ?? []) console.error(JSON.stringify(event))
  process.exit(error.trace ? 1 : 2)
})
