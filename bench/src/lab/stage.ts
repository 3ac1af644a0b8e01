// The set-up of one experiment: its servers and its faults.
import type { Fault, Injected } from './faults.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import type { LabServer } from './servers.ts'

export interface Findings {
  /** Counts that must be 0. */
  promises: Record<string, number>
  measurements: Record<string, unknown>
}

export interface Stage {
  /** The first one knows the first token. */
  servers: LabServer[]
  /** Where people and bots connect. */
  origins: string[]
  /** How long people wait for a response; by default, longer than any fault. */
  patienceMs?: number
  faults: Record<string, Fault>
  /** Bounds of the pause before each fault. */
  pauseMs: [number, number]
  /** More results of this experiment, after the run. */
  findings?(people: Person[], faults: Injected[]): Findings | Promise<Findings>
  close(): Promise<void>
}

/** The beginning of an upgrade. */
interface Older {
  /** Folder of another version. */
  from?: string | undefined
  /** Folder of a recorded installation. */
  data?: string | undefined
}

/** Throws Missing if this machine lacks something. Closes what it opened if it fails. */
export type OpenStage = (folder: string, chance: Random, older: Older) => Promise<Stage>

/** Runs a step of the set-up; if it fails, closes the steps before it. */
export async function orClose<T>(
  step: Promise<T>,
  close: () => Promise<void>,
): Promise<T> {
  try {
    return await step
  } catch (error) {
    await close()
    throw error
  }
}
