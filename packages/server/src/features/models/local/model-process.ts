// The process that computes the operator's local models, one batch after another, with limits on
// time and memory. A native library runs there, so a crash must not end the server. The process has
// no network: by namespaces if bubblewrap is available, otherwise by model-child.ts.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { isClone, lowerPriority, permissionFlag, StartError } from '../../../core/lib/index.ts'
import { withoutNetwork } from '../../../core/sandbox/index.ts'
import type { LocalModel } from './model-folder.ts'

export type ModelRequest =
  | { kind: 'open'; models: LocalModel[] }
  | { kind: 'embed'; model: string; texts: string[] }
  | ({ kind: 'rank' } & RankRequest)

interface RankRequest {
  model: string
  question: string
  texts: string[]
}

export type ModelMessage =
  | { kind: 'ready' }
  | { kind: 'broken'; folder: string; reason: string }
  | ({ kind: 'embedded' } & Embedded)
  | { kind: 'ranked'; scores: number[] }
  | { kind: 'failed'; reason: string }

export interface Embedded {
  /** Unit vectors, in the order of the texts. */
  vectors: Float32Array[]
  tokens: number
}

/** The process ended, or computed nothing. */
export class ProcessFailure extends Error {
  readonly kind: 'memory' | 'time' | 'other'

  constructor(message: string, kind: ProcessFailure['kind'] = 'other') {
    super(message)
    this.kind = kind
  }
}

export interface ModelProcessOptions {
  folder: string
  models: LocalModel[]
  memoryMb: number
  /** Of one batch. */
  timeoutMs: number
  log: Logger
}

/** By this signal the guard of the process reports the memory limit. */
export const memorySignal = 'SIGUSR2'

export const packages = ['onnxruntime-node@1.30.0', '@huggingface/tokenizers@0.2.0']

/** Points to dist/ even when the server runs from its sources. */
const childFile = new URL('../../../../dist/workers/model-child.js', import.meta.url)
const loadMs = 120_000
const lowPriority = 10

export class ModelProcess {
  readonly #options: ModelProcessOptions
  /** Null until a start has shown whether namespaces work. */
  #command: string[] | null = null
  #started: Promise<ChildProcess> | null = null
  /** Settles with the last batch. */
  #last: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(options: ModelProcessOptions) {
    this.#options = options
  }

  /** Starts the process and loads the models. Throws StartError. */
  async open(): Promise<void> {
    const { log, models } = this.#options
    await this.#ready().catch((error) => {
      if (!(error instanceof ProcessFailure)) throw error
      throw new StartError(`BOTSTEAD_LOCAL_MODELS: cannot load the models: ${error.message}`)
    })
    const isIsolated = this.#command !== null && this.#command[0] !== process.execPath
    log.info({ models: models.map(({ name }) => name), isIsolated }, 'local models are loaded')
  }

  /** Throws ProcessFailure. */
  embed(model: string, texts: string[], signal: AbortSignal | undefined): Promise<Embedded> {
    return this.#run({ kind: 'embed', model, texts }, signal) as Promise<Embedded>
  }

  /** Returns the probability of each text to answer the question. Throws ProcessFailure. */
  async rank(request: RankRequest, signal: AbortSignal | undefined): Promise<number[]> {
    const answer = await this.#run({ kind: 'rank', ...request }, signal)
    return (answer as { scores: number[] }).scores
  }

  /** Performs requests in their order. */
  async #run(request: ModelRequest, signal: AbortSignal | undefined): Promise<ModelMessage> {
    const answered = this.#last.then(async () => {
      signal?.throwIfAborted()
      const child = await this.#ready()
      return exchange(child, request, this.#options)
    })
    this.#last = answered.catch(() => {})
    const answer = await answered
    if (answer.kind === 'failed') throw new ProcessFailure(answer.reason)
    return answer
  }

  async close(): Promise<void> {
    this.#closed = true
    const started = this.#started
    this.#started = null
    ;(await started?.catch(() => null))?.kill('SIGKILL')
  }

  #ready(): Promise<ChildProcess> {
    if (this.#closed) throw new ProcessFailure('the server is stopping')
    if (this.#started) return this.#started
    const starting = this.#start()
    this.#started = starting
    const discard = () => {
      const isCurrent = this.#started === starting
      if (isCurrent) this.#started = null
      return isCurrent
    }
    const warn = () =>
      this.#options.log.warn('the process of local models ended; the next call starts it again')
    starting.then((child) => child.once('exit', () => discard() && warn()), discard)
    return starting
  }

  async #start(): Promise<ChildProcess> {
    for (const command of this.#command ? [this.#command] : commandsOf(this.#options)) {
      const child = startChild(command)
      const answer = await exchange(
        child,
        { kind: 'open', models: this.#options.models },
        { ...this.#options, timeoutMs: loadMs },
      ).catch((error: ProcessFailure) => error)
      if (!(answer instanceof Error) && answer.kind === 'ready') {
        this.#command = command
        return child
      }
      child.kill('SIGKILL')
      if (!(answer instanceof Error) && answer.kind === 'broken') throw brokenModel(answer)
      if (command[0] === process.execPath || isLimit(answer)) throw answer
      this.#options.log.info('local models run without namespaces: bubblewrap failed')
    }
    throw new ProcessFailure('the process of local models did not start')
  }
}

const isLimit = (answer: unknown) => answer instanceof ProcessFailure && answer.kind !== 'other'

const brokenModel = ({ folder, reason }: { folder: string; reason: string }) =>
  new StartError(`BOTSTEAD_LOCAL_MODELS: the model in "${folder}" cannot be loaded: ${reason}`)

/**
 * Returns the folders `node_modules` that have the optional packages or links to them: in a clone, those lead
 * to tools/models. Throws StartError if the packages are not installed.
 */
function modulesFolders(): string[] {
  const { resolve } = createRequire(childFile)
  const marker = '/node_modules/'
  return packages.flatMap((one) => {
    const name = one.slice(0, one.lastIndexOf('@'))
    const linked = resolve.paths(name)!.find((folder) => existsSync(join(folder, name)))
    if (!linked) throw new StartError(`BOTSTEAD_LOCAL_MODELS needs two more packages: ${remedy}`)
    const path = resolve(name).replaceAll('\\', '/')
    return [linked, path.slice(0, path.indexOf(marker) + marker.length - 1)]
  })
}

const remedy = isClone
  ? 'run "node scripts/tools.js models"'
  : `run "npm install --no-save --ignore-scripts ${packages.join(' ')}"`

/** The commands to try, the strongest isolation first. */
function commandsOf({ folder, memoryMb }: ModelProcessOptions): string[][] {
  const modules = modulesFolders()
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
    fileURLToPath(childFile),
    String(memoryMb * 1_048_576),
  ]
  const server = fileURLToPath(new URL('./', childFile))
  const isolated = withoutNetwork(node, [...new Set([...modules, server, folder])])
  return isolated ? [isolated, node] : [node]
}

function startChild([program, ...parameters]: string[]): ChildProcess {
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
  lowerPriority(child, lowPriority)
  return child
}

/** Sends the request and returns the answer. Kills the process at the time limit. */
function exchange(
  child: ChildProcess,
  request: ModelRequest,
  { timeoutMs, memoryMb }: Pick<ModelProcessOptions, 'timeoutMs' | 'memoryMb'>,
): Promise<ModelMessage> {
  return new Promise((resolve, reject) => {
    const settle = (how: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit).off('error', onError)
      how()
    }
    const onMessage = (message: unknown) => settle(() => resolve(message as ModelMessage))
    const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
      settle(() => reject(endOf({ code, signal }, memoryMb)))
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
const endOf = (
  { code, signal }: { code: number | null; signal: NodeJS.Signals | null },
  memoryMb: number,
) =>
  signal === memorySignal || code === 128 + constants.signals[memorySignal]
    ? new ProcessFailure(
        `it needs more memory than ${memoryMb} MB (BOTSTEAD_LOCAL_MODEL_MEMORY_MB)`,
        'memory',
      )
    : new ProcessFailure('its process ended')
