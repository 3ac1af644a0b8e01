export { type ActionCache, createActionCache } from './calls/action-cache.ts'
export { callAction } from './calls/actions.ts'
export { codeOwnerOf } from './calls/hosted-units.ts'
export {
  openHostingTrust,
  otherWorkspacesRejected,
  rejectsOtherWorkspaces,
} from './calls/hosting-trust.ts'
export { createInvoker, type Invoker, type InvokerDeps, type Reply } from './calls/invoker.ts'
export { openLargeRequests } from './calls/large-requests.ts'
export { registerBot, settleInstallations, unregisterLast } from './calls/registrations.ts'
export { openTargets, type Targets } from './calls/targets.ts'
export { type ChatEmitter, createChatEmitter } from './chat-emitter.ts'
export { createThroughIntegration } from './creations.ts'
export {
  countDeadLetters,
  type DeadLetterFilter,
  type DeadLetterRow,
  deadLetterPosition,
  discardDeadLetter,
  discardDeadLetters,
  findDeadLetter,
  listAttempts,
  listDeadLetters,
  redeliverDeadLetter,
  redeliverDeadLetterOf,
  redeliverDeadLetters,
} from './dead-letters.ts'
export { deliver } from './deliver.ts'
export { redeliverEdited } from './edited-redelivery.ts'
export { endingIssues } from './ending-issues.ts'
export { withDates } from './handed-over.ts'
export type { DeliveryHooks } from './hooks.ts'
export { performFenced } from './idempotency/fenced.ts'
export { createKeyedResponses, type KeyedResponses } from './idempotency/keyed-responses.ts'
export { outsideTransaction } from './idempotency/outside-transaction.ts'
export { runRequestInTransaction } from './idempotency/request-transaction.ts'
export { createAttemptReporter, deliverTraced } from './observe.ts'
export { recordOutcomes } from './outcomes.ts'
export { startTasks, type Task } from './tasks.ts'
