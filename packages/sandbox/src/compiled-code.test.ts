// Code that was compiled in advance behaves like other code. Compiling does not run it, and results
// that running code sends are ignored.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCompiled } from './compiled.ts'
import { findLauncher } from './launch.ts'
import type { Runner } from './runner/runner.ts'
import { createRunners, type Runners } from './runner/runners.ts'

let runners: Runners
const logged: string[] = []
beforeAll(async () => {
  const { launcher } = await findLauncher()
  runners = createRunners(launcher!, 1_048_576, (_key, { message }) =>
    logged.push(message),
  )
}, 60_000)
afterAll(() => runners?.close())

const filler = `// ${'x'.repeat(70_000)}\n`
const request = { method: 'POST', path: '/', query: '', headers: {}, body: '' }

async function run(code: string, compiled: Buffer | null) {
  const runner = runners.take('code', 64)
  try {
    await runner.load(Buffer.from(code), { compiled, environment: {}, timeoutMs: 20_000 })
    return JSON.parse(
      (await runner.invoke(request, { timeoutMs: 20_000, cause: null })).body,
    )
  } finally {
    runner.end()
  }
}
const compile = (runner: Runner, code: string) =>
  runner.compile(Buffer.from(code), 20_000).finally(() => runner.end())

test('returns the same answers and error positions with and without compiling in advance', {
  timeout: 60_000,
}, async () => {
  const code = `exports.handler = async () => ({ body: JSON.stringify([
      typeof require, module.exports === exports, __filename, /\\(.*\\)/.exec(new Error('here').stack)[0],
    ]) })
    ${filler}`
  const compiled = await compile(runners.take(null, 64), code)
  const answers = [
    await run(code, null),
    await run(code, compiled),
    await run(code, Buffer.from('nothing of the kind')),
  ]
  expect(answers[0]).toEqual([
    'function',
    true,
    '/bot.cjs',
    expect.stringMatching(/\(bot\.cjs:2:\d+\)/),
  ])
  expect(answers.slice(1)).toEqual([answers[0], answers[0]])
})

const toFlows = (program: unknown) => `// A comment
const program = JSON.parse(${JSON.stringify(JSON.stringify(program))});
exports.handler = async () => ({ body: JSON.stringify([program, /\\(.*\\)/.exec(Error().stack)[0]]) })
${filler}`

test('compiles code with another program only once', { timeout: 60_000 }, async () => {
  const { compiledCode, take } = fakeRunners((code) =>
    compile(runners.take(null, 64), code),
  )
  const compiled = createCompiled({ ready: async () => {}, take })
  const [first, second] = [toFlows({ text: 'a' }), toFlows(['“b”', '\u2028'.repeat(10)])]
  await compiled.ahead(Buffer.from(first), 64)
  await expect.poll(() => compiled.of(Buffer.from(first))).not.toBeNull()
  await compiled.ahead(Buffer.from(second), 64)
  expect(compiledCode).toEqual([first])
  const found = await compiled.of(Buffer.from(second))
  const position = expect.stringMatching(/\(bot\.cjs:3:\d+\)/)
  expect(await run(second, found)).toEqual([['“b”', '\u2028'.repeat(10)], position])
  expect(await run(second, null)).toEqual([['“b”', '\u2028'.repeat(10)], position])
})

test.each([
  [
    'a string with an escape that JSON lacks',
    "const program = JSON.parse('\\x31');\n",
    1,
  ],
  ['a string that goes on', 'const program = JSON.parse("1") + JSON.parse("2");\n', 3],
  ['two parts in one line', 'const program = JSON.parse("1"); exports.a = (1);\n', 1],
])(
  'runs code that begins with %s as it is',
  { timeout: 60_000 },
  async (_, begin, program) => {
    const code = `${begin}exports.handler = async () => ({ body: JSON.stringify(program) })\n${filler}`
    expect(await run(code, await compile(runners.take(null, 64), code))).toBe(program)
  },
)

test('compiling does not run the code', { timeout: 60_000 }, async () => {
  const runner = runners.take('compiled only', 64)
  await compile(runner, `console.log('I ran'); exports.handler = () => {}; ${filler}`)
  await runner.exited
  expect(logged).not.toContain('I ran')
})

/** Compiles at once, and records the requested code. */
function fakeRunners(compiled: (code: string) => Promise<Buffer>) {
  const compiledCode: string[] = []
  const take = () =>
    ({
      compile: (bytes: Buffer) => {
        const code = bytes.toString()
        compiledCode.push(code)
        return compiled(code)
      },
      end: () => {},
    }) as unknown as Runner
  return { compiledCode, take }
}

test('compiles each code once, except small ones, and drops the oldest over the limit', async () => {
  const { compiledCode, take } = fakeRunners(async (code) =>
    code.startsWith('bad') ? Promise.reject(new Error('no')) : Buffer.alloc(22_500_000),
  )
  const compiled = createCompiled({ ready: async () => {}, take })
  const [one, two, three, bad] = ['1', '2', '3', 'bad'].map((name) =>
    name.padEnd(70_000),
  ) as [string, string, string, string]
  for (const code of ['small', one, one, bad, two, bad, one])
    await compiled.ahead(Buffer.from(code), 64)
  await pause(20)
  expect(compiledCode).toEqual([one, bad, two])
  const find = (codes: string[]) =>
    Promise.all(codes.map((code) => compiled.of(Buffer.from(code))))
  expect((await find([one, bad, 'small'])).map((found) => found?.length ?? null)).toEqual(
    [22_500_000, null, null],
  )
  await compiled.ahead(Buffer.from(three), 64)
  await pause(20)
  expect((await find([one, two, three])).map((found) => found !== null)).toEqual([
    true,
    false,
    true,
  ])
  compiled.close()
  await compiled.ahead(Buffer.from('4'.padEnd(70_000)), 64)
  await pause(20)
  expect(compiledCode).toHaveLength(4)
})

test('ignores compiled code that running code sends', { timeout: 60_000 }, async () => {
  const code = `exports.handler = async () => {
      const frame = (value) => {
        const text = Buffer.from(JSON.stringify(value))
        const size = Buffer.alloc(4)
        size.writeUInt32BE(text.length)
        return Buffer.concat([size, text])
      }
      const isLine = (handle) => handle.fd === 3 || handle._handle?.fd === 3
      process._getActiveHandles().find(isLine).write(frame({ type: 'compiled', compiled: 'forged' }))
    return { body: '"answered"' }
  }`
  expect(await run(code, null)).toBe('answered')
})
