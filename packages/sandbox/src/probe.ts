// Verifies that a way of starting runners works and provides the isolation that its tier promises:
// a real process attacks prepared targets. For tier 2 the attacker runs without Node's permission
// flag, because the namespaces must suffice alone.
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { descendants, limitTime } from '@botstead/lib'
import type { Isolation, Tier } from './isolation.ts'
import { residentBytes } from './runner/memory.ts'
import { createRunner, type Runner } from './runner/runner.ts'
import type { StartedProcess } from './runner/starter.ts'

/** The memory of an empty runner; null where the system does not report it. */
interface Baseline {
  dataBytes: number
  residentBytes: number
}

const timeoutMs = 10_000
/** Our own code, with the lowest priority: a busy machine must not lead to a weaker isolation. */
const attackMs = 60_000

export interface ProbeResult {
  baseline: Baseline | null
  /** The attacks that failed, as shown to the operator. */
  stopped: string[]
}

/** Returns the probe's results, or why this way was rejected. */
export async function probe(
  start: (changes: Partial<Isolation>) => StartedProcess,
  tier: Tier,
  { seccomp }: Pick<Isolation, 'seccomp'>,
): Promise<ProbeResult | string> {
  const runners: Runner[] = []
  const run = (changes: Partial<Isolation>) => {
    const lines: string[] = []
    const runner = createRunner(
      start(changes),
      { responseBytes: 10_000, memoryMb: 64 },
      ({ message }) => lines.push(message),
    )
    runners.push(runner)
    return ready(runner, lines)
  }
  try {
    const [plain, attacker] = await Promise.all([
      run({}),
      tier === 2 ? run({ permission: false }) : null,
    ])
    const baseline = await readBaseline(plain.pid)
    const tries = triesIn(tier)
    const breaches = await attack(attacker ?? plain, tries, plain.pid)
    if (seccomp && !isFiltered(attacker ?? plain)) breaches.push(behindFilter)
    return breaches.length === 0
      ? { baseline, stopped: [...Object.keys(tries), ...(seccomp ? [behindFilter] : [])] }
      : `isolation failed: hosted code can ${breaches.join(', ')}`
  } catch (error) {
    return (error as Error).message
  } finally {
    for (const runner of runners) runner.end()
  }
}

async function ready(runner: Runner, lines: string[]): Promise<Runner> {
  const cancel = limitTime(
    () => runner.pid,
    timeoutMs,
    () => runner.end(),
  )
  const started = await Promise.race([
    runner.ready.then(() => true),
    runner.exited.then(() => false),
  ])
  cancel()
  if (!started)
    throw new Error(
      lines.join(' ').slice(0, 500) || 'a new process ended, or did not respond in time',
    )
  return runner
}

async function readBaseline(pid: number): Promise<Baseline | null> {
  try {
    const code = descendants(pid).at(-1) ?? pid
    const kilobytes = Number(/^VmData:\s+(\d+) kB/m.exec(readStatus(code))![1])
    const resident = (await residentBytes([pid])).get(pid)
    return resident ? { dataBytes: 1024 * kilobytes, residentBytes: resident } : null
  } catch {
    return null
  }
}

interface Bait {
  folder: string
  port: number
  /** Process id of another runner. */
  pid: number
}

const everywhere = {
  'read files': `fs.readFileSync(bait.folder + '/secret')`,
  'write files': `fs.writeFileSync(bait.folder + '/written', 'x')`,
  'start programs': `if (cp.spawnSync('/bin/sh', ['-c', 'true']).status !== 0) throw 1`,
  'open databases': `new (require('node:sqlite').DatabaseSync)(bait.folder + '/database')`,
}
const inFirstTier = {
  'start threads': `new (require('worker_threads').Worker)('0', { eval: true })`,
  'get at the inside of Node': `process.binding('fs')`,
}
const inSecondTier = {
  'see other processes': `if (fs.readdirSync('/proc').includes(String(bait.pid))) return; throw 1`,
  // A small process id may belong to the attacker's own namespace.
  'signal other processes': `if (bait.pid < 100) throw 1; process.kill(bait.pid, 0)`,
  'connect to this machine': `await reach({ host: '127.0.0.1', port: bait.port })`,
  'connect to sockets of this machine': `await reach({ path: bait.folder + '/socket' })`,
}

const behindFilter = 'make any system call'

/**
 * Returns whether the kernel reports a seccomp filter for the code, in addition to those of the
 * server. Kernels before 5.9 do not report their number.
 */
function isFiltered({ pid }: Runner): boolean {
  const code = readStatus(descendants(pid).at(-1) ?? pid)
  const [own, filters] = [readStatus('self'), code].map((status) =>
    Number(/^Seccomp_filters:\s+(\d+)$/m.exec(status)?.[1]),
  )
  return Number.isNaN(filters) ? /^Seccomp:\s+2$/m.test(code) : filters! > own!
}

const readStatus = (pid: number | 'self') => readFileSync(`/proc/${pid}/status`, 'utf8')

const triesIn = (tier: Tier): Record<string, string> => ({
  ...everywhere,
  ...(tier === 2 ? inSecondTier : inFirstTier),
})

const toAttempts = (tries: Record<string, string>) =>
  Object.entries(tries).map(
    ([name, code]) => `attempt(${JSON.stringify(name)}, async () => { ${code} })`,
  )

const toAttack = (tries: Record<string, string>) => `
  const fs = require('fs'), cp = require('child_process'), net = require('net')
  const reach = (where) => new Promise((yes, no) => net.connect(where, yes).on('error', no))
  exports.handler = async ({ body }) => {
    const bait = JSON.parse(body), breaches = []
    const attempt = async (name, run) => { try { await run(); breaches.push(name) } catch {} }
    await Promise.all([${toAttempts(tries)}])
    return { body: JSON.stringify(breaches) }
  }`

/** Returns the names of the attacks that succeeded. */
async function attack(
  runner: Runner,
  tries: Record<string, string>,
  pid: number,
): Promise<string[]> {
  const { bait, remove } = await layBait(pid)
  try {
    const code = Buffer.from(toAttack(tries))
    await runner.load(code, { compiled: null, environment: {}, timeoutMs })
    const request = {
      method: 'POST',
      path: '/',
      query: '',
      headers: {},
      body: JSON.stringify(bait),
    }
    const { body } = await runner.invoke(request, { timeoutMs: attackMs, cause: null })
    const written = ['written', 'database']
      .filter((name) => existsSync(join(bait.folder, name)))
      .map(() => 'leave files behind')
    return [...(JSON.parse(body) as string[]), ...written]
  } finally {
    remove()
  }
}

async function layBait(pid: number): Promise<{ bait: Bait; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'botstead-bait-'))
  chmodSync(folder, 0o777)
  writeFileSync(join(folder, 'secret'), 'bait')
  const servers = [await listening(0), await listening(join(folder, 'socket'))]
  chmodSync(join(folder, 'socket'), 0o777)
  const { port } = servers[0]!.address() as { port: number }
  const remove = () => {
    for (const server of servers) server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { bait: { folder, port, pid }, remove }
}

function listening(where: number | string): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => {}).destroy())
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    if (typeof where === 'number')
      server.listen(where, '127.0.0.1', () => resolve(server))
    else server.listen(where, () => resolve(server))
  })
}
