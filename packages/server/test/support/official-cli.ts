// The official command line `bp` from npm, in separate processes: against a test server, with its
// own home folder, on projects that are copied to a place where its SDK can be resolved.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

const installed =
  process.env.BOTSTEAD_OFFICIAL_CLI ??
  dirname(createRequire(import.meta.url).resolve('@botpress/cli/package.json'))
const sources = fileURLToPath(new URL('official-cli', import.meta.url))

export interface Ended {
  code: number | null
  /** The output of both streams. */
  output: string
}

export interface RunningCommand {
  output(): string
  /** Stops it and its child processes. */
  stop(): Promise<void>
}

export interface OfficialCli {
  run(
    args: string[],
    options?: { project?: string; env?: NodeJS.ProcessEnv },
  ): Promise<Ended>
  /** Returns the JSON output of a command. Throws when the command fails. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read from it what they assert
  json(args: string[]): Promise<any>
  start(
    args: string[],
    options: { project: string; env?: NodeJS.ProcessEnv },
  ): RunningCommand
  /** Copies a project from this folder, or a template of the command line. Returns its folder. */
  project(name: string, as?: string): string
  /** Returns the command line's cache of a project, such as the bot id. */
  remembered(project: string): Record<string, string>
  remove(): Promise<void>
}

/** `registry` returns the newest version; invalid responses are ignored. */
export function openOfficialCli({ registry }: { registry: string }): OfficialCli {
  const folder = createFolder()
  const settings = environment(folder, registry)
  const running = new Set<RunningCommand>()

  // In its own process group, because `bp dev` starts a child process.
  const launch = (
    args: string[],
    { project = folder, env = {} }: { project?: string; env?: NodeJS.ProcessEnv } = {},
  ) =>
    spawn(process.execPath, [join(installed, 'bin.js'), ...args], {
      cwd: project,
      env: { ...settings, ...env },
      stdio: ['ignore', 'pipe', 'pipe'] as const,
      detached: true,
    })

  async function run(
    args: string[],
    options?: { project?: string; env?: NodeJS.ProcessEnv },
  ) {
    const child = launch(args, options)
    const output = heard(child)
    const [code] = await once(child, 'close')
    return { code, output: output() }
  }

  return {
    run,
    async json(args) {
      const { code, output } = await run([...args, '--json'])
      if (code !== 0)
        throw new Error(`bp ${args.join(' ')} ended with ${code}:\n${output}`)
      return JSON.parse(output)
    },
    start(args, options) {
      const child = launch(args, options)
      const output = heard(child)
      const ended = once(child, 'close')
      const command = {
        output,
        async stop() {
          running.delete(command)
          if (child.exitCode === null && child.signalCode === null)
            process.kill(-child.pid!, 'SIGKILL')
          await ended
        },
      }
      running.add(command)
      return command
    },
    project: (name, as = name) => createProject(name, join(folder, as)),
    remembered: (project) =>
      JSON.parse(readFileSync(join(project, '.botpress/project.cache.json'), 'utf8')),
    async remove() {
      for (const command of running) await command.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Creates a folder where projects find the official packages. */
function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'botstead-bp-'))
  mkdirSync(join(folder, 'node_modules'))
  // Beside it, where nothing else had other versions.
  const nested = join(installed, 'node_modules/@botpress')
  symlinkSync(
    existsSync(nested) ? nested : dirname(installed),
    join(folder, 'node_modules/@botpress'),
  )
  return folder
}

function environment(folder: string, registry: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(BP_|VITEST|NODE_OPTIONS|NODE_ENV)/.test(name),
  )
  return {
    ...Object.fromEntries(inherited),
    BP_BOTPRESS_HOME: join(folder, 'home'),
    BP_CONFIRM: 'true',
    npm_config_registry: registry,
  }
}

/** Copies a template of the command line, or a project from this folder. */
function createProject(name: string, project: string): string {
  const template = join(installed, 'templates', name)
  cpSync(existsSync(template) ? template : join(sources, name), project, {
    recursive: true,
  })
  writeFileSync(
    join(project, 'tsconfig.json'),
    '{ "compilerOptions": { "baseUrl": "." } }',
  )
  writeFileSync(join(project, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(project, 'hub.md'), `# ${name}\n`)
  return project
}

function heard(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream
      .setEncoding('utf8')
      .on('data', (chunk) => (text += stripVTControlCharacters(chunk)))
  return () => text
}
