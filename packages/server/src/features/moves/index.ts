import type { Feature } from '../../core/feature.ts'
import { serveArrivals } from './api/platform/arrivals.ts'
import type { MoveServices } from './services.ts'

export const moves: Feature<MoveServices> = { name: 'moves', routes: serveArrivals }
export { readRequirements } from './driver.ts'
export {
  announceMoves,
  findMove,
  type MoveState,
  requestCancel,
  requestEnd,
  requestMove,
} from './move-rows.ts'
export { type Moves, openMoves } from './moves.ts'
export { listObstacles } from './obstacles.ts'
export { openRelocator } from './relocation.ts'
export type { MoveServices } from './services.ts'
export { tables } from './table-rules.ts'
export { checkTarget } from './target.ts'
