// Lifecycle of hosted code and its processes. Attacks are tested in hostile-code.test.ts.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { descendants, isAlive } from '@botstead/lib'
import { transform } from 'esbuild'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { InvocationFailed } from './invocation/invocation.ts'
import { findLauncher } from './launch.ts'
import { createSandbox } from './runner/pool.ts'
import type { CodeUnit, HandlerResponse, LogLine, Sandbox } from './sandbox.ts'

const logs: { key: string; line: LogLine }[] = []
const calls: { url: string | undefined; headers: IncomingHttpHeaders }[] = []
/** Hosted code has the lowest priority, and the machine may be busy. */
vi.setConfig({ testTimeout: 100_000 })
let sandbox: Sandbox
let api: Server
let apiUrl: string

beforeAll(async () => {
  process.env.PARENT_SECRET = 'kept from hosted code'
  api = createServer((request, response) => {
    calls.push({ url: request.url, headers: request.headers })
    response.end('{}')
  })
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  sandbox = await createSandbox({
    onLog: (key, line) => logs.push({ key, line }),
    egress: {
      apiUrls: () => [apiUrl],
      serve: (socket) => api.emit('connection', socket),
      reach: () => true,
    },
  })
})

afterAll(async () => {
  await sandbox.close(0)
  api.closeAllConnections()
  api.close()
})

let units = 0
function unit(handler: string, changes: Partial<CodeUnit> = {}): CodeUnit {
  units += 1
  return {
    key: `bot_${units}`,
    version: '1',
    load: async () =>
      Buffer.from(handler.includes('exports') ? handler : `exports.handler = ${handler}`),
    environment: async () => ({ BP_API_URL: apiUrl, BP_TOKEN: 'bp_bak_1' }),
    memoryMb: 64,
    ...changes,
  }
}

const call = (
  code: CodeUnit,
  body = '{}',
  options: { timeoutMs?: number; cause?: string } = {},
): Promise<HandlerResponse> =>
  sandbox.invoke(
    code,
    { method: 'POST', path: '/p', query: 'q=1', headers: { 'x-a': 'b' }, body },
    { timeoutMs: options.timeoutMs ?? 60_000, cause: options.cause ?? null },
  )

async function failure(attempt: Promise<unknown>): Promise<InvocationFailed> {
  const error = await attempt.then(
    () => null,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(InvocationFailed)
  return error as InvocationFailed
}

/** The process id as this process sees it, because the code may run in another namespace. */
async function findPid(code: CodeUnit): Promise<number> {
  const { body: title } = await call(code, 'pid')
  return processNamed(title)
}
function processNamed(title: string, under = process.pid): number {
  const found = descendants(under).find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith(title),
  )
  expect(found).toBeDefined()
  return found!
}
const givesPid = '() => ({ body: (process.title = "code-" + Math.random()) })'
async function eventually(holds: () => boolean, withinMs = 2000): Promise<void> {
  const until = Date.now() + withinMs
  while (!holds() && Date.now() < until) await sleep(20)
  expect(holds()).toBe(true)
}

test('passes the whole request to the handler, returns its answer, and reuses the process', async () => {
  const echo = unit(
    'async (req) => ({ status: 201, headers: { "X-Pid": process.pid }, body: JSON.stringify(req) })',
  )
  const first = await call(echo, '{"text":"Grüß dich 🎈"}')
  expect(first.status).toBe(201)
  expect(JSON.parse(first.body)).toEqual({
    method: 'POST',
    path: '/p',
    query: 'q=1',
    headers: { 'x-a': 'b' },
    body: '{"text":"Grüß dich 🎈"}',
  })
  expect((await call(echo)).headers).toEqual(first.headers)
})

test('gives a handler the serverless context: name, memory, remaining time, signal; no client', async () => {
  const code = unit(`async (req, context, ...more) => {
    const before = context.getRemainingTimeInMillis()
    await new Promise((resolve) => setTimeout(resolve, 50))
    const after = context.getRemainingTimeInMillis()
    return { body: JSON.stringify({ ...context, before, after, more }) }
  }`)
  const { before, after, ...rest } = JSON.parse(
    (await call(code, '{}', { timeoutMs: 8_000 })).body,
  )
  expect(rest).toEqual({
    signal: {},
    functionName: 'botstead',
    functionVersion: '$LATEST',
    memoryLimitInMB: '64',
    more: [],
  })
  expect(before).toBeLessThanOrEqual(8_000)
  expect(before).toBeGreaterThan(4_000)
  expect(before - after).toBeGreaterThanOrEqual(45)
})

test('returns 200 and {} for no answer, 500 for an error, and accepts a default export', async () => {
  expect(await call(unit('() => {}'))).toEqual({ status: 200, headers: {}, body: '{}' })
  const { status, body } = (await call(
    unit('() => { throw new RangeError("too far") }'),
  )) as {
    status: number
    body: string
  }
  expect([status, JSON.parse(body)]).toEqual([
    500,
    {
      error: 'RangeError: too far',
      stack: expect.stringMatching(/^RangeError: too far\n {4}at .*bot\.cjs:1:/),
    },
  ])
  expect(
    await call(
      unit('exports.default = { tag: "t", handler() { return { body: this.tag } } }'),
    ),
  ).toMatchObject({ body: 't' })
})

test('names the sources of a bundle with a source map in stack traces', async () => {
  const source =
    'type Money = number\n\nfunction pay(): Money {\n  throw new RangeError("too far")\n}\n'
  const options = {
    sourcemap: 'inline',
    sourcesContent: false,
    sourcefile: '../src/bot.ts',
  } as const
  const bundle = await transform(`${source}export const handler = () => pay()\n`, {
    ...options,
    loader: 'ts',
    format: 'cjs',
  })
  const readStack = async (code: string) => {
    const { body } = (await call(unit(code))) as { body: string }
    return JSON.parse(body).stack as string
  }
  expect(await readStack(bundle.code)).toMatch(
    /^RangeError: too far\n {4}at pay \(src\/bot\.ts:4:9\)\n {4}at Object\.handler \(src\/bot\.ts:6:\d+\)/,
  )
  // A map that cannot be read changes nothing.
  const broken = bundle.code.replace(/base64,.*/, 'base64,bm90IGEgbWFw')
  expect(await readStack(broken)).toMatch(
    /^RangeError: too far\n {4}at pay \(bot\.cjs:\d+:9\)/,
  )
})

test('reports why code cannot serve requests', async () => {
  expect(
    await failure(call(unit('', { load: async () => Buffer.alloc(0) }))),
  ).toMatchObject({
    reason: 'no-code',
  })
  expect(await failure(call(unit('exports.other = 1')))).toMatchObject({
    reason: 'no-code',
    message: expect.stringContaining('handler'),
  })
  expect(await failure(call(unit('exports.handler = () => {')))).toMatchObject({
    reason: 'crash',
    message: expect.stringContaining('SyntaxError'),
  })
  expect(
    await failure(call(unit('exports.x = 1; throw new Error("no luck")'))),
  ).toMatchObject({
    reason: 'crash',
    message: expect.stringContaining('no luck'),
  })
  expect(await failure(call(unit('exports.x = require("left-pad")')))).toMatchObject({
    reason: 'crash',
    message: expect.stringContaining('left-pad'),
  })
})

test('stops code that does not finish loading', async () => {
  const impatient = await createSandbox({ onLog: () => {}, loadTimeoutMs: 400 })
  const attempt = impatient.invoke(
    unit('exports.handler = 1; for (;;);'),
    { method: 'POST', path: '/', query: '', headers: {} },
    { timeoutMs: 60_000, cause: null },
  )
  expect(await failure(attempt)).toMatchObject({
    reason: 'crash',
    message: expect.stringContaining('400 ms'),
  })
  expect(impatient.stats().kills.load).toBe(1)
  await impatient.close(0)
})

test.each([
  '() => { for (;;); }',
  '() => new Promise(() => {})',
  'async () => { for (;;) await null }',
])('%s ends at the deadline', async (handler) => {
  const code = unit(`(req) => req.body === 'pid' ? (${givesPid})() : (${handler})()`)
  const pid = await findPid(code)
  const began = Date.now()
  expect(await failure(call(code, '', { timeoutMs: 300 }))).toMatchObject({
    reason: 'timeout',
  })
  expect(Date.now() - began).toBeLessThan(3_000)
  await eventually(() => !isAlive(pid))
})

test('fails other requests of a process over its time limit as crashed, not later ones', async () => {
  const code = unit(
    '(req) => req.body === "loop" ? new Promise(() => {}) : new Promise((r) => setTimeout(() => r({ body: "late" }), 400))',
  )
  await call(code, '')
  const innocent = failure(call(code, ''))
  expect(await failure(call(code, 'loop', { timeoutMs: 200 }))).toMatchObject({
    reason: 'timeout',
  })
  expect(await innocent).toMatchObject({ reason: 'crash' })
  expect(await call(code, '')).toMatchObject({ body: 'late' })
})

test('the watchdog stops memory use that no limit of the process prevents', async () => {
  const find: typeof findLauncher = async (options) => {
    const { launcher, missed } = await findLauncher(options)
    return { launcher: { ...launcher!, residentLimit: () => 100 * 1_048_576 }, missed }
  }
  const watched = await createSandbox({ onLog: () => {}, find })
  const hoarder = unit(
    '() => { globalThis.kept = Buffer.alloc(1e8, 1); return new Promise(() => {}) }',
    {
      memoryMb: 512,
    },
  )
  const attempt = watched.invoke(
    hoarder,
    { method: 'POST', path: '/', query: '', headers: {} },
    { timeoutMs: 60_000, cause: null },
  )
  expect(await failure(attempt)).toMatchObject({
    reason: 'crash',
    message: 'The code ran out of memory (512 MB)',
  })
  expect(watched.stats().kills.memory).toBe(1)
  await watched.close(0)
})

test("lines on stdout and stderr become logs, in the SDK's format with level and ids", async () => {
  const code = unit(`() => {
    console.log(JSON.stringify({ msg: 'ordered', level: 'warn', options: { conversationId: 'conv_1', deep: {} } }))
    console.log('plain\\0text'); console.error('wrong'); console.log('{"half":')
    process.stdout.write('x'.repeat(100_000) + '\\nlast')
  }`)
  await call(code)
  await sandbox.stop(code.key)
  await eventually(() => logs.some(({ line }) => line.message === 'last'))
  const lines = logs.filter(({ key }) => key === code.key).map(({ line }) => line)
  expect(lines).toContainEqual({
    level: 'warn',
    message: 'ordered',
    at: expect.any(Date),
    options: { conversationId: 'conv_1' },
  })
  expect(lines).toContainEqual({
    level: 'info',
    message: 'plain\uFFFDtext',
    at: expect.any(Date),
  })
  expect(lines).toContainEqual({ level: 'error', message: 'wrong', at: expect.any(Date) })
  expect(lines).toContainEqual({
    level: 'info',
    message: '{"half":',
    at: expect.any(Date),
  })
  expect(Math.max(...lines.map(({ message }) => message.length))).toBe(65_536)
})

test('drops and reports logs over the rate limit, without memory use in the server', async () => {
  const before = process.memoryUsage().rss
  const flood =
    'const lines = ("y".repeat(1000) + "\\n").repeat(100); for (let i = 0; i < 300; i++) process.stdout.write(lines)'
  const code = unit(`() => { ${flood} }`, { memoryMb: 256 })
  await call(code)
  await sleep(1200)
  const lines = logs.filter(({ key }) => key === code.key).map(({ line }) => line)
  const kept = lines.filter(({ message }) => message.startsWith('y')).length
  expect(kept).toBeGreaterThan(200)
  expect(kept).toBeLessThan(1000)
  expect(
    lines.some(({ level, message }) => level === 'warn' && message.includes('dropped')),
  ).toBe(true)
  expect(process.memoryUsage().rss - before).toBeLessThan(60 * 1_048_576)
})

test('errors of the log and of loading code affect no other code', async () => {
  const unlucky = await createSandbox({
    onLog: () => {
      throw new Error('no room')
    },
  })
  const ask = (code: CodeUnit) =>
    unlucky.invoke(
      code,
      { method: 'POST', path: '/', query: '', headers: {} },
      { timeoutMs: 60_000, cause: null },
    )
  const talkative = unit('() => { console.log("hello") }')
  expect(await ask(talkative)).toMatchObject({ status: 200 })
  const broken = unit('', { load: () => Promise.reject(new Error('database is away')) })
  await expect(ask(broken)).rejects.toThrow('database is away')
  expect(unlucky.stats()).toMatchObject({ processes: 1, running: 0 })
  await unlucky.close(0)
})

test('restarts crashing code with growing pauses', async () => {
  let loads = 0
  const load = async () => {
    loads += 1
    return Buffer.from('exports.handler = () => process.exit(1)')
  }
  const code = unit('', { load })
  const began = Date.now()
  const outcomes: InvocationFailed[] = []
  const isPaused = () => (outcomes.at(-1)?.retryAfterMs ?? 0) > 1000
  while (!isPaused() && Date.now() - began < 15_000) {
    outcomes.push(await failure(call(code)))
    await sleep(20)
  }
  const before = loads
  expect(before).toBeLessThanOrEqual(1 + (Date.now() - began) / 1000)
  expect(outcomes.every(({ reason }) => reason === 'crash')).toBe(true)
  expect(isPaused()).toBe(true)
  await sandbox.stop(code.key)
  await failure(call(code))
  expect(loads).toBe(before + 1)
})

test.each<[string, string]>([
  ['garbage', 'Buffer.from("this is no frame at all")'],
  ['half a frame that claims 4 GB', 'Buffer.from([255, 255, 255, 255, 1])'],
  ['not JSON', 'Buffer.concat([Buffer.from([0, 0, 0, 3]), Buffer.from("{,}")])'],
  [
    'not an answer',
    'frame({ type: "answered", id: 1, response: { status: "200", headers: {}, body: {} } })',
  ],
  [
    'a flood of answers to nothing',
    'Buffer.concat(Array(200).fill(frame({ type: "answered", id: 99, response: { status: 200, headers: {}, body: "" } })))',
  ],
])('ends code that sends invalid frames: %s', async (_kind, bytes) => {
  const code = unit(`() => {
    const frame = (value) => { const text = Buffer.from(JSON.stringify(value)); const length = Buffer.alloc(4); length.writeUInt32BE(text.length); return Buffer.concat([length, text]) }
    const socket = process._getActiveHandles().find((handle) => handle.fd === 3 || handle._handle?.fd === 3)
    socket.write(${bytes})
    return new Promise(() => {})
  }`)
  const before = sandbox.stats().kills.frame
  expect(await failure(call(code, '', { timeoutMs: 60_000 }))).toMatchObject({
    reason: 'crash',
  })
  expect(sandbox.stats().kills.frame).toBe(before + 1)
})

test('ends code that closes its connection to the server', async () => {
  const code = unit(
    '() => { process._getActiveHandles().find((handle) => handle._handle?.fd === 3).destroy(); return new Promise(() => {}) }',
  )
  expect(await failure(call(code))).toMatchObject({ reason: 'crash' })
})

test('limits answers: 1 MB of body, the number of headers, and valid headers only', async () => {
  const sized = unit('(req) => ({ body: "z".repeat(Number(req.body)) })')
  expect((await call(sized, '1048576')).body).toHaveLength(1_048_576)
  expect(await failure(call(sized, '1048577'))).toMatchObject({ reason: 'too-large' })
  expect(
    await failure(
      call(
        unit(
          '() => ({ headers: Object.fromEntries(Array.from({ length: 1000 }, (_, i) => ["h" + i, "v"])) })',
        ),
      ),
    ),
  ).toMatchObject({
    reason: 'too-large',
  })
  const odd = unit(
    '() => ({ headers: { good: "1", "b ad": "1", split: "a\\r\\nset-cookie: b", ["__proto__"]: "x" }, body: { a: 1 } })',
  )
  expect(await call(odd)).toEqual({
    status: 200,
    headers: { good: '1' },
    body: '{"a":1}',
  })
  expect(await call(unit('() => ({ status: 99 })'))).toMatchObject({ status: 500 })
})

const serverless = {
  HOME: '/tmp',
  TMPDIR: '/tmp',
  LANG: 'en_US.UTF-8',
  TZ: 'UTC',
  NODE_ENV: 'production',
  AWS_LAMBDA_FUNCTION_NAME: 'botstead',
}

test('the environment is the configured one and the defaults of a serverless Node', async () => {
  const code = unit(
    `(req) => req.body === 'pid' ? (${givesPid})() : { body: JSON.stringify(process.env) }`,
  )
  expect(JSON.parse((await call(code)).body)).toEqual({
    ...serverless,
    BP_API_URL: apiUrl,
    BP_TOKEN: 'bp_bak_1',
  })
  // Other processes of its user cannot read the environment: the copy of the kernel is empty.
  expect(
    readFileSync(`/proc/${await findPid(code)}/environ`, 'utf8').replace('PWD=/\0', ''),
  ).toBe('')
  const own = unit('() => ({ body: process.env.TZ + " " + new Date(0).getHours() })', {
    environment: async () => ({ TZ: 'Asia/Tokyo' }),
  })
  expect((await call(own)).body).toBe('Asia/Tokyo 9')
})

test('supports reading the home folder, temporary folder and user while loading', async () => {
  const code = unit(`
    const os = require('node:os')
    const seen = [os.homedir(), os.tmpdir(), os.userInfo().username, os.userInfo().homedir]
    const bytes = os.userInfo({ encoding: 'buffer' }).username.toString()
    exports.handler = () => ({ body: JSON.stringify([...seen, bytes]) })`)
  expect(JSON.parse((await call(code)).body)).toEqual([
    '/tmp',
    '/tmp',
    'bot',
    '/tmp',
    'bot',
  ])
})

test('only in tier 2 the temporary folder is writable; it is empty for each process', async () => {
  const code = () =>
    unit(`async () => {
      const fs = require('node:fs'), os = require('node:os'), path = require('node:path')
      const found = fs.readdirSync(os.tmpdir())
      const folder = await fs.promises.mkdtemp(path.join(os.tmpdir(), 'made-'))
      fs.writeFileSync(path.join(folder, 'a'), 'written')
      fs.renameSync(path.join(folder, 'a'), path.join(folder, 'b'))
      return { body: JSON.stringify([found, fs.readFileSync(path.join(folder, 'b'), 'utf8')]) }
    }`)
  for (const one of [code(), code()]) {
    const { status, body } = await call(one)
    if (sandbox.stats().tier === 2)
      expect([status, JSON.parse(body)]).toEqual([200, [[], 'written']])
    else
      expect([status, body]).toEqual([
        500,
        expect.stringContaining('API has been restricted'),
      ])
  }
})

test('runs hosted code with the lowest priority', async () => {
  const pid = await findPid(unit(givesPid))
  expect(
    Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[16]),
  ).toBe(19)
})

test('adds the cause of an invocation to its calls of our API only, by every client', async () => {
  const other = createServer((request, response) => {
    calls.push({ url: request.url, headers: request.headers })
    response.end()
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const code = unit(`async (req) => {
    const http = require('node:http'), api = process.env.BP_API_URL
    const get = (way) => new Promise((done) => http.get(api + '/' + way + req.body, (res) => res.resume().on('end', done)))
    const post = (way) => new Promise((done) => http.request(api + '/' + way + req.body, { method: 'POST' }, (res) => res.resume().on('end', done)).end('x'))
    await new Promise((done) => setTimeout(done, req.body === 'a' ? 50 : 10))
    await (await fetch(api + '/fetch-' + req.body, { headers: { 'x-own': '1' } })).text()
    await (await fetch(new Request(api + '/request-' + req.body, { method: 'POST', body: 'b' }))).text()
    await get('get-')
    await post('post-')
    await (await import('node:http')).get(api + '/import-' + req.body)
    await (await fetch('${otherUrl}/elsewhere-' + req.body)).text()
  }`)
  await Promise.all([
    call(code, 'a', { cause: 'evt_a' }),
    call(code, 'b', { cause: 'evt_b' }),
    call(code, 'none'),
  ])
  await eventually(
    () => calls.filter(({ url }) => url?.startsWith('/import-')).length === 3,
  )
  const seen = Object.fromEntries(
    calls.map(({ url, headers }) => [url, headers['x-botstead-cause']]),
  )
  for (const way of ['fetch', 'request', 'get', 'post', 'import']) {
    expect([way, seen[`/${way}-a`], seen[`/${way}-b`], seen[`/${way}-none`]]).toEqual([
      way,
      'evt_a',
      'evt_b',
      undefined,
    ])
  }
  expect(seen).toMatchObject({ '/elsewhere-a': undefined, '/elsewhere-b': undefined })
  expect(calls.find(({ url }) => url === '/fetch-a')?.headers['x-own']).toBe('1')
  other.closeAllConnections()
  other.close()
})

test('a new version takes over at once, while the old one completes its requests', async () => {
  const old = unit(
    `(req) => req.body === 'pid' ? (${givesPid})() : new Promise((r) => setTimeout(() => r({ body: "old " + performance.timeOrigin }), req.body === "slow" ? 600 : 0))`,
  )
  const next: CodeUnit = {
    ...old,
    version: '2',
    load: async () => Buffer.from('exports.handler = () => ({ body: "new" })'),
  }
  const pid = await findPid(old)
  const { body } = await call(old)
  const slow = call(old, 'slow')
  expect(await call(next)).toMatchObject({ body: 'new' })
  expect((await slow).body).toBe(body)
  await eventually(() => !isAlive(pid))
  expect(await call(next)).toMatchObject({ body: 'new' })
})

test('ends a stopped process at once, and idle or surplus processes later', async () => {
  const code = unit(givesPid)
  const pid = await findPid(code)
  await sandbox.stop(code.key)
  await eventually(() => !isAlive(pid))
  // One after the other, because four starts may take longer than the idle time.
  const start = async (where: Sandbox) =>
    where.invoke(
      unit(givesPid),
      { method: 'POST', path: '/', query: '', headers: {} },
      { timeoutMs: 60_000, cause: null },
    )
  const small = await createSandbox({ onLog: () => {}, maxWarm: 2 })
  for (let n = 0; n < 4; n += 1) await start(small)
  expect(small.stats()).toMatchObject({ processes: 2, coldStarts: 4, crashes: 0 })
  await small.close(0)
  const hasty = await createSandbox({ onLog: () => {}, idleMs: 300 })
  await start(hasty)
  await eventually(() => hasty.stats().processes === 0, 10_000)
  await hasty.close(0)
})

test('close waits for running requests, then ends all processes', async () => {
  const closing = await createSandbox({ onLog: () => {} })
  const ask = (code: CodeUnit) =>
    closing.invoke(
      code,
      { method: 'POST', path: '/', query: '', headers: {} },
      { timeoutMs: 20_000, cause: null },
    )
  const slow = ask(
    unit('() => new Promise((r) => setTimeout(() => r({ body: "done" }), 300))'),
  )
  const stuck = failure(ask(unit('() => new Promise(() => {})')))
  await eventually(() => closing.stats().processes === 2)
  await sleep(200)
  await closing.close(4_000)
  expect(await slow).toMatchObject({ body: 'done' })
  expect(await stuck).toMatchObject({ reason: 'crash' })
  expect(await failure(ask(unit(givesPid)))).toMatchObject({ reason: 'crash' })
})

test('hosted code ends with a killed server, even in an endless loop', async () => {
  const pool = fileURLToPath(new URL('../dist/runner/pool.js', import.meta.url))
  const script = `
    import { createSandbox } from ${JSON.stringify(pool)}
    const sandbox = await createSandbox({ onLog: (key, line) => console.log(line.message) })
    const code = 'exports.handler = () => { process.title = "loop"; process.stdout.write("looping\\\\n"); for (;;); }'
    const unit = { key: 'b', version: '1', load: async () => Buffer.from(code), environment: async () => ({}), memoryMb: 64 }
    await sandbox.invoke(unit, { method: 'POST', path: '/', query: '', headers: {} }, { timeoutMs: 60_000, cause: null })`
  const server: ChildProcess = spawn(
    process.execPath,
    ['--input-type=module', '-e', script],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  await new Promise((resolve) => server.stdout!.once('data', resolve))
  const pid = processNamed('loop', server.pid)
  expect(isAlive(pid)).toBe(true)
  server.kill('SIGKILL')
  await eventually(() => !isAlive(pid))
})

test('starts an SDK bot in a fraction of a second, and counts cold starts', async () => {
  const bundle = readFileSync(
    new URL('../../../examples/echo-bot/dist/bot.cjs', import.meta.url),
    'utf8',
  )
  const headers = {
    'x-bot-id': 'bot_1',
    'x-bp-operation': 'ping',
    'x-bp-type': 'ping',
    'x-bp-configuration': 'e30=',
  }
  const code = unit('', { load: async () => Buffer.from(bundle), memoryMb: 256 })
  const before = sandbox.stats().coldStarts
  const request = { method: 'POST', path: '/', query: '', headers, body: '{}' }
  expect(
    await sandbox.invoke(code, request, { timeoutMs: 10_000, cause: null }),
  ).toMatchObject({
    status: 200,
  })
  expect(sandbox.stats().coldStarts).toBe(before + 1)
})

test('starts few processes at a time, and a slow start delays the others for a second only', async () => {
  const limit = 2 * availableParallelism()
  let loading = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const slow = async () => {
    loading++
    await released
    return Buffer.from('exports.handler = async () => ({ body: "up" })')
  }
  const calls = Array.from({ length: limit + 2 }, () =>
    call(unit('', { load: slow }), '{}', { timeoutMs: 30_000 }),
  )
  await sleep(300)
  expect(loading).toBe(limit)
  await expect.poll(() => loading, { timeout: 10_000 }).toBe(limit + 2)
  release()
  for (const { body } of await Promise.all(calls)) expect(body).toBe('up')
})

test('logs a stack trace as one entry, between other invocations and for uncaught errors', async () => {
  const code = unit(`({ body }) => {
    if (body === 'end') setTimeout(() => { throw new RangeError('fatal') })
    for (let i = 0; i < 3; i++) console.error(Object.assign(new Error(body + ' ' + i), { details: { a: 1 } }))
    console.error('plain'); console.error(JSON.stringify({ msg: 'told', level: 'warn' }))
    return body === 'end' ? new Promise(() => {}) : new Promise((resolve) => setTimeout(resolve, 20))
  }`)
  await Promise.all(['one', 'two'].map((body) => call(code, body)))
  const entries = () =>
    logs.filter(({ key }) => key === code.key).map(({ line }) => line.message)
  await expect.poll(() => entries().length).toBe(10)
  for (const name of ['one', 'two'])
    for (const i of [0, 1, 2])
      expect(
        entries().filter(
          (text) => text.startsWith(`Error: ${name} ${i}\n    at `) && text.endsWith('}'),
        ),
      ).toHaveLength(1)
  expect(entries().filter((text) => text === 'plain' || text === 'told')).toHaveLength(4)
  await call(code, 'end').catch(() => {})
  const fatal = () => entries().filter((text) => text.includes('RangeError: fatal'))
  await expect
    .poll(fatal)
    .toEqual([
      expect.stringMatching(/^bot\.cjs:\d+\n.*RangeError: fatal\n {4}at .*Node\.js v/s),
    ])
})
