// Requests and responses of models, as `@botpress/cognitive` 1.1 sends and reads them. The objects
// of requests are open: newer clients may send more.
import { type Static, Type as T } from 'typebox'
import { closed, dictionary, Json, nullable } from '../../fields.ts'

const text = T.Optional(T.String())
const dollars = T.Number({ minimum: 0 })
const tokens = T.Integer({ minimum: 0 })

/** One model, or several: the others are fallbacks, in this order. */
export const ModelChoice = T.Union([
  T.String({ minLength: 1, maxLength: 200 }),
  T.Array(T.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 20 }),
])

/** `url` is an http(s) URL or a data URI. */
const ContentPart = T.Object({
  type: T.Enum(['text', 'image', 'audio']),
  text,
  url: text,
  mimeType: text,
})

/** @component */
export const ModelMessage = T.Object({
  role: T.Enum(['user', 'assistant', 'system']),
  content: T.Optional(nullable(T.Union([T.String(), T.Array(ContentPart)]))),
  type: T.Optional(T.Enum(['text', 'tool_calls', 'tool_result', 'multipart'])),
  toolCalls: T.Optional(
    T.Array(
      T.Object({
        id: T.String(),
        type: text,
        function: T.Object({ name: T.String(), arguments: T.Optional(nullable(Json)) }),
      }),
    ),
  ),
  toolResultCallId: text,
})
export type ModelMessage = Static<typeof ModelMessage>

const ModelTool = T.Object({
  name: T.String({ minLength: 1, maxLength: 128 }),
  description: text,
  parameters: T.Optional(Json),
  strict: T.Optional(T.Boolean()),
})

const ToolControl = T.Object({
  mode: T.Enum(['auto', 'none', 'required', 'specific']),
  toolName: text,
  parallel: T.Optional(T.Boolean()),
})

const milliseconds = T.Optional(T.Number({ minimum: 1, maximum: 3_600_000 }))

/** Options that all requests share. */
export const RequestOptions = T.Object({
  debug: T.Optional(T.Boolean()),
  skipCache: T.Optional(T.Boolean()),
  requestId: text,
})

/**
 * Where the server publishes the text while the model writes it. A message of the bot with
 * `streamId` in its metadata completes the stream.
 */
const PublishTo = closed({
  conversationId: T.String({ minLength: 1, maxLength: 200 }),
  streamId: T.String({ minLength: 1, maxLength: 100 }),
  /** The client's id of the message that is answered. */
  clientMessageId: T.Optional(T.String({ minLength: 1, maxLength: 100 })),
})
export type PublishTo = Static<typeof PublishTo>

const TextOptions = T.Object({
  ...RequestOptions.properties,
  publishTo: T.Optional(PublishTo),
  maxTimeToFirstToken: milliseconds,
  maxIdleTime: milliseconds,
  midStreamFallback: T.Optional(T.Boolean()),
  transcriptionModel: text,
  /** The caller manages without a model: a server without models then records no issue. */
  isOptional: T.Optional(T.Boolean()),
})

const RequestMeta = T.Object({
  promptSource: text,
  promptCategory: text,
  integrationName: text,
  metadata: T.Optional(dictionary(T.String())),
})

/** @component */
export const TextRequest = T.Object({
  messages: T.Array(ModelMessage, { minItems: 1, maxItems: 10_000 }),
  model: T.Optional(ModelChoice),
  temperature: T.Optional(T.Number()),
  systemPrompt: text,
  maxTokens: T.Optional(T.Integer({ minimum: 1 })),
  stopSequences: T.Optional(T.Union([T.String(), T.Array(T.String(), { maxItems: 16 })])),
  stream: T.Optional(T.Boolean()),
  responseFormat: T.Optional(T.Enum(['text', 'json', 'json_object'])),
  responseSchema: T.Optional(
    T.Object(
      {},
      {
        description:
          'JSON Schema of a response in JSON, for models that accept one. The prompt must describe ' +
          'the format as well, for all others.',
      },
    ),
  ),
  reasoningEffort: T.Optional(T.Enum(['low', 'medium', 'high', 'dynamic', 'none'])),
  search: T.Optional(T.Union([T.Boolean(), T.Object({})])),
  tools: T.Optional(T.Array(ModelTool, { maxItems: 512 })),
  toolControl: T.Optional(ToolControl),
  options: T.Optional(TextOptions),
  meta: T.Optional(RequestMeta),
})
export type TextRequest = Static<typeof TextRequest>

const Warning = closed({ type: T.String(), message: T.String() })

/** Costs are in US dollars, times in milliseconds. @component */
export const ModelMetadata = closed({
  requestId: text,
  provider: T.String(),
  model: text,
  usage: closed({
    inputTokens: tokens,
    inputCost: dollars,
    outputTokens: tokens,
    outputCost: dollars,
  }),
  cost: dollars,
  cached: T.Optional(T.Boolean()),
  latency: T.Optional(T.Number()),
  /** Time to the first token of a stream. */
  ttft: T.Optional(T.Number()),
  stopReason: T.Optional(
    T.Enum(['stop', 'max_tokens', 'content_filter', 'tool_calls', 'other']),
  ),
  reasoningEffort: text,
  citations: T.Optional(T.Array(closed({ url: T.String(), title: text }))),
  warnings: T.Optional(T.Array(Warning)),
  /** Models that were tried before and failed. */
  fallbackPath: T.Optional(T.Array(T.String())),
  /** Present if audio of the prompt was transcribed. */
  transcription: T.Optional(
    closed({
      model: T.String(),
      provider: T.String(),
      cost: dollars,
      durationSeconds: T.Number(),
      parts: tokens,
    }),
  ),
})
export type ModelMetadata = Static<typeof ModelMetadata>

/** @component */
export const ToolCall = closed({ id: T.String(), name: T.String(), input: Json })
export type ToolCall = Static<typeof ToolCall>

/** @component */
export const TextResponse = closed({
  output: T.String(),
  reasoning: text,
  toolCalls: T.Optional(T.Array(ToolCall)),
  metadata: ModelMetadata,
  error: text,
})
export type TextResponse = Static<typeof TextResponse>

/**
 * A line of a stream. The last one has `finished`. After a line with `restart`, another model
 * begins again: discard everything before it.
 * @component
 */
export const TextChunk = closed({
  output: text,
  reasoning: text,
  toolCalls: T.Optional(T.Array(ToolCall)),
  created: T.Integer(),
  finished: T.Optional(T.Boolean()),
  error: text,
  restart: T.Optional(
    closed({
      attempt: T.Integer(),
      fromModel: T.String(),
      toModel: T.String(),
      reason: T.String(),
    }),
  ),
  metadata: T.Optional(ModelMetadata),
})
export type TextChunk = Static<typeof TextChunk>

const side = closed({
  maxTokens: T.Integer({ minimum: 0 }),
  costPer1MTokens: dollars,
  costPerMinute: T.Optional(dollars),
})

export const modelTags = [
  'recommended',
  'deprecated',
  'general-purpose',
  'low-cost',
  'vision',
  'coding',
  'agents',
  'function-calling',
  'roleplay',
  'storytelling',
  'reasoning',
  'preview',
  'speech-to-text',
  'image-generation',
  'image-editing',
  'text-to-speech',
] as const

/** @component */
export const LanguageModel = closed({
  id: T.String(),
  name: T.String(),
  description: T.String(),
  aliases: T.Optional(T.Array(T.String())),
  tags: T.Array(T.Enum([...modelTags])),
  input: side,
  output: side,
  lifecycle: T.Enum(['production', 'preview', 'deprecated', 'discontinued']),
  capabilities: T.Optional(
    closed({
      supportsImages: T.Optional(T.Boolean()),
      supportsAudio: T.Optional(T.Boolean()),
      supportsTranscription: T.Optional(T.Boolean()),
      supportsSearch: T.Optional(T.Boolean()),
    }),
  ),
})
export type LanguageModel = Static<typeof LanguageModel>
