// The services of this feature, which its handlers receive beside those of the core, and how they behave
// inside of a transaction.
import type { Bindings } from '../../core/db/index.ts'
import type { Relocations } from './relocations.ts'

export interface MoveServices {
  /** Workspaces that leave, have left, or arrive. */
  relocations: Relocations
}

export const moveBindings = {
  relocations: { changed: 'immediate', refresh: 'deferred', stop: 'immediate' },
} satisfies Bindings<MoveServices>
