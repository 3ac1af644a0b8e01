import { handlers } from './api/handlers.gen.ts'
import { bindings } from './services.ts'

export const realtimeModule = { name: 'realtime', bindings, handlers }
export type { Bus } from './bus.ts'
export { ChangeFeed } from './change-feed.ts'
export { openBus } from './open-bus.ts'
export type { RealtimeServices } from './services.ts'
export type { Listener, Signal } from './signal.ts'
export { Signals, toSignals } from './signals.ts'
export { Stops } from './stops.ts'
