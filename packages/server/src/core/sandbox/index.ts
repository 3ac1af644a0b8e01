// The door of the sandbox: what other modules may use of it.
export type { Channel } from './apart/remote-calls.ts'
export { openRemoteSandbox } from './apart/remote-sandbox.ts'
