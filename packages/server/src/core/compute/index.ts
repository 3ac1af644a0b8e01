export { openAllowances } from './allowances.ts'
export { compute } from './compute.ts'
export type { DocumentText, Inspection } from './document-tasks.ts'
export type { DraftProblem, DraftText } from './draft-tasks.ts'
export type { RequestedText, TextFault } from './draft-text-tasks.ts'
export type { ConvertedBot } from './import-tasks.ts'
export { packTexts, unpackTexts } from './packed-texts.ts'
export { findMismatch, findMismatchOfDeclared, rejectInvalidSchemas } from './schemas.ts'
export { findMismatchHere, type JsonSchema, undeclared } from './text/json-schemas.ts'
export { tooSlow } from './text/matching.ts'
export {
  type GetRedactors,
  maxInSlice,
  type Redactor,
  type Redactors,
  redactMessage,
  redactStored,
  toRedactors,
} from './text/redaction.ts'
