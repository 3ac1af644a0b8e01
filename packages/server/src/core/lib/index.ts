export { apiKeyForm, isApiKey, withoutKeys, withoutSecrets } from './api-keys.ts'
export { createBatchedWrites } from './concurrency/batched-writes.ts'
export { openBudget } from './concurrency/budget.ts'
export { type Cache, openCache } from './concurrency/cache.ts'
export { DeferredSteps, defer } from './concurrency/deferred-steps.ts'
export { type FairTurn, FairTurns } from './concurrency/fair-turns.ts'
export { Pace } from './concurrency/pace.ts'
export { PeriodicTask } from './concurrency/periodic-task.ts'
export { createSemaphore } from './concurrency/semaphore.ts'
export { shareNext } from './concurrency/share-next.ts'
export { shareCommits, wasRejected } from './concurrency/shared-commits.ts'
export { isLong, nextSlice } from './concurrency/slices.ts'
export { Stoppable } from './concurrency/stoppable.ts'
export { nextTick } from './cron.ts'
export { errorId } from './error-id.ts'
export { earliestId, newId, newUuid, timeOfId, ulid } from './ids.ts'
export { clientAddress, networkOf, parseTrust, type Trust } from './network/addresses.ts'
export { type LookUp, lookUpWithin } from './network/name-resolution.ts'
export {
  addressKindOf,
  isLocal,
  isPublic,
  parseReach,
  type Reach,
  reachOfOwners,
} from './network/reach.ts'
export { hostOf, literalAddress, parseTargetUrl, UrlRejected } from './network/target-url.ts'
export { createPageTokens, type PageTokens } from './page-tokens.ts'
export { lowerPriority, permissionFlag } from './process/child-process.ts'
export { limitTime } from './process/cpu-wait.ts'
export { makeFolder, renameDurably, syncFolder, writeDurably } from './process/durable-files.ts'
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
  processStartOf,
  readStat,
  startTimeOf,
} from './process/process-life.ts'
export { checkProcessLimits, readProcessLimits, tooLow } from './process/process-limits.ts'
export { StartAborted, StartError } from './process/start-error.ts'
export {
  type DataKey,
  type DataKeys,
  decrypt,
  deriveKey,
  encrypt,
  formerKeyId,
  hmac,
  isSecretName,
  openAll,
  openSecrets,
  type SealedSecrets,
  type Secrets,
  sameText,
  sealChange,
  sha256,
} from './secrets.ts'
export { tagKey } from './tag-key.ts'
export { CsvError, CsvReader, type CsvRecord, dialectOf, formulaText } from './text/csv.ts'
export { findInexactNumber, keepsDigits, parseExactNumber } from './text/exact-numbers.ts'
export {
  indentedJsonParts,
  isPlainObject,
  jsonParts,
  partLength,
  toJsonInSlices,
} from './text/json-parts.ts'
export {
  findMismatch,
  type JsonSchema,
  opened,
  rejectInvalidSchemas,
  SchemaTimeout,
  undeclared,
} from './text/json-schemas.ts'
export {
  sha256InSlices,
  toBytesInSlices,
  toSharedInSlices,
  toTextInSlices,
} from './text/long-texts.ts'
export {
  findRuleProblem,
  type ReadyRule,
  redactTexts,
  tooSlow,
  toReadyRules,
  tryRules,
} from './text/matching.ts'
export { readYaml } from './text/read-yaml.ts'
export {
  maxInSlice,
  type Redactor,
  type Redactors,
  type RedactorsOf,
  redactMessage,
  redactStored,
  toRedactors,
} from './text/redaction.ts'
export { withSortedKeys } from './text/sorted-keys.ts'
export {
  isDeeper,
  maxJsonDepth,
  rejectUnstorable,
  rejectUnstorableAddress,
} from './text/storable.ts'
export { maxReasonLength, storableText } from './text/storable-text.ts'
export { decodeWindows1252 } from './text/windows-1252.ts'
