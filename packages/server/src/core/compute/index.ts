export { openRedaction } from './budgeted-redaction.ts'
export { compute } from './compute.ts'
export type { DraftText } from './draft-tasks.ts'
export type { RequestedText, TextFault } from './draft-text-tasks.ts'
export { schemas } from './schemas.ts'
export { findMismatchHere, type JsonSchema, undeclared } from './text/json-schemas.ts'
export {
  type GetRedactors,
  type Redactor,
  redactMessage,
  redactStored,
} from './text/redaction.ts'
