// A copy of this clone, of which a test may change the sources, and its commands. Libraries are links.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const copied = [
  'packages',
  'scripts',
  'examples',
  'docs',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
]
/** Pages take long to build; each test decides on them. */
const left =
  /[\\/](?:node_modules|test|\.temp|cache)$|[\\/]server[\\/]dist[\\/](?:dashboard|docs)$/

const maxWaitMs = 240_000

export interface Clone {
  folder: string
  /** Replaces a text in a file; fails if it is not there. */
  edit(path: string, change: (text: string) => string): void
  /** Starts a script of the clone, on a free port unless `env` sets one. */
  run(script: string, env?: Record<string, string>): RunningCommand
  /** The same with `npm run` and the name of a script in package.json. */
  runNpm(name: 'start' | 'dev'): RunningCommand
  remove(): Promise<void>
}

export interface RunningCommand {
  pid: number
  /** Everything that it has printed. */
  output: () => string
  /** The longest time without output, in ms. */
  longestSilence: () => number
  /** Waits until the output has the text. Throws if the command ends before, or after four minutes. */
  untilPrinted(text: string | RegExp): Promise<void>
  /** Sends SIGINT to its processes, as Ctrl+C does, and returns the exit code. */
  interrupt(): Promise<number | null>
  /** Sends SIGINT to its first process alone, as `kill -INT` does, and waits for its end. */
  interruptFirst(): Promise<void>
}

export function copyClone(): Clone {
  const folder = mkdtempSync(join(tmpdir(), 'botstead-clone-'))
  const dataFolder = join(folder, 'data')
  for (const name of copied)
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => !left.test(path),
    })
  linkLibraries(folder)
  const commands: ChildProcess[] = []
  const start = (program: string, args: string[], env: Record<string, string>) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, BOTSTEAD_DATA: dataFolder, BOTSTEAD_PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    commands.push(child)
    return follow(child)
  }
  return {
    folder,
    edit(path, change) {
      const text = readFileSync(join(folder, path), 'utf8')
      const changed = change(text)
      if (changed === text) throw new Error(`${path} has not changed`)
      writeFileSync(join(folder, path), changed)
    },
    // As npm sets it: the command ends with its parent.
    run: (script, env = {}) =>
      start(process.execPath, [join(folder, script)], {
        npm_lifecycle_event: 'start',
        ...env,
      }),
    runNpm: (name) => start('npm', ['run', name], {}),
    async remove() {
      for (const child of commands)
        if (child.exitCode === null && child.signalCode === null) await interrupt(child)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Our packages are those of the copy. */
function linkLibraries(folder: string) {
  symlinkSync(join(root, 'tools'), join(folder, 'tools'))
  const libraries = join(folder, 'node_modules')
  mkdirSync(join(libraries, '@botstead'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@botstead' && name !== '.cache' && name !== '.vite')
      symlinkSync(join(root, 'node_modules', name), join(libraries, name))
  for (const name of readdirSync(join(folder, 'packages'))) {
    symlinkSync(
      join(folder, 'packages', name),
      join(libraries, '@botstead', basename(name)),
    )
    const own = join(root, 'packages', name, 'node_modules')
    if (existsSync(own)) symlinkSync(own, join(folder, 'packages', name, 'node_modules'))
  }
}

function follow(child: ChildProcess): RunningCommand {
  let output = ''
  let longest = 0
  let last = performance.now()
  const receive = (text: Buffer) => {
    output += text
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  child.stdout!.on('data', receive)
  child.stderr!.on('data', receive)
  return {
    pid: child.pid!,
    output: () => output,
    longestSilence: () => longest,
    async untilPrinted(text) {
      const isPrinted = () =>
        typeof text === 'string' ? output.includes(text) : text.test(output)
      const deadline = performance.now() + maxWaitMs
      while (!isPrinted()) {
        if (
          child.exitCode !== null ||
          child.signalCode !== null ||
          performance.now() > deadline
        )
          throw new Error(`The command does not print ${text}:\n${output}`)
        await pause(50)
      }
    },
    interrupt: () => interrupt(child),
    async interruptFirst() {
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      await ended
    },
  }
}

function interrupt(child: ChildProcess): Promise<number | null> {
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  process.kill(-child.pid!, 'SIGINT')
  return ended
}

/** How many times longer than alone a computation takes on this machine now: 1 on an idle one. */
export function measureSlowdown(): number {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  const used = () => process.cpuUsage(before)
  while (used().user + used().system < 200_000);
  return Math.max(1, (performance.now() - startedAt) / 200)
}
