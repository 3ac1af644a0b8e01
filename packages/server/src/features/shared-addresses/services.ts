// The services of this feature, which its handlers receive beside those of the core.
import type { Vrl } from './vrl/vrl.ts'

export interface ScriptServices {
  /** Runs the VRL scripts of integrations. */
  vrl: Pick<Vrl, 'run' | 'check'>
}
