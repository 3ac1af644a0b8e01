// Options of the sandbox, and the parts that start its processes.
import { type Compiled, createCompiled } from '../compiled.ts'
import type { EgressOptions } from '../egress.ts'
import type { Tier } from '../isolation.ts'
import type { FoundLauncher, Launcher, LaunchOptions } from '../launch.ts'
import type { LogLine, RunnerEnd } from '../sandbox.ts'
import { createTrials, type Trials } from '../trials.ts'
import { createRunners, type Runners } from './runners.ts'

export interface SandboxOptions {
  /** Receives each line that code writes; `key` as in its CodeUnit. */
  onLog: (key: string, line: LogLine) => void
  /** Called when a process ends unexpectedly. */
  onTrouble?: (key: string, how: Exclude<RunnerEnd, 'ended'>, message: string) => void
  /** Default: 600,000 (ten minutes). */
  idleMs?: number
  /** How many processes stay warm at most. Default: as many as warm-limit.ts computes. */
  maxWarm?: number
  /** Default: as long as at the deployment. */
  loadTimeoutMs?: number
  /** Maximum size of a response body. Default: 1,048,576. */
  responseBytes?: number
  /** Whether slow parts of bundles are replaced (host/tuned-code.ts). Default: yes. */
  isTuned?: boolean
  /** When no launcher reaches this tier, every invocation fails with the reason. */
  minTier?: Tier
  /**
   * How code reaches our API and, without direct network access, other hosts. Default: no access.
   */
  egress?: EgressOptions
  /** Finds the launcher. Default: the strongest that works here. */
  find?: (options: LaunchOptions) => Promise<FoundLauncher>
}

/** How processes are started. */
export interface Starting {
  runners: Runners
  compiled: Compiled
  trials: Trials
}

export function createStarting(
  launcher: Launcher,
  { responseBytes = 1_048_576, onLog, isTuned }: SandboxOptions,
): Starting {
  const runners = createRunners(launcher, responseBytes, onLog, isTuned)
  const compiled = createCompiled(runners)
  return { runners, compiled, trials: createTrials(runners, compiled) }
}
