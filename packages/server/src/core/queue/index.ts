export {
  type AttemptRow,
  finishAttempts,
  listSubjectAttempts,
  removeOldAttempts,
} from './attempts.ts'
export { Backlog } from './backlog.ts'
export {
  type Attempted,
  type DeliveryKind,
  type DeliveryOutcome,
  type Enqueued,
  type LaneRemainder,
  mayHaveBegun,
  type QueueStore,
  type Settled,
} from './deliveries.ts'
export { createDepthReader, type Depth } from './depth.ts'
export { checkFence, isUnfenced, toFences, unfenced } from './fencing.ts'
export { createLaneRemoval } from './idle-lanes.ts'
export {
  buryDeliveries,
  discardDeliveries,
  markStopped,
  noteLastAttempts,
  removeDeliveries,
  removeHeld,
  removeOne,
  reviveDeliveries,
  settleLane,
  settleLanes,
  updateLanes,
} from './outcome-statements.ts'
export { listPending, type PendingRow } from './pending.ts'
export { purgeQueue } from './purge.ts'
export { Queue } from './queue.ts'
export { isAwake } from './resting.ts'
export { type QueueServices, queueBindings } from './services.ts'
export {
  countWaiting,
  createLaneStore,
  enqueueDue,
  enqueueOne,
  enqueuePlaced,
  isHeldBy,
  maxErrorLength,
  placeDue,
  storableStack,
  toEnqueued,
} from './store.ts'
export { tables } from './table-rules.ts'
export { withholdPending } from './withholding.ts'
export { freeLanes } from './worker-rows.ts'
export { isAliveWorker, isFree, startWorker, type Worker } from './workers.ts'
