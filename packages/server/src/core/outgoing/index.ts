import { bindings } from './services.ts'

export const outgoingModule = { name: 'outgoing', bindings }
export { createHttpTargets, type HttpTargets, type ResponseBytes } from './http-target.ts'
export { type Outgoing, openOutgoing, type TunnelAddresses, toUnreachable } from './outgoing.ts'
export { type BotAddressee, botRequest, integrationRequest } from './request.ts'
export type { OutgoingServices } from './services.ts'
