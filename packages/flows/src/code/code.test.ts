import axios from 'axios'
import { expect, test, vi } from 'vitest'
import type { BotEvent } from '../engine/event-types.ts'
import { runCode } from './code.ts'
import { hostGlobals } from './globals.ts'
import { loadLibraries } from './libraries.ts'
import type { Surroundings } from './surroundings.ts'

const event = (): BotEvent => ({
  botId: 'bot_1',
  id: 'evt_1',
  direction: 'incoming',
  type: 'text',
  payload: { text: 'hi' },
  preview: 'hi',
  messageId: 'msg_1',
  createdOn: new Date('2026-01-02T03:04:05.678Z'),
  state: { session: {}, context: { currentFlow: 'main' } },
})
const scopes = () => ({
  workflow: {},
  conversation: {},
  user: {},
  bot: {},
  session: {},
  turn: {},
  env: { key: 'k' },
})
const around = (more: Partial<Surroundings> = {}): Surroundings => ({
  event: event(),
  scopes: scopes(),
  ...more,
})
const run = (code: string, surroundings = around(), timeoutMs = 10_000) =>
  runCode({ code, file: 'bot.json#/hooks/0' }, surroundings, timeoutMs)
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable(),
    (error) => error,
  )

test('runs top-level await and return', async () => {
  const host = {
    later: (value: unknown) => pause(2).then(() => value),
    many: { of: { it: async () => [1, 2] } },
  }
  expect(
    await run(
      'const a = await later(1)\nreturn [a, ...await many.of.it(), await Promise.all([later(2), ' +
        'later(3)]), await later(4).then((x) => x + 1)]',
      around({ host }),
    ),
  ).toEqual([1, 1, 2, [2, 3], 5])
})

test('passes async iterators and rejections of the host to the code', async () => {
  const host = {
    list: async function* () {
      await pause(1)
      yield 1
      await pause(1)
      yield 2
    },
    fail: async () => {
      await pause(1)
      throw new RangeError('no room')
    },
  }
  expect(
    await run(
      'const all = []; for await (const one of list()) all.push(one); try { await fail() } catch ' +
        '(error) { all.push(error.message) } return all',
      around({ host }),
    ),
  ).toEqual([1, 2, 'no room'])
})

test('copies changes of scopes and event to the given objects', async () => {
  const surroundings = around()
  await run(
    'workflow.list = [1]; workflow.list.push({ a: 2 }); session.x = 1; event.state.session.y = 2; ' +
      `turn.t = true; event.payload.text = 'ho'; event.id = 'other'; event.botId = 'x'`,
    surroundings,
  )
  expect(surroundings.scopes).toMatchObject({
    workflow: { list: [1, { a: 2 }] },
    session: { x: 1, y: 2 },
    turn: { t: true },
  })
  expect(surroundings.event).toMatchObject({
    id: 'evt_1',
    botId: 'bot_1',
    payload: { text: 'ho' },
    preview: 'ho',
  })
  await run(
    'delete workflow.list; event.state.session = { z: 3 }; workflow["__proto__"] = { polluted: 1 }',
    surroundings,
  )
  expect(Object.keys(surroundings.scopes.workflow)).toEqual(['__proto__'])
  expect(surroundings.scopes.session).toEqual({ z: 3 })
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
})

test('discards the changes of code that throws or times out', async () => {
  const surroundings = around()
  await failure(run('workflow.a = 1; throw new Error("x")', surroundings))
  await failure(run('workflow.a = 1; await new Promise(() => {})', surroundings, 30))
  expect(surroundings.scopes.workflow).toEqual({})
})

test.each([
  ['at the top level', 'for (;;) {}'],
  ['after an await', 'await later(); for (;;) {}'],
  ['in a microtask', 'await null; for (;;) {}'],
  ['in a timer', 'await new Promise((go) => setTimeout(() => { for (;;) {} }, 1))'],
  ['in a callback of the host', 'each([1], () => { for (;;) {} })'],
  ['in toJSON of a variable', 'workflow.a = { toJSON() { for (;;) {} } }'],
  ['in a getter of the thrown value', 'throw { get message() { for (;;) {} } }'],
  ['of promises', 'const again = () => Promise.resolve().then(again); await again()'],
  ['that waits for a pending promise', 'await new Promise(() => {})'],
])('stops a loop %s', async (_, code) => {
  const host = {
    later: () => pause(1),
    each: (list: unknown[], call: (one: unknown) => void) => list.forEach(call),
  }
  const error = await failure(run(code, around({ host }), 60))
  expect(error.message).toContain('took longer than')
})

test.each([
  [
    'const a = 1\nnull.x',
    { line: 2, column: 6, sourceLine: 'null.x' },
    'Cannot read properties of null',
  ],
  [
    'const a = 1\nawait Promise.resolve()\nfunction f() {\n  throw new RangeError("far")\n}\nf()',
    { line: 4, sourceLine: '  throw new RangeError("far")' },
    'RangeError: far (bot.json#/hooks/0:4',
  ],
  [
    'const a = 1\nconst a = 2',
    { line: 2, fault: 'syntax' },
    "'a' has already been declared",
  ],
  ['if (', { fault: 'syntax' }, 'SyntaxError'],
  ['x = 1', { line: 1, column: 3 }, 'ReferenceError: x is not defined'],
  ['throw "a word"', {}, 'a word'],
  ['throw { some: 1 }', {}, '{"some":1}'],
  ['throw { toJSON() { throw 1 } }', {}, 'cannot be converted to text'],
  ['await import("node:fs")', {}, 'Code cannot import modules'],
  ['import x from "y"', { line: 1, fault: 'syntax' }, 'Cannot use import statement'],
  ['require("fs")', { line: 1 }, 'require is not defined'],
  ['process.exit()', { line: 1 }, 'process is not defined'],
  ['env.key = "other"', { line: 1 }, '`env` are read-only'],
  ['delete env.key', { line: 1 }, '`env` are read-only'],
  [
    'Object.defineProperty(workflow, "x", { value: 1 })',
    { line: 1 },
    'Set variables with "="',
  ],
  [
    'workflow.self = {}; workflow.self.self = workflow.self',
    { fault: 'value' },
    'circular',
  ],
  [
    'Object.prototype.toJSON = () => 5',
    { fault: 'value' },
    'cannot be converted to JSON',
  ],
  [
    'Array.prototype.toJSON = Object.prototype.toJSON = () => undefined',
    { fault: 'value' },
    'cannot be converted to JSON',
  ],
  [
    'JSON.parse = JSON.stringify = null; Promise.prototype.then = null; throw new RangeError("still ' +
      'reported")',
    { line: 1 },
    'RangeError: still reported',
  ],
  ['return 1n', { fault: 'value' }, 'BigInt'],
])('reports the error and line of: %s', async (code, at, message) => {
  const error = await failure(run(code))
  expect(error).toMatchObject({ name: 'CodeError', file: 'bot.json#/hooks/0', ...at })
  expect(error.message).toContain(message)
})

test('throws in the line that assigns a value of the wrong type', async () => {
  const refuse = vi.fn((scope: string, name: string, value: unknown) =>
    typeof value === 'number' ? null : `${scope}.${name} is a number`,
  )
  const error = await failure(
    run('workflow.age = 3\nworkflow.age = "three"', around({ refuse })),
  )
  expect(error).toMatchObject({ line: 2 })
  expect(error.message).toContain('workflow.age is a number')
})

test('uses the clock of the host, a Date in the event, and a new realm for each run', async () => {
  await run('globalThis.left = 1; Array.prototype.first = 1')
  expect(
    await run(
      'return [typeof left, typeof [].first, event.createdOn instanceof Date, ' +
        'event.createdOn.toISOString(), Date.now(), new Date().getTime(), new Date(5).getTime()]',
      around({ clock: () => 77 }),
    ),
  ).toEqual(['undefined', 'undefined', true, '2026-01-02T03:04:05.678Z', 77, 77, 5])
})

test('keeps the members of libraries', async () => {
  expect(
    await run(
      'return [typeof axios, typeof axios.get, typeof axios.create().post, axios.isAxiosError({ ' +
        'isAxiosError: true })]',
      around({ host: { axios } }),
    ),
  ).toEqual(['function', 'function', 'function', true])
})

test('clears timers, and runs none after the end', async () => {
  const callback = vi.fn()
  await run(
    'const id = setTimeout(() => say("no"), 1); clearTimeout(id); setTimeout(() => say("late"), 15); ' +
      'await new Promise((go) => setTimeout(go, 5))',
    around({ host: { say: callback } }),
  )
  await pause(40)
  expect(callback).not.toHaveBeenCalled()
})

test('reports host calls by name', async () => {
  const onCall = vi.fn(
    (_what: string, calling: Promise<unknown>) => void calling.catch(() => {}),
  )
  const host = {
    client: new (class Client {
      #id = 1
      getUser = async () => this.#id
      async getBot() {
        return this.#id
      }
      list = { users: async () => [] }
    })(),
    later: async () => 1,
    _: { map: () => 1 },
  }
  expect(
    await run(
      'return [await client.getUser(), await client.getBot(), await client.list.users(), await ' +
        'later(), _.map()]',
      around({ host, onCall }),
    ),
  ).toEqual([1, 1, [], 1, 1])
  expect(onCall.mock.calls.map(([what]) => what)).toEqual([
    'client.getUser',
    'client.getBot',
    'client.list.users',
    'later',
  ])
})

test.each([
  'URL.constructor',
  "new URL('a:b').constructor.constructor",
  'this.constructor.constructor',
  'globalThis.constructor.constructor',
  'crypto.subtle.digest.constructor',
  'axios.get.constructor',
  'axios.constructor.constructor',
  'luxon.DateTime.constructor',
  '_.map.constructor',
  'console.log.constructor',
  'client.find.constructor',
  'client.find().constructor.constructor',
  'client.list.constructor',
  'client.pages.constructor',
  'client.stream.constructor',
  "Object.getOwnPropertyDescriptor(Object.getPrototypeOf(URL), 'constructor').value",
  'Reflect.getPrototypeOf(TextEncoder).constructor',
  '(() => { try { new URL() } catch (error) { return error.constructor.constructor } })()',
])('does not compile text outside of the realm: %s', async (way) => {
  const client = {
    find: async () => ({}),
    list: function* () {},
    pages: async function* () {},
    stream: () => {},
  }
  const globals = hostGlobals({
    libraries: { ...(await loadLibraries('axios _')), client },
    ownActions: [],
    tables: [],
    log: () => {},
    callAction: async () => ({}),
    askTable: async () => ({}),
  })
  const code = `return typeof (await (${way})('return typeof process')()) + (${way})('return process.pid')()`
  const error = await failure(run(code, around({ host: globals })))
  expect(error.message).toMatch(
    /cannot compile text|process is not defined|is not a function/,
  )
})

test('does not compile templates of lodash outside of the realm', async () => {
  const host = hostGlobals({
    libraries: await loadLibraries('_'),
    ownActions: [],
    tables: [],
    log: () => {},
    callAction: async () => ({}),
    askTable: async () => ({}),
  })
  const code = "return _.template('<%= process.pid %>')()"
  expect((await failure(run(code, around({ host })))).message).toContain(
    'cannot compile text',
  )
  expect(
    await run('return _.chunk(_.map([1, 2, 3], (n) => n * 2), 2)', around({ host })),
  ).toEqual([[2, 4], [6]])
})

test('functions keep the names of their constructors', async () => {
  await run('return 1')
  const kinds = [() => {}, async () => {}, function* () {}]
  expect(kinds.map((one) => one.constructor.name)).toEqual([
    'Function',
    'AsyncFunction',
    'GeneratorFunction',
  ])
  expect(kinds.every((one) => one instanceof one.constructor)).toBe(true)
  expect(new Function('return 1')()).toBe(1)
})
