// An entry of the package for who only shows what bots said and did: it loads nothing else.
export { preview } from './preview.ts'
export { type TracedStep, type TurnTrace, turnObservation } from './trace.ts'
export { traceText } from './trace-text.ts'
