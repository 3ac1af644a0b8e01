// Entry for servers and deployments. It does not export the engine, which compile() puts into bots.
// `seeing`, `testing`, `folding` and `document-text` are separate entries.
export { builtInFlows, reservedPrefix } from './built-in-flows.ts'
export * from './card-shapes.ts'
export { checkDocument, findWarnings, isFlowDocument } from './check.ts'
export { CodeError, type CodeFault } from './code-error.ts'
export { compileDocument, documentIn } from './compile.ts'
export { declarationsFile, declarationsOf } from './declarations.ts'
export { derive, withoutDerived } from './derived.ts'
export * from './document.ts'
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
} from './event-types.ts'
export { migrateDocument } from './migrate.ts'
export { escapePointer } from './pointer.ts'
export { DocumentError, type Problem } from './problems.ts'
export { codeLocations, fileKey } from './scripts.ts'
export type { Code, Target } from './shapes.ts'
