export { logOptions } from './log.ts'
export { type Metrics, openMetrics } from './metrics.ts'
export { traceContext } from './trace-context.ts'
export { type TracedSpan, tracing } from './tracing.ts'
