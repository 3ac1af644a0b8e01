// The door of the sandbox: what other modules may use of it.
export type { Channel } from './apart/remote-calls.ts'
export { openRemoteSandbox } from './apart/remote-sandbox.ts'
export {
  createHttpTargets,
  type HttpTargets,
  type ResponseBytes,
} from './invocation/http-target.ts'
export { type FailureReason, InvocationFailed } from './invocation/invocation.ts'
export {
  type Outgoing,
  openOutgoing,
  type TunnelAddresses,
  toUnreachable,
} from './invocation/outgoing.ts'
export { between, jsonPieces, type Pieces } from './invocation/pieces.ts'
export { type BotAddressee, botRequest, integrationRequest } from './invocation/request.ts'
export { withoutNetwork } from './isolation.ts'
export { createSandbox, type SandboxOptions } from './runner/pool.ts'
export type {
  CodeUnit,
  HandlerRequest,
  HandlerResponse,
  LogLinks,
  RunnerEnd,
  Sandbox,
  SandboxStats,
} from './sandbox.ts'
