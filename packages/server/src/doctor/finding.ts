// What a look at the installation finds, one thing each.
import type { Config } from '../config.ts'

export interface Finding {
  about: 'installation' | 'network' | 'keys' | 'hosted code' | 'database' | 'server'
  what: string
  /** `advice`: it works, and could be safer. */
  state: 'good' | 'bad' | 'advice'
  /** What to do, unless it is good. */
  advice?: string
}

/** Null where it does not apply. */
export type Check = (config: Config) => Promise<Finding | null>

export const finding = (
  about: Finding['about'],
  what: string,
  isGood: boolean,
  advice: string,
  otherwise: 'bad' | 'advice' = 'bad',
): Finding => (isGood ? { about, what, state: 'good' } : { about, what, state: otherwise, advice })
