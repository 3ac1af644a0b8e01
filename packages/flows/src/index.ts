// The package's only entry.
export * from './card-shapes.ts'
export { CodeError, type CodeFault } from './code-error.ts'
export * from './document.ts'
export type { BotEvent, EventContext, EventDirection, EventKnowledge, EventState, EventTags, EventTrigger, KnowledgeResult, OutgoingEvent } from './event.ts'
export { preview } from './preview.ts'
export type { Script } from './script.ts'
export type { Code, Target } from './shapes.ts'
