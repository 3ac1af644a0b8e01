// The services of this feature, which its handlers receive beside those of the core, and how they behave
// inside of a transaction.
import type { Bindings } from '../../core/db/index.ts'
import type { Vrl } from './vrl/vrl.ts'

export interface ScriptServices {
  /** Runs the VRL scripts of integrations. */
  vrl: Pick<Vrl, 'run' | 'check'>
}

export const bindings = {
  vrl: 'unchanged',
} satisfies Bindings<ScriptServices>
