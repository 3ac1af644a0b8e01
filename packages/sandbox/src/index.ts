export type { Channel } from './apart/remote-calls.ts'
export { openRemoteSandbox } from './apart/remote-sandbox.ts'
export { type FailureReason, InvocationFailed } from './invocation/invocation.ts'
export { between, jsonPieces, Pieces } from './invocation/pieces.ts'
export { withoutNetwork } from './isolation.ts'
export { createSandbox } from './runner/pool.ts'
export type { SandboxOptions } from './runner/starting.ts'
export type {
  CodeUnit,
  HandlerRequest,
  HandlerResponse,
  LogLinks,
  RunnerEnd,
  Sandbox,
  SandboxStats,
} from './sandbox.ts'
