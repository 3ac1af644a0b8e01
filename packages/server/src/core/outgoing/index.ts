import { bindings } from './services.ts'

export const outgoingModule = { name: 'outgoing', bindings }
export { type Outgoing, openOutgoing, toUnreachable } from './outgoing.ts'
export type { OutgoingServices } from './services.ts'
