// The promises of docs/security.md for hosted code: each ✓ of its table, in each isolation tier of
// this machine. The server is this process: it must survive, and other code must answer meanwhile.
import cp, { execFileSync } from 'node:child_process'
import fs, {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import net, { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { descendants, parseReach } from '@botstead/lib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { isIsolated, tiers, warnOfMissingTools } from '../../server/test/support/tiers.ts'
import { InvocationFailed } from './invocation/invocation.ts'
import { availableIsolations, getTier, type Tier } from './isolation.ts'
import { findLauncher, type Launcher } from './launch.ts'
import { megabyte, residentBytes } from './runner/memory.ts'
import { createSandbox } from './runner/pool.ts'
import type { CodeUnit, LogLine, Sandbox } from './sandbox.ts'
import { serverlessNode } from './serverless-node.ts'

/** The rows of the table, with the tiers that stop each attack. */
function readPromises(): Map<string, Record<string, boolean>> {
  const text = readFileSync(
    fileURLToPath(new URL('../../../docs/security.md', import.meta.url)),
    'utf8',
  )
  const table = text
    .slice(text.indexOf('| What the code tries'))
    .split('\n\n')[0]!
    .trim()
    .split('\n')
  const [heads, , ...rows] = table.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  return new Map(
    rows.map(([what, ...marks]) => [
      what!,
      Object.fromEntries(marks.map((mark, i) => [heads![i + 1]!, mark === '✓'])),
    ]),
  )
}
const promises = readPromises()
function parseColumn(tier: Tier): string {
  if (tier === 2) return 'Tier 2'
  return process.getuid?.() === 0 ? 'Tier 1, server is root' : 'Tier 1'
}

let folder: string
let api: HttpServer
let apiUrl: string
/** Servers on this machine that every local process can reach. */
const neighbours: Server[] = []
let port = 0
let visitors = 0
const abstractName = `\0botstead-${process.pid}`

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'botstead-hostile-'))
  chmodSync(folder, 0o777)
  writeFileSync(join(folder, 'master.key'), 'not for hosted code')
  api = createHttpServer((_request, response) => response.end('{}'))
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  apiUrl = `http://127.0.0.1:${(api.address() as { port: number }).port}`
  for (const place of [0, join(folder, 'socket'), abstractName]) {
    const server = createServer((socket) => {
      visitors += 1
      socket
        .on('error', () => {})
        .end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\ncome in\n')
    })
    await new Promise<void>((resolve) => server.listen(place, resolve))
    neighbours.push(server)
  }
  chmodSync(join(folder, 'socket'), 0o777)
  port = (neighbours[0]!.address() as { port: number }).port
})
afterAll(() => {
  api.closeAllConnections()
  for (const server of [api, ...neighbours]) server.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Den {
  sandbox: Sandbox
  launcher: Launcher
  logs: LogLine[]
  /** Addresses requested from the egress, and whether they would be allowed. */
  asked: [address: string, may: boolean][]
  ask(
    code: CodeUnit,
    body?: string,
    timeoutMs?: number,
  ): Promise<{ status: number; body: string }>
  /** Returns the reason of the failure. */
  fails(code: CodeUnit, body?: string, timeoutMs?: number): Promise<string>
  close(): Promise<void>
}

let units = 0
function unit(handler: string): CodeUnit {
  units += 1
  return {
    key: `bot_${units}`,
    version: '1',
    load: async () => Buffer.from(`exports.handler = ${handler}`),
    environment: async () => ({ BP_API_URL: apiUrl }),
    memoryMb: 64,
  }
}

/** `bare` disables Node's permission flag, as if it had a flaw. */
async function openDen(tier: Tier, bare = false): Promise<Den> {
  const logs: LogLine[] = []
  const asked: Den['asked'] = []
  const ways = availableIsolations().map((way) => ({ ...way, permission: !bare }))
  let launcher: Launcher | null = null
  const sandbox = await createSandbox({
    onLog: (_key, line) => logs.push(line),
    egress: {
      apiUrls: () => [apiUrl],
      serve: (socket) => api.emit('connection', socket),
      // No test connects to other machines.
      reach(address) {
        const may = parseReach('public')!(address)
        asked.push([address, may])
        return may && address.startsWith('127.')
      },
    },
    async find(options) {
      const found = await findLauncher({
        ...options,
        minTier: tier,
        maxTier: tier,
        isolations: bare ? ways.filter((way) => getTier(way) === tier) : ways,
      })
      launcher = found.launcher
      return found
    },
  })
  const ask: Den['ask'] = (code, body = '', timeoutMs = 20_000) =>
    sandbox.invoke(
      code,
      { method: 'POST', path: '/', query: '', headers: {}, body },
      { timeoutMs, cause: null },
    )
  const fails: Den['fails'] = async (...what) => {
    const outcome = await ask(...what).catch((error: unknown) => error)
    if (outcome instanceof InvocationFailed)
      return `${outcome.reason}: ${outcome.message}`
    const { status, body } = outcome as { status: number; body: string }
    expect([status, body]).toEqual([500, expect.anything()])
    return JSON.parse(body).error
  }
  return {
    sandbox,
    launcher: launcher!,
    logs,
    asked,
    ask,
    fails,
    close: () => sandbox.close(0),
  }
}

/**
 * Returns the attempts that succeed. Each is the body of an async function that throws when it is
 * stopped.
 */
async function could({ ask }: Den, tries: string[]): Promise<string[]> {
  const list = tries.map((code) => `[${JSON.stringify(code)}, async () => { ${code} }]`)
  const code = unit(`async () => {
    const fs = require('fs'), net = require('net'), cp = require('child_process')
    const hear = (options) => new Promise((yes, no) => net.connect(options).on('data', yes).on('error', no).setTimeout(1000, () => no(new Error('silence'))))
    const done = []
    for (const [name, attempt] of [${list}]) try { await attempt(); done.push(name) } catch {}
    return { body: JSON.stringify(done) }
  }`)
  return JSON.parse((await ask(code)).body)
}

function running(title: string): number {
  const titles = descendants(process.pid).map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
    } catch {
      return ''
    }
  })
  return titles.filter((one) => one.startsWith(title)).length
}

/** The maximum resident memory of a child process during the attack, in bytes. */
async function peakDuring(attack: Promise<unknown>): Promise<number> {
  let over = false
  let peak = 0
  const ended = attack.finally(() => {
    over = true
  })
  while (!over) {
    for (const bytes of (await residentBytes(descendants(process.pid))).values())
      peak = Math.max(peak, bytes)
    await pause(25)
  }
  await ended
  return peak
}

const hoards = [
  'const all = []; for (;;) all.push(new Array(1e5).fill({}).map(() => ({})))',
  'const all = []; for (;;) all.push(Buffer.alloc(1e7, 1))',
  'return { body: String(Buffer.alloc(4e9, 1).length) }',
  'const all = []; for (;;) all.push(new Uint8Array(new SharedArrayBuffer(1e7)).fill(1))',
  'const all = []; for (;;) { const { buffer } = new WebAssembly.Memory({ initial: 160 }); new Uint8Array(buffer).fill(1); all.push(buffer) }',
]
const endings: [string, RegExp][] = [
  ['process.exit(3)', /^crash: The code ended its process with exit code 3$/],
  ['process.abort()', /^crash: The process was ended by SIGABRT$/],
  ['process.kill(process.pid, "SIGKILL")', /^crash: The process was ended by SIGKILL$/],
  [
    'setTimeout(() => { throw new RangeError("later") })',
    /^crash: The code ended its process: uncaught: RangeError: later$/,
  ],
  [
    'void Promise.reject(new Error("nobody"))',
    /^crash: The code ended its process: unhandled rejection: Error: nobody$/,
  ],
  [
    'process.on("uncaughtException", () => process.exit(0)); setTimeout(() => { throw 1 })',
    /^crash: The code ended its process/,
  ],
]
const frames = `const frame = (value) => { const text = Buffer.from(JSON.stringify(value)); const size = Buffer.alloc(4); size.writeUInt32BE(text.length); return Buffer.concat([size, text]) }
  const line = process._getActiveHandles().find((handle) => handle.fd === 3 || handle._handle?.fd === 3);`
const answers: [string, RegExp][] = [
  ['return { body: "z".repeat(2e6) }', /^too-large: .*2000000 bytes/],
  [
    'return { headers: Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => ["h" + i, "v"])) }',
    /^(too-large|crash): /,
  ],
  [
    `${frames} line.write("no frame at all, but a text"); await new Promise(() => {})`,
    /^crash: The process sent an invalid frame to the server$/,
  ],
  [
    `${frames} for (let i = 0; i < 200; i++) line.write(frame({ type: "answered", id: 99, response: { status: 200, headers: {}, body: "" } })); await new Promise(() => {})`,
    /^crash: The process sent answers to requests that it never received$/,
  ],
]
const secrets = () => [
  join(folder, 'master.key'),
  '/etc/passwd',
  `/proc/${process.pid}/environ`,
  `/proc/${process.pid}/mem`,
  fileURLToPath(import.meta.url),
]
const folders = () => [process.cwd(), folder, `/proc/${process.pid}/fd`, '/etc', '/home']
const reading = () => [
  ...secrets().flatMap((file) => [
    `fs.readFileSync('${file}')`,
    `await fs.promises.readFile('${file}')`,
  ]),
  ...folders().map((place) => `fs.readdirSync('${place}')`),
  `require('${join(folder, 'master.key')}')`,
  `await import('file://${join(folder, 'master.key')}')`,
  `fs.symlinkSync('${join(folder, 'master.key')}', '/tmp/link'); fs.readFileSync('/tmp/link')`,
  `new (require('node:sqlite').DatabaseSync)('${join(folder, 'master.key')}')`,
]
const writing = () => [
  ...['written', '../written'].map(
    (name) => `fs.writeFileSync('${folder}/${name}', 'x')`,
  ),
  `fs.writeFileSync('${folder}/master.key', 'x')`,
  `fs.symlinkSync('/etc/passwd', '${folder}/link')`,
  `fs.linkSync('${folder}/master.key', '${folder}/hard')`,
  `fs.mkdirSync('${folder}/made')`,
  `fs.rmSync('${folder}/master.key')`,
  `fs.chmodSync('${folder}/master.key', 0)`,
]
const programs = ['/bin/sh', '/usr/bin/env'].map(
  (file) => `if (cp.spawnSync('${file}', ['-c', 'true']).error) throw 1`,
)
const ports = () => [
  ...[
    '127.0.0.1',
    'localhost',
    '0.0.0.0',
    '::1',
    '::ffff:127.0.0.1',
    '2130706433',
    '0x7f.1',
  ].map((host) => `await hear({ host: '${host}', port: ${port} })`),
  `await new Promise((yes, no) => { const s = new net.Socket(); s.connect(${port}, '127.0.0.1').on('data', yes).on('error', no) })`,
  `await (await fetch('http://127.0.0.1:${port}/')).text()`,
]
const sockets = () => [
  `await hear({ path: '${folder}/socket' })`,
  `await hear({ path: ${JSON.stringify(abstractName)} })`,
]
const signals = () =>
  [process.pid, ...descendants(process.pid).slice(0, 3)]
    .filter((pid) => pid > 200)
    .map((pid) => `process.kill(${pid}, 0)`)

/** The limit is reported, or V8 crashes on the rejected allocation before. */
const outOfMemory =
  /^crash: The code ran out of memory \(64 MB\)$|^crash: The process was ended by SIG(SEGV|TRAP|ABRT)$|^RangeError: .*(allocat|memory)/i

/** One attack per row of the table. Throws when it is not stopped. */
const attacks: Record<string, (den: Den, tier: Tier) => Promise<void>> = {
  async 'endless loops, also in promises'({ fails }) {
    const loops = [
      'for (;;);',
      'for (;;) await null',
      'process.on("SIGTERM", () => {}); for (;;);',
    ]
    const reasons = await Promise.all(
      loops.map((loop) =>
        fails(unit(`async () => { process.title = 'looping'; ${loop} }`), '', 6_000),
      ),
    )
    for (const reason of reasons)
      expect(reason).toMatch(/^timeout: No answer within \d+ ms$/)
    await vi.waitFor(() => expect(running('looping')).toBe(0), 5_000)
  },
  async 'more memory than it has: heap, buffers, shared memory, WebAssembly'({
    fails,
    launcher,
  }) {
    for (const hoard of hoards) {
      const failing = fails(unit(`async () => { ${hoard} }`))
      const peak = await peakDuring(failing)
      expect([hoard, await failing]).toEqual([hoard, expect.stringMatching(outOfMemory)])
      expect([hoard, peak < launcher.residentLimit(64) + 50 * megabyte]).toEqual([
        hoard,
        true,
      ])
    }
  },
  async 'ending or crashing its process, once or repeatedly'({ ask, fails, sandbox }) {
    const reasons = await Promise.all(
      endings.map(([code]) =>
        fails(unit(`async () => { ${code}; await new Promise(() => {}) }`)),
      ),
    )
    for (const [i, reason] of reasons.entries()) expect(reason).toMatch(endings[i]![1])
    const again = unit(
      '(request) => request.body === "end" ? process.exit(1) : { body: "well" }',
    )
    expect(await fails(again, 'end')).toContain('exit code 1')
    expect(await ask(again)).toMatchObject({ body: 'well' })
    const begun = sandbox.stats().coldStarts
    const since = performance.now()
    const loop = unit('() => process.exit(1)')
    while (performance.now() - since < 1_500)
      await Promise.all([fails(loop), fails(loop), pause(50)])
    expect(sandbox.stats().coldStarts - begun).toBeLessThanOrEqual(
      1 + (performance.now() - since) / 1_000,
    )
  },
  async 'floods of logs'({ ask, logs }) {
    const before = process.memoryUsage().rss
    const flood =
      'for (let i = 0; i < 200; i++) process.stdout.write((i % 2 ? "y".repeat(100) + "\\n" : "z\\0\\x1b[31m").repeat(1000))'
    await ask({ ...unit(`() => { ${flood} }`), memoryMb: 256 })
    await vi.waitFor(
      () =>
        expect(
          logs.some(
            ({ level, message }) => level === 'warn' && message.includes('were dropped'),
          ),
        ).toBe(true),
      10_000,
    )
    expect(logs.reduce((sum, { message }) => sum + message.length, 0)).toBeLessThan(
      2 * megabyte,
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(80 * megabyte)
  },
  async 'responses that are too large, malformed or unrequested'({ fails }) {
    const reasons = await Promise.all(
      answers.map(([code]) => fails(unit(`async () => { ${code} }`))),
    )
    for (const [i, reason] of reasons.entries()) expect(reason).toMatch(answers[i]![1])
  },
  async 'programs, threads, fork bombs'(den) {
    const bombs = [
      "for (;;) cp.spawn(process.execPath, ['-e', 'for (;;);'])",
      `cp.fork('/bot.cjs')`,
      `new (require('worker_threads').Worker)('for (;;);', { eval: true })`,
    ]
    expect(
      await could(den, [...programs, ...bombs, `require('cluster').fork()`]),
    ).toEqual([])
  },
  async 'reading files: keys, databases, code, system files'(den) {
    expect(await could(den, reading())).toEqual([])
  },
  async 'environment, memory and open files of other processes'(den) {
    const files = ['environ', 'mem', 'maps', 'cmdline', 'fd/0'].map(
      (name) => `fs.readFileSync('/proc/${process.pid}/${name}')`,
    )
    expect(
      await could(den, [
        ...files,
        `if (Object.keys(process.env).filter((name) => !${JSON.stringify(Object.keys(serverlessNode))}.includes(name)).join() === 'BP_API_URL') throw 1`,
        `fs.readdirSync('/proc')`,
      ]),
    ).toEqual([])
  },
  async 'writing files, links, large files, except for its temporary folder in tier 2'(
    den,
    tier,
  ) {
    const elsewhere = [
      '/',
      '/dev/',
      '/dev/shm/',
      '/proc/',
      ...(tier === 1 ? ['/tmp/'] : []),
    ]
    const large = elsewhere.map(
      (place) => `fs.writeFileSync('${place}large', Buffer.alloc(2e7))`,
    )
    const links = [
      `fs.symlinkSync('../etc', '/tmp/link')`,
      `fs.linkSync('/tmp/large', '/dev/shm/large')`,
    ]
    expect(await could(den, [...writing(), ...large, ...links])).toEqual([])
    expect(readdirSync(folder).sort()).toEqual(['master.key', 'socket'])
    expect(readFileSync(join(folder, 'master.key'), 'utf8')).toBe('not for hosted code')
  },
  async 'filling the temporary folder, with large files or with many'({ fails }, tier) {
    const name = (i: string) => `'/tmp/${'x'.repeat(20)}' + ${i}`
    const large = `for (let i = 0; ; i++) fs.writeFileSync(${name('i')}, Buffer.alloc(1e7))`
    const many = `for (let i = 0; ; i++) { fs.writeFileSync(${name('i')}, ''); if (i % 1e3 === 0) await pause() }`
    const filling = (code: string) =>
      unit(
        `async () => { const fs = require('fs'), pause = () => new Promise(setImmediate); ${code} }`,
      )
    const stopped = tier === 1 ? /restricted/ : /ENOSPC|ran out of memory/
    for (const code of [large, many])
      expect([code, await fails(filling(code))]).toEqual([
        code,
        expect.stringMatching(stopped),
      ])
  },
  async 'native code, Node internals, the inspector'(den) {
    const libraries = `process.dlopen({ exports: {} }, '${process.execPath}')`
    const insides = ['fs', 'spawn_sync', 'process_wrap', 'tcp_wrap'].map(
      (name) => `process.binding('${name}')`,
    )
    expect(
      await could(den, [
        libraries,
        ...insides,
        `new (require('inspector').Session)().connect()`,
        `require('inspector').open(0)`,
      ]),
    ).toEqual([])
  },
  async 'opening unlimited file descriptors'({ ask }) {
    const greedy = unit(`async () => {
      let open = 0
      const one = () => new Promise((yes, no) => require('net').createServer().once('error', no).listen(0, '127.0.0.1', yes))
      try { for (;;) { await one(); open++ } } catch ({ code }) { return { body: code + ' ' + (open < 256) } }
    }`)
    expect(await ask(greedy)).toMatchObject({ body: 'EMFILE true' })
  },
  async 'signals to the server and to other code'(den) {
    expect(await could(den, signals())).toEqual([])
  },
  async 'ports of this machine'(den) {
    const before = visitors
    expect(await could(den, ports())).toEqual([])
    expect(visitors).toBe(before)
  },
  async 'sockets of this machine, by path or by abstract name'(den) {
    expect(await could(den, sockets())).toEqual([])
  },
  async 'private networks, addresses of cloud metadata'(den) {
    den.asked.length = 0
    const places = [
      '169.254.169.254',
      '10.0.0.1',
      '192.168.1.1',
      '172.16.0.1',
      'fd00::1',
      'fe80::1',
      '100.64.0.1',
    ]
    const network = `if (Object.values(require('os').networkInterfaces()).flat().every(({ internal }) => internal)) throw 1`
    expect(
      await could(den, [
        ...places.map((host) => `await hear({ host: '${host}', port: 80 })`),
        network,
      ]),
    ).toEqual([])
    expect(den.asked).toEqual(places.map((host) => [host, false]))
  },
  async 'listening where others can connect'({ ask }) {
    const { body } = await ask(
      unit(`() => new Promise((resolve) => {
      const server = require('net').createServer((socket) => socket.end('hostile'))
      server.listen(0, '0.0.0.0', () => resolve({ body: String(server.address().port) }))
    })`),
    )
    const heard = new Promise<string>((resolve) => {
      const socket = connect(Number(body), '127.0.0.1')
      socket
        .on('data', (chunk) => resolve(String(chunk)))
        .on('error', ({ message }) => resolve(message))
        .on('close', () => resolve('closed'))
    })
    expect(await heard).not.toContain('hostile')
  },
  async 'access through a flaw in Node’s permission flag'(_den, tier) {
    const bare = await openDen(tier, true)
    try {
      // The sandbox has its own file system and processes, which the code may change.
      const outside = [
        ...reading(),
        ...writing(),
        ...programs,
        ...ports(),
        ...sockets(),
        ...signals(),
      ].filter(
        (code) => !code.includes("'../written'") && !code.includes("readdirSync('/etc')"),
      )
      expect(await could(bare, outside)).toEqual([])
      expect(readdirSync(folder).sort()).toEqual(['master.key', 'socket'])
      const bomb = unit(
        `() => { const cp = require('child_process'); process.title = 'bombing'; for (;;) cp.spawn(process.execPath, ['-e', 'process.title = "bombing"; for (;;);']) }`,
      )
      expect(await bare.fails(bomb, '', 3_000)).toMatch(/^timeout: |^crash: |EAGAIN/)
      await vi.waitFor(() => expect(running('bombing')).toBe(0), 5_000)
      const full = unit(
        `() => { const fs = require('fs'); for (let i = 0; ; i++) fs.writeFileSync('/tmp/' + i, Buffer.alloc(1e7)) }`,
      )
      expect(await bare.fails(full)).toMatch(/ENOSPC|ran out of memory/)
      const rest = ['/', '/dev/', '/dev/shm/'].map(
        (place) => `fs.writeFileSync('${place}x', 'x')`,
      )
      expect(await could(bare, rest)).toEqual([])
    } finally {
      await bare.close()
    }
  },
}

warnOfMissingTools()

test('every row of the table has an attack', () => {
  const kept = [...promises]
    .filter(([, marks]) => Object.values(marks).includes(true))
    .map(([what]) => what)
  expect(kept.sort()).toEqual(Object.keys(attacks).sort())
})

test('the attacks succeed without a sandbox', async () => {
  const hear = (options: object) =>
    new Promise((yes, no) =>
      connect(options as never)
        .on('data', yes)
        .on('error', no),
    )
  const attempt = (code: string) =>
    new Function('fs', 'net', 'cp', 'hear', `return (async () => { ${code} })()`)(
      fs,
      net,
      cp,
      hear,
    )
  const harmless = [
    ...reading().filter((code) => code.startsWith('fs.read') && !code.endsWith("/mem')")),
    ...programs,
    ...ports(),
    ...sockets(),
    ...signals(),
  ]
  const stopped = await Promise.all(
    harmless.map((code) =>
      attempt(code).then(
        () => null,
        () => code,
      ),
    ),
  )
  expect(stopped.filter((code) => code !== null)).toEqual([])
})

describe.each(tiers)('tier %i', (tier) => {
  let den: Den
  const bystander = unit('() => ({ body: "well" })')
  beforeAll(async () => {
    den = await openDen(tier)
    expect(den.launcher.tier).toBe(tier)
  })
  afterAll(() => den.close())

  const kept = [...promises]
    .filter(([, marks]) => marks[parseColumn(tier)])
    .map(([what]) => what)
  test.each(kept)('%s', { timeout: 60_000 }, async (what) => {
    let isOver = false
    const attack = attacks[what]!(den, tier).finally(() => {
      isOver = true
    })
    // Calls during the whole attack, and once after it.
    const meanwhile = async () => {
      for (let last = false; !last; await pause(50)) {
        last = isOver
        expect(await den.ask(bystander)).toMatchObject({ body: 'well' })
      }
    }
    await Promise.all([attack, meanwhile()])
  })
})

test.runIf(isIsolated)(
  'in its own namespaces, code has no capabilities and cannot get any',
  async () => {
    const den = await openDen(2)
    await den.ask(unit('() => { process.title = "inside" }'))
    const pid = descendants(process.pid).find((one) =>
      readFileSync(`/proc/${one}/cmdline`, 'latin1').startsWith('inside'),
    )
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    expect(status).toMatch(/^CapEff:\t0+$/m)
    expect(status).toMatch(/^CapBnd:\t0+$/m)
    expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    await den.close()
  },
)

const probing = fileURLToPath(new URL('../dist/launch.js', import.meta.url))
const probe = (minTier: Tier) => `
  const { findLauncher } = await import(${JSON.stringify(probing)})
  const { launcher, missed } = await findLauncher({ minTier: ${minTier} })
  console.log(JSON.stringify([launcher?.tier ?? null, missed.join()]))
  process.exit()`
/** Runs a process in an environment without these features. */
const inWorld = (without: string[], minTier: Tier): [number | null, string] =>
  JSON.parse(
    execFileSync(
      'bwrap',
      [...without, '--', process.execPath, '--input-type=module', '-e', probe(minTier)],
      {
        encoding: 'utf8',
      },
    ),
  )

test.runIf(isIsolated).each([
  [
    'without bubblewrap',
    ['--dev-bind', '/', '/', '--ro-bind', '/dev/null', '/usr/bin/bwrap'],
    'not installed',
  ],
  [
    'without user namespaces',
    ['--unshare-user', '--disable-userns', '--dev-bind', '/', '/'],
    'namespace',
  ],
])(
  '%s the tier is lower and reported; requiring the higher tier fails',
  (_world, without, why) => {
    expect(inWorld(without, 1)).toEqual([1, expect.stringContaining(why)])
    expect(inWorld(without, 2)).toEqual([null, expect.stringContaining(why)])
  },
)
