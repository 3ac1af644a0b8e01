// The package's only entry.
export * as signals from './chat/signals.ts'
export * from './cognitive/media.ts'
export * from './errors.ts'
export * from './family.ts'
export * from './fields.ts'
export * as liveSignals from './live/signals.ts'
export * from './message-schemas.ts'
export * from './models.gen.ts'
export * from './moment.ts'
export {
  ChatCompletionRequest,
  ChatMessageParam,
  EmbeddingsRequest,
} from './openai/compatible.ts'
export * from './operation.ts'
export * from './permissions.ts'
export * from './registry.gen.ts'
export * from './to-openapi.ts'
export * from './to-openapi-30.ts'
export * as webchatSignals from './webchat/signals.ts'
