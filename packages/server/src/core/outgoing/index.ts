export { createHttpTargets, type HttpTargets, type ResponseBytes } from './http-target.ts'
export { type Outgoing, openOutgoing, type TunnelAddresses, toUnreachable } from './outgoing.ts'
export { type BotAddressee, botRequest, integrationRequest } from './request.ts'
export { type OutgoingServices, outgoingBindings } from './services.ts'
