export { createBatchedWrites } from './concurrency/batched-writes.ts'
export { openBudget } from './concurrency/budget.ts'
export { type Cache, openCache } from './concurrency/cache.ts'
export {
  DeferredSteps,
  defer,
  deferCalls,
  type Effects,
  type EffectTime,
  type IsEffect,
} from './concurrency/deferred-steps.ts'
export { type FairTurn, FairTurns } from './concurrency/fair-turns.ts'
export { Pace } from './concurrency/pace.ts'
export { PeriodicTask } from './concurrency/periodic-task.ts'
export { createSemaphore } from './concurrency/semaphore.ts'
export { shareNext } from './concurrency/share-next.ts'
export { shareCommits, wasRejected } from './concurrency/shared-commits.ts'
export { isLong, nextSlice } from './concurrency/slices.ts'
export { Stoppable } from './concurrency/stoppable.ts'
export { decrypt, deriveKey, encrypt, hmac, sameText, sha256 } from './crypto.ts'
export { mergeKeys, merging, replacing } from './keyed-parts.ts'
export { clientAddress, parseTrust, type Trust, toNetwork } from './network/addresses.ts'
export { type LookUp, lookUpWithin } from './network/name-resolution.ts'
export {
  classifyAddress,
  isLocal,
  isPublic,
  parseReach,
  type Reach,
  reachOfOwners,
} from './network/reach.ts'
export {
  getHost,
  literalAddress,
  parseTargetUrl,
  UrlRejected,
} from './network/target-url.ts'
export { lowerPriority, permissionFlag } from './process/child-process.ts'
export { limitTime } from './process/cpu-wait.ts'
export {
  makeFolder,
  renameDurably,
  syncFolder,
  writeDurably,
} from './process/durable-files.ts'
export { startMemoryGuard } from './process/memory-guard.ts'
export {
  dataFolderBefore,
  isClone,
  ownCommand,
  runningCommand,
  startCommand,
} from './process/own-command.ts'
export {
  descendants,
  findMachine,
  isAlive,
  readProcessStart,
  readStartTime,
  readStat,
} from './process/process-life.ts'
export { checkProcessLimits, findLowLimit } from './process/process-limits.ts'
export { StartAborted, StartError } from './process/start-error.ts'
export { isSignedBy, type Signer, toFingerprint, toSigner } from './signatures.ts'
export { apiKeyForm, isApiKey, withoutKeys, withoutSecrets } from './text/api-keys.ts'
export {
  essence,
  guessContentType,
  isContentType,
  isShowable,
} from './text/content-type.ts'
export { errorId } from './text/error-id.ts'
export { findInexactNumber, keepsDigits, parseExactNumber } from './text/exact-numbers.ts'
export { isDeeper, maxJsonDepth } from './text/json-depth.ts'
export {
  indentedJsonParts,
  isPlainObject,
  jsonParts,
  partLength,
  toJsonInSlices,
} from './text/json-parts.ts'
export {
  sha256InSlices,
  toBytesInSlices,
  toSharedInSlices,
  toTextInSlices,
} from './text/long-texts.ts'
export { withSortedKeys } from './text/sorted-keys.ts'
export { maxReasonLength, storableText } from './text/storable-text.ts'
export { timeOfId, ulid, ulidTime } from './ulid.ts'
