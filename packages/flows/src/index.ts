// Entry for servers and deployments. It does not export the engine, which compile() puts into bots.
// `seeing`, `testing`, `folding` and `document-text` are separate entries.

export { checkDocument, findWarnings, isFlowDocument } from './check/check.ts'
export { shareNodes } from './check/known-parts.ts'
export { checkModels } from './check/missing-parts.ts'
export { findExpressions } from './check/translations.ts'
export { CodeError, type CodeFault } from './code/code-error.ts'
export {
  fillPlainTemplate,
  listPaths,
  type PlainTemplate,
  PlainTemplateError,
  readPlainTemplate,
} from './code/plain-template.ts'
export { builtInFlows, reservedPrefix } from './document/built-in-flows.ts'
export * from './document/card-shapes.ts'
export {
  compileCode,
  compileDocument,
  compiledStart,
  compileTests,
  documentIn,
} from './document/compile.ts'
export { ConversationTest } from './document/conversation-tests.ts'
export { declarationsFile, toDeclarations } from './document/declarations.ts'
export { derive, withoutDerived } from './document/derived.ts'
export * from './document/document.ts'
export { Languages } from './document/languages.ts'
export { messageNeeds } from './document/message-shapes.ts'
export { migrateDocument } from './document/migrate.ts'
export { escapePointer } from './document/pointer.ts'
export { DocumentError, type Problem } from './document/problems.ts'
export { codeLocations, fileKey } from './document/scripts.ts'
export type { Code, Target } from './document/shapes.ts'
export type {
  BotEvent,
  EventContext,
  EventDirection,
  EventKnowledge,
  EventState,
  EventTags,
  EventTrigger,
  KnowledgeResult,
  OutgoingEvent,
} from './engine/event-types.ts'
export { defaultMinScore } from './engine/min-score.ts'
export { findGreetings, type Greeting } from './texts/greeting.ts'
