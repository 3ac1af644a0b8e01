export { logOptions } from './log.ts'
export { type Metrics, openMetrics } from './metrics.ts'
export {
  findSpanContext,
  traceHeaders,
  traceOfCarried,
  traceOfHeaders,
} from './trace-context.ts'
export {
  activeContext,
  currentTrace,
  followContexts,
  startSpan,
  type TracedSpan,
  within,
} from './tracing.ts'
