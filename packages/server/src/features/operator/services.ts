// The services of this feature, which its handlers receive beside those of the core, and how they behave
// inside of a transaction.
import type { Bindings } from '../../core/db/index.ts'
import type { BackupState } from '../archive/index.ts'

export interface OperatorServices {
  /** Reads and checks the installation, for its operator. */
  installation: InstallationReader
}

/** installation.ts implements it. */
export interface InstallationReader {
  read(): Promise<InstallationState>
  /** Runs the checks of `botstead doctor`; concurrent callers share a run. */
  check(): Promise<CheckFinding[]>
}

export interface InstallationState {
  servers: {
    id: string
    host: string
    pid: number
    started_at: Date
    alive_until: Date
    is_alive: boolean
  }[]
  databaseBytes: number
  /** The number of rows is an estimate. */
  tables: { name: string; bytes: number; rows: number }[]
  backups: BackupState
  /** The value is null for a setting that is not set. */
  settings: { name: string; value: string | null }[]
}
interface CheckFinding {
  about: string
  what: string
  state: 'good' | 'bad' | 'advice'
  advice?: string
}

export const bindings = {
  installation: 'unchanged',
} satisfies Bindings<OperatorServices>
