// The package's only entry.
export * from './card-shapes.ts'
export * from './document.ts'
export type { Script } from './script.ts'
export type { Code, Target } from './shapes.ts'
