// Runs the code of bots and integrations outside of the server process. What is promised of a sandbox: whatever the code does, the server
// lives on, an invocation ends by its deadline, and the code sees no more of the machine than its own environment. How well the last part is kept
// depends on the launcher (launch.ts); the life of processes is the pool's (pool.ts), one process is runner.ts, and what runs inside is bot-host.ts.

import type { Pieces } from '../invocation/pieces.ts'
import type { Trial } from './trials.ts'

export interface CodeUnit {
  /** One process per key: the id of a bot, or of an integration version in a workspace. */
  key: string
  /** Another version takes over from the running process, which finishes what it is at. */
  version: string
  /** The text of one CommonJS file that exports `handler`, or a `default` that has one. Empty: no code. */
  load: () => Promise<string>
  /** All that the code sees of the environment, beside the defaults of serverless-node.ts. */
  environment: () => Promise<Record<string, string>>
  /** What it may use on top of an empty process. */
  memoryMb: number
  /** The process ends after one invocation. Then `key` is of no other invocation at the same time. */
  once?: true
}

export interface HandlerRequest {
  method: string
  path: string
  /** Without the question mark. */
  query: string
  /** Names in lower case. */
  headers: Record<string, string>
  body?: string
  /** In place of `body`: a large one. It is sent in pieces; hosted code gets it as `body` all the same. */
  pieces?: Pieces
}

export interface HandlerResponse {
  status: number
  headers: Record<string, string>
  body: string
  /** The body as it came, where it is bytes or bytes were asked for. */
  bytes?: Buffer[]
  /** The code threw: `body` says what, for its owner. */
  threw?: true
}

export interface InvokeOptions {
  /** From the call to the answer, a cold start included. */
  timeoutMs: number
  /** Marks the calls that the code makes to our API meanwhile (header x-botstead-cause): what they follow from, and `;` and the run when it is not the first. */
  cause: string | null
  /** Marks them too (header x-botstead-fence): under whose lease the code was called. */
  fence?: string | null | undefined
  /** What lines that are written meanwhile are about, where they do not say so themselves. */
  about?: LogLinks
}

export type LogLinks = Partial<Record<'eventId' | 'conversationId' | 'userId' | 'workflowId', string>>

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error'
  message: string
  at: Date
  /** What the code's logger adds: ids of the conversation, the user … */
  options?: Record<string, string | number | boolean>
  /** The bot for which an integration was called when it wrote this. */
  origin?: string
  /** Bytes that are not here, because there were too many. */
  dropped?: number
}

export interface SandboxStats {
  /** 1: contains accidents; 2: walls against hostile code. Null where no code is run. */
  tier: 1 | 2 | null
  /** What was tried at the start, in vain. */
  stopped: string[]
  /** Why it is not a higher one. */
  missed: string[]
  /** Why no code is run. */
  refusal: string | null
  /** What holds for hosted code here, to be shown to the operator. */
  protections: string[]
  /** Processes that hold code, idle ones included. */
  processes: number
  /** Invocations that wait for an answer. */
  running: number
  coldStarts: number
  /** Processes that ended by themselves. */
  crashes: number
  /** Processes that we ended, by cause. */
  kills: Record<KillCause, number>
}
export type KillCause = 'timeout' | 'memory' | 'frame' | 'load'

export interface Sandbox {
  /** The handler's answer. Throws InvocationFailed where there is none. */
  invoke(unit: CodeUnit, request: HandlerRequest, options: InvokeOptions): Promise<HandlerResponse>
  /**
   * Loads code once, in a process that ends with that. Throws InvocationFailed when it does not load or has no handler (`no-code`); where no code is
   * run, nothing is tried.
   */
  tryOut(trial: Trial): Promise<void>
  /** Takes a process out of service: the next invocation starts another. What it is at may take five seconds more; this does not wait for it. */
  stop(key: string): Promise<void>
  /** The same for every key that matches. */
  stopAll(matches: (key: string) => boolean): Promise<void>
  stats(): SandboxStats
  /** Accepts nothing more, lets running invocations end until the deadline, then ends every process. */
  close(deadlineMs: number): Promise<void>
}
