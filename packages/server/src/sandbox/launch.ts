// How a runner process comes to be, and what keeps it in its place. The floor, which every system has: a process group of its own, an empty environment,
// Node's permission flag (no files, no processes, no workers), a ceiling on the JavaScript heap, the lowest priority. With the tools of util-linux also hard limits
// on memory and files, no new privileges, and death with the server; when the server is root, a user of its own. What works is found out
// by starting a runner, and is told, never assumed. A stronger wall is another Launcher.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { delimiter, join } from 'node:path'

export interface Launcher {
  /** What it protects with, in words for the operator. */
  protections: string[]
  /** Starts a runner that says `ready` on file descriptor 3. */
  start(memoryMb: number): ChildProcess
  /** How many bytes of memory a runner with this budget may really use. */
  residentLimit(memoryMb: number): number
}

/** Throws when not even the simplest runner starts. */
export async function findLauncher(): Promise<Launcher> {
  const tools = { setpriv: findTool('setpriv'), prlimit: findTool('prlimit') }
  const none = { setpriv: null, prlimit: null }
  const root = process.getuid?.() === 0
  const ways: Way[] = [
    { ...tools, ownUser: root },
    { ...tools, ownUser: false },
    { ...none, ownUser: root },
    { ...none, ownUser: false },
  ]
  let failure = ''
  for (const way of ways) {
    const probe = await probeWay(way).catch((error: Error) => error.message)
    if (typeof probe !== 'string') return createLauncher(way, probe)
    failure = probe
  }
  throw new Error(`Hosted code cannot run here: ${failure}`)
}

interface Way {
  setpriv: string | null
  prlimit: string | null
  /** Each process is another user's. */
  ownUser: boolean
}
/** What an empty runner has; null where the system does not tell. */
interface Baseline {
  dataBytes: number
  residentBytes: number
}

const megabyte = 1_048_576
// Stacks of Node's own threads, which it starts when first needed.
const threadBytes = 32 * megabyte
const unknownResident = 64 * megabyte

function createLauncher(way: Way, baseline: Baseline | null): Launcher {
  return {
    protections: describeWay(way, baseline),
    start: (memoryMb) => spawnRunner(way, memoryMb, baseline && baseline.dataBytes + threadBytes + memoryMb * megabyte),
    residentLimit: (memoryMb) => (baseline?.residentBytes ?? unknownResident) + memoryMb * megabyte,
  }
}

function describeWay(way: Way, baseline: Baseline | null): string[] {
  const always = ['own process group', 'empty environment', `${permissionFlag()}`, 'lowest priority', 'watchdog on memory', 'killed at the deadline']
  if (way.prlimit) always.push(baseline ? 'limits on memory and files' : 'limits on files')
  if (way.setpriv) always.push('no new privileges', 'dies with the server')
  if (way.ownUser) always.push('a user of its own')
  return always
}

let host: Buffer | null = null
/** Compiled, also when the server itself runs from its sources. */
function hostText(): Buffer {
  host ??= readFileSync(new URL('../../dist/sandbox/bot-host.js', import.meta.url))
  return host
}

function spawnRunner(way: Way, memoryMb: number, dataBytes: number | null): ChildProcess {
  const command = [
    ...(way.setpriv ? [way.setpriv, '--pdeathsig', 'KILL', '--no-new-privs'] : []),
    ...limits(way, dataBytes),
    process.execPath,
    ...nodeFlags(memoryMb),
    '-',
  ]
  const user = way.ownUser ? freeUser() : null
  const child = spawn(command[0]!, command.slice(1), {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
    env: {},
    cwd: '/',
    windowsHide: true,
    ...(user && { uid: user, gid: user }),
  })
  child.on('error', () => {})
  // Out of file descriptors, Node leaves even the streams out.
  if (!child.stdin) throw new Error('too many open files')
  for (const stream of child.stdio) stream?.on('error', () => {})
  if (child.pid) humble(child.pid)
  if (user) holdUser(user, child)
  child.stdin.end(hostText())
  return child
}

// Ids that no system hands out. Each process has one to itself, so that hosted code can signal neither the server, nor the database, nor other bots.
const firstUser = 60_578
const users = 600
const usersInUse = new Set<number>()
let lastUser = randomInt(users)

function freeUser(): number {
  for (let tried = 0; tried < users; tried += 1) {
    lastUser = (lastUser + 1) % users
    if (!usersInUse.has(firstUser + lastUser)) break
  }
  return firstUser + lastUser
}

function holdUser(user: number, child: ChildProcess): void {
  usersInUse.add(user)
  child.on('exit', () => usersInUse.delete(user))
}

function limits(way: Way, dataBytes: number | null): string[] {
  if (!way.prlimit) return []
  return [
    way.prlimit,
    '--core=0',
    '--nofile=256',
    ...(way.ownUser ? ['--nproc=256'] : []),
    `--fsize=${64 * megabyte}`,
    ...(dataBytes ? [`--data=${dataBytes}`] : []),
  ]
}

function nodeFlags(memoryMb: number): string[] {
  const flags = [permissionFlag(), '--disable-proto=delete', '--enable-experimental-regexp-engine-on-excessive-backtracks', `--max-old-space-size=${memoryMb}`]
  // The network is not ours to close here: code has to reach our API. SQLite would open files behind the back of the permission flag.
  if (known('--allow-net')) flags.push('--allow-net')
  if (known('--experimental-sqlite')) flags.push('--no-experimental-sqlite')
  return [...flags, '--disable-warning=ExperimentalWarning', '--disable-warning=SecurityWarning', '--input-type=module']
}

const permissionFlag = () => (known('--permission') ? '--permission' : '--experimental-permission')
const known = (flag: string) => process.allowedNodeEnvironmentFlags.has(flag)

/** Last in line for the processor, first for the kernel when memory runs out. Before the first thread starts, which inherits it. */
function humble(pid: number): void {
  try {
    setPriority(pid, 19)
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {
    // It has just ended, or the system says no: nothing depends on it.
  }
}

function findTool(name: string): string | null {
  if (process.platform !== 'linux') return null
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/bin']) {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return join(folder, name)
    } catch {
      // Not in this folder.
    }
  }
  return null
}

/** Its baseline when a runner starts this way, else why it does not. */
async function probeWay(way: Way): Promise<Baseline | null | string> {
  const child = spawnRunner(way, 64, null)
  return new Promise((resolve) => {
    let said = ''
    const finish = (result: Baseline | null | string) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      resolve(result)
    }
    const timer = setTimeout(() => finish('a new process said nothing for 10 seconds'), 10_000)
    child.stderr!.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(0, 1000)
    })
    child.on('error', (error) => finish(error.message))
    child.on('close', (code) => finish(said.trim() || `a new process ended with ${code}`))
    child.stdio[3]!.on('data' as 'readable', () => finish(readBaseline(child.pid!)))
  })
}

function readBaseline(pid: number): Baseline | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const bytes = (field: string) => 1024 * Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)![1])
    return { dataBytes: bytes('VmData'), residentBytes: bytes('VmRSS') }
  } catch {
    return null
  }
}
