export { nextTick } from './cron.ts'
export { earliestId, newId, newUuid, timeOfId, ulid } from './ids.ts'
export { createPageTokens, type PageTokens } from './page-tokens.ts'
export { checkProcessLimits, readProcessLimits, tooLow } from './process/process-limits.ts'
export { tagKey } from './tag-key.ts'
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
export {
  isDeeper,
  maxJsonDepth,
  rejectUnstorable,
  rejectUnstorableAddress,
} from './text/storable.ts'
