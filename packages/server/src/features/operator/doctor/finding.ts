// A finding is the result of one check of the installation.
import type { Config } from '../../../core/config/index.ts'

export interface Finding {
  about:
    | 'installation'
    | 'network'
    | 'keys'
    | 'hosted code'
    | 'database'
    | 'server'
    | 'backups'
  what: string
  /** `advice`: it works but could be safer. */
  state: 'good' | 'bad' | 'advice'
  /** Remedy; absent if the state is good. */
  advice?: string
}

/** Returns null if the check does not apply. */
export type DoctorCheck = (config: Config) => Promise<Finding | null>

export const finding = (
  about: Finding['about'],
  what: string,
  isGood: boolean,
  advice: string,
  otherwise: 'bad' | 'advice' = 'bad',
): Finding =>
  isGood ? { about, what, state: 'good' } : { about, what, state: otherwise, advice }
