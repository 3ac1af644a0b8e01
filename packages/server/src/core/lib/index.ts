export { apiKeyForm, isApiKey, withoutKeys, withoutSecrets } from './api-keys.ts'
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
export { Pace } from './concurrency/pace.ts'
export { PeriodicTask } from './concurrency/periodic-task.ts'
export { createSemaphore } from './concurrency/semaphore.ts'
export { shareNext } from './concurrency/share-next.ts'
export { shareCommits, wasRejected } from './concurrency/shared-commits.ts'
export { nextTick } from './cron.ts'
export { errorId } from './error-id.ts'
export { earliestId, newId, newUuid, timeOfId, ulid } from './ids.ts'
export { createPageTokens, type PageTokens } from './page-tokens.ts'
export { checkProcessLimits, readProcessLimits, tooLow } from './process/process-limits.ts'
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
  findRuleProblem,
  type ReadyRule,
  redactTexts,
  tooSlow,
  toReadyRules,
  tryRules,
} from './text/matching.ts'
export { readYaml } from './text/read-yaml.ts'
export {
  type GetRedactors,
  maxInSlice,
  type Redactor,
  type Redactors,
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
