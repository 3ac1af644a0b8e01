import type { BlobServices } from '../../core/blobs/index.ts'
import type { Feature } from '../../core/feature.ts'
import type { TableRuleServices } from '../../core/table-rules/index.ts'
import { serveArrivals } from './api/platform/arrivals.ts'
import type { MoveServices } from './services.ts'

export const moves = {
  name: 'moves',
  routes: serveArrivals,
} satisfies Feature<BlobServices & MoveServices & TableRuleServices>
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
export { type MoveServices, moveBindings } from './services.ts'
export { tables } from './table-rules.ts'
export { checkTarget } from './target.ts'
