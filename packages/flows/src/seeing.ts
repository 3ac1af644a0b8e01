// Entry for clients that only display messages and traces. It loads no other part of the package.
export { preview } from './tracing/preview.ts'
export { type TracedStep, type TurnTrace, turnObservation } from './tracing/trace.ts'
export { traceText } from './tracing/trace-text.ts'
