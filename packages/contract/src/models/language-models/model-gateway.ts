// The model gateway as operators see it: calls, budgets and providers.
import { type Static, Type as T } from 'typebox'
import { closed, dictionary, nullable, Timestamp } from '../../fields.ts'
import { modelTags } from './language-model.ts'

const link = T.Optional(T.String())
const dollars = T.Number({ minimum: 0 })
const tokens = T.Integer({ minimum: 0 })

export const modelKinds = [
  'text',
  'embedding',
  'speech',
  'transcription',
  'image',
  'rerank',
] as const
const ModelKind = T.Enum([...modelKinds])

/** One call of a model. Times are in milliseconds, costs in US dollars. @component */
export const ModelCall = closed({
  id: T.String(),
  createdAt: Timestamp,
  botId: T.String(),
  conversationId: link,
  userId: link,
  eventId: link,
  kind: ModelKind,
  /** The caller's name for the origin of the call. */
  source: link,
  model: T.String(),
  provider: T.String(),
  /** Models that were tried before and failed. */
  fallbackPath: T.Array(T.String()),
  inputTokens: tokens,
  outputTokens: tokens,
  cost: dollars,
  latency: tokens,
  /** Time to the first token of a stream. */
  timeToFirstToken: T.Optional(tokens),
  cached: T.Boolean(),
  outcome: T.Enum(['ok', 'failed', 'canceled', 'rejected']),
  error: link,
})
export type ModelCall = Static<typeof ModelCall>

/** Sums of the calls with the same `key`; null for calls without one. @component */
export const ModelTotal = closed({
  key: nullable(T.String()),
  calls: tokens,
  failed: tokens,
  cached: tokens,
  inputTokens: tokens,
  outputTokens: tokens,
  cost: dollars,
  meanLatency: T.Number({ minimum: 0 }),
})
export type ModelTotal = Static<typeof ModelTotal>

/**
 * A limit for the calls of models. Without `scopeId`, each bot, conversation or user has its own.
 * Periods are those of the calendar, in UTC.
 */
const budget = {
  scope: T.Enum(['workspace', 'bot', 'conversation', 'user']),
  scopeId: T.Optional(T.String({ minLength: 1, maxLength: 100 })),
  unit: T.Enum(['dollars', 'tokens', 'calls']),
  period: T.Enum(['hour', 'day', 'month', 'total']),
  maximum: T.Number({ minimum: 0, maximum: 1e15 }),
}
export const NewModelBudget = closed(budget)
/** @component */
export const ModelBudget = closed({
  id: T.String(),
  ...budget,
  /** In the current period; without `scopeId`, the highest of all. */
  used: T.Number(),
})
export type ModelBudget = Static<typeof ModelBudget>

const amount = T.Optional(T.Number({ minimum: 0, maximum: 1e9 }))
const WorkspaceModel = closed({
  kind: T.Optional(ModelKind),
  name: T.Optional(T.String({ maxLength: 200 })),
  description: T.Optional(T.String({ maxLength: 2_000 })),
  tags: T.Optional(T.Array(T.Enum([...modelTags]))),
  inputTokens: amount,
  outputTokens: amount,
  /** In US dollars; `input`, `output` and `cachedInput` are per million tokens. */
  price: T.Optional(
    closed({
      input: amount,
      output: amount,
      cachedInput: amount,
      minute: amount,
      characters: amount,
      image: amount,
    }),
  ),
  voices: T.Optional(T.Array(T.String({ maxLength: 100 }), { maxItems: 200 })),
})

const provider = {
  type: T.Enum(['openai', 'anthropic', 'google', 'mistral', 'openai-compatible']),
  url: T.Optional(T.String({ minLength: 1, maxLength: 2_000 })),
  /** Models by the provider's names. */
  models: dictionary(WorkspaceModel),
}

/** The server checks the characters itself, for an error that names them. */
const ProviderKey = T.String({
  minLength: 1,
  maxLength: 4_000,
  description: 'Must consist of visible ASCII characters, without spaces.',
})

/** Without `key`, the provider keeps the key that it has. */
export const NewModelProvider = closed({
  ...provider,
  key: T.Optional(nullable(ProviderKey)),
})
/** @component */
export const ModelProvider = closed({
  name: T.String(),
  ...provider,
  /** The key itself is never sent. */
  hasKey: T.Boolean(),
  updatedAt: Timestamp,
})
export type ModelProvider = Static<typeof ModelProvider>
