export { Bus } from './bus.ts'
export {
  ChangeFeed,
  type FeedEntry,
  type FeedNote,
  type Follower,
  isFeedNote,
} from './change-feed.ts'
export { NatsChannel } from './nats-channel.ts'
export { PostgresChannel } from './postgres-channel.ts'
export type { Listener, Signal } from './signal.ts'
export { Signals, toSignals } from './signals.ts'
export { Stops } from './stops.ts'
