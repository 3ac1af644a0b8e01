// The services of this feature, which its handlers receive beside those of the core.
import type { Relocations } from './relocations.ts'

export interface MoveServices {
  /** Workspaces that leave, have left, or arrive. */
  relocations: Relocations
}
