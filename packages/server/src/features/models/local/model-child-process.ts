// Starts the process of local models, and exchanges messages with it. The process has no network: by
// namespaces if bubblewrap is available, otherwise by serve-models.ts.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { permissionFlag } from '@botstead/lib'
import { withoutNetwork } from '@botstead/sandbox'
import { type ModelMessage, type ModelRequest, memorySignal } from './model-messages.ts'

/** The process ended, or computed nothing. */
export class ProcessFailure extends Error {
  /** `text`: the model cannot compute these texts. `broken`: it cannot be loaded. */
  readonly kind: 'memory' | 'time' | 'text' | 'broken' | 'other'

  constructor(message: string, kind: ProcessFailure['kind'] = 'other') {
    super(message)
    this.kind = kind
  }
}

export interface CommandOptions {
  program: 'model-child.js' | 'included-model-child.js'
  /** Folders that the process reads, beside the code of the server. */
  folders: string[]
  memoryMb: number
  /** From 0 to 19, the lowest. */
  niceness: number
}

/** Points to dist/ even when the server runs from its sources. */
const programs = new URL('../../../../dist/workers/', import.meta.url)

/**
 * Returns the folders `node_modules` that have the packages or links to them: in a clone, links may lead to
 * tools/models. Null if a package is not installed.
 */
export function findModulesFolders(names: string[]): string[] | null {
  const { resolve } = createRequire(new URL('model-child.js', programs))
  const marker = '/node_modules/'
  const folders = names.map((name) => {
    const linked = resolve.paths(name)!.find((folder) => existsSync(join(folder, name)))
    if (!linked) return null
    const path = realpathSync(join(linked, name)).replaceAll('\\', '/')
    return [linked, path.slice(0, path.indexOf(marker) + marker.length - 1)]
  })
  return folders.some((one) => one === null)
    ? null
    : [...new Set(folders.flatMap((one) => one!))]
}

/** Returns the commands to try, the strongest isolation first. */
export function toCommands({
  program,
  folders,
  memoryMb,
  niceness,
}: CommandOptions): string[][] {
  const node = [
    process.execPath,
    permissionFlag,
    '--allow-fs-read=*',
    '--allow-worker',
    '--allow-addons',
    `--max-old-space-size=${memoryMb}`,
    '--disable-proto=delete',
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    fileURLToPath(new URL(program, programs)),
    String(memoryMb * 1_048_576),
    String(niceness),
  ]
  const isolated = withoutNetwork(node, [
    ...new Set([fileURLToPath(programs), ...folders]),
  ])
  return isolated ? [isolated, node] : [node]
}

export function startChild([program, ...parameters]: string[]): ChildProcess {
  const child = spawn(program!, parameters, {
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    windowsHide: true,
    // Ctrl-C on a terminal must not end it before the server.
    detached: true,
  })
  child.on('error', () => {})
  child.unref()
  child.channel?.unref()
  return child
}

/** Sends the request and returns the answer. Kills the process at the time limit. Throws ProcessFailure. */
export function exchange(
  child: ChildProcess,
  request: ModelRequest,
  { timeoutMs, memoryMb }: { timeoutMs: number; memoryMb: number },
): Promise<ModelMessage> {
  return new Promise((resolve, reject) => {
    const settle = (how: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit).off('error', onError)
      how()
    }
    const onMessage = (message: unknown) => settle(() => resolve(message as ModelMessage))
    const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
      settle(() => reject(toEnd({ code, signal }, memoryMb)))
    const onError = () => settle(() => reject(new ProcessFailure('its process ended')))
    const timer = setTimeout(() => {
      const reason = `a batch took longer than ${timeoutMs / 1_000} s (BOTSTEAD_LOCAL_MODEL_SECONDS)`
      settle(() => reject(new ProcessFailure(reason, 'time')))
      child.kill('SIGKILL')
    }, timeoutMs)
    child.on('message', onMessage).on('exit', onExit).on('error', onError)
    child.send(request, (error) => error && onError())
  })
}

/** bubblewrap reports the signal that ended the process as an exit code. */
const toEnd = (
  { code, signal }: { code: number | null; signal: NodeJS.Signals | null },
  memoryMb: number,
) =>
  signal === memorySignal || code === 128 + constants.signals[memorySignal]
    ? new ProcessFailure(
        `it needs more memory than ${memoryMb} MB (BOTSTEAD_LOCAL_MODEL_MEMORY_MB)`,
        'memory',
      )
    : new ProcessFailure('its process ended')
