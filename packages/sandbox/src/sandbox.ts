// Runs the code of bots and integrations outside the server process. Guarantees: regardless of the
// code, the server survives, an invocation ends by its deadline, and the code sees nothing of the
// machine but its own environment. How strong the last guarantee is depends on the launcher
// (launch.ts). pool.ts manages the life cycle of processes, runner.ts is one process, and
// bot-host.ts runs inside it.

import type { Stoppable } from '@botstead/lib'
import type { Pieces } from './invocation/pieces.ts'

export interface CodeUnit {
  /** One process per key: the id of a bot, or of an integration version in a workspace. */
  key: string
  /** A new version replaces the running process, which first finishes its invocations. */
  version: string
  /**
   * Returns one CommonJS file in UTF-8 that exports `handler`, or a `default` with one. Empty or null:
   * no code.
   */
  load: () => Promise<Buffer | null>
  /** Returns the environment variables of the code, besides the defaults of serverless-node.ts. */
  environment: () => Promise<Record<string, string>>
  /** Memory budget in addition to that of an empty process. */
  memoryMb: number
  /**
   * The process ends after one invocation. No other invocation may use the same `key` at the same
   * time.
   */
  once?: true
}

export interface HandlerRequest {
  method: string
  path: string
  /** Without the leading question mark. */
  query: string
  /** Names are in lower case. */
  headers: Record<string, string>
  body?: string
  /** Replaces `body` for large requests: sent in pieces, and passed to hosted code as `body`. */
  pieces?: Pieces
}

export interface HandlerResponse {
  status: number
  headers: Record<string, string>
  body: string
  /** The body as bytes, when the code returned bytes or the caller requested them. */
  bytes?: Buffer[]
  /** The code threw; `body` has the error, for the code's owner. */
  threw?: true
}

export interface InvokeOptions {
  /** From the call to the answer, including a cold start. */
  timeoutMs: number
  /**
   * Sent with the code's calls to our API (header x-botstead-cause): the cause, plus `;` and the
   * run number from the second run on.
   */
  cause: string | null
  /**
   * Also sent with these calls (header x-botstead-fence): the worker under which lease the code
   * runs.
   */
  fence?: string | null | undefined
  /** Set if the call may be stopped. */
  stop?: Stoppable
  /** Ids for log lines written during the invocation; the lines' own ids take precedence. */
  about?: LogLinks
}

export type LogLinks = Partial<
  Record<'eventId' | 'conversationId' | 'userId' | 'workflowId', string>
>

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error'
  message: string
  at: Date
  /** Fields of the code's logger, such as ids of the conversation and the user. */
  options?: Record<string, string | number | boolean>
  /** The bot for which the integration that wrote the line was called. */
  origin?: string
  /** The number of bytes dropped because of the log quota. */
  dropped?: number
}

/** Code to load once, before it is deployed. */
export interface Trial {
  /** In UTF-8. */
  code: Buffer
  environment: Record<string, string>
  memoryMb: number
}

export interface SandboxStats {
  /** 1: contains accidents; 2: isolates hostile code. Null when hosted code is not run. */
  tier: 1 | 2 | null
  /** The attacks of the startup probe that failed. */
  stopped: string[]
  /** Why the tier is not higher. */
  missed: string[]
  /** Why hosted code is not run. */
  refusal: string | null
  /** The protections in use, as shown to the operator. */
  protections: string[]
  /** Processes that hold code, including idle ones. */
  processes: number
  /** Pending invocations. */
  running: number
  coldStarts: number
  /** Processes that ended by themselves. */
  crashes: number
  /** Processes that the server killed, by cause. */
  kills: Record<KillCause, number>
}
export type KillCause = 'timeout' | 'memory' | 'frame' | 'load'
export type RunnerEnd = 'crashed' | 'ended' | KillCause

export interface Sandbox {
  /** Returns the handler's response. Throws InvocationFailed when there is none. */
  invoke(
    unit: CodeUnit,
    request: HandlerRequest,
    options: InvokeOptions,
  ): Promise<HandlerResponse>
  /**
   * Loads code once in a temporary process. Throws InvocationFailed when it does not load or has no
   * handler (`no-code`). Does nothing when hosted code is not run.
   */
  tryOut(trial: Trial): Promise<void>
  /**
   * Retires a process: the next invocation starts another. Running invocations get five more
   * seconds, or `graceMs`; this call does not wait for them.
   */
  stop(key: string, graceMs?: number): Promise<void>
  /** Stops every key that matches. */
  stopAll(matches: (key: string) => boolean): Promise<void>
  stats(): SandboxStats
  /**
   * Rejects new invocations, waits for running ones until the deadline, then ends all processes.
   */
  close(deadlineMs: number): Promise<void>
}
