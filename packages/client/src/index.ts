// The package's only entry.
export { chatOf } from './chat-of.ts'
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
} from './client.ts'
export {
  createMissingData,
  findKnowledgeBases,
  findMissingData,
  type MissingData,
  namesOfKnowledgeBases,
} from './declared-data.ts'
export { RequestError, Unreachable } from './errors.ts'
export { readEvents, type ServerEvent } from './events.ts'
export { itemsOf } from './pages.ts'
export { type Routes, toRoutes } from './routes.ts'
