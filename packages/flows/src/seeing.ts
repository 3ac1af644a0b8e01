// Entry for clients that only display messages and traces. It loads no other part of the package.
export { preview } from './preview.ts'
export { type TracedStep, type TurnTrace, turnObservation } from './trace.ts'
export { traceText } from './trace-text.ts'
