// The OpenAI-compatible API, for libraries that speak the wire format of OpenAI. Requests are open:
// the response lists parameters that the server does not know as `warnings`.
import { Type as T } from 'typebox'
import { Json, nullable } from '../fields.ts'
import { operation } from '../operation.ts'

const maybe = <S extends Parameters<typeof nullable>[0]>(schema: S) =>
  T.Optional(nullable(schema))

const ChatPart = T.Object({
  type: T.String(),
  text: T.Optional(T.String()),
  image_url: T.Optional(T.Union([T.String(), T.Object({ url: T.String() })])),
  input_audio: T.Optional(T.Object({ data: T.String(), format: T.String() })),
})

export const ChatMessageParam = T.Object({
  role: T.Enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: maybe(T.Union([T.String(), T.Array(ChatPart)])),
  tool_calls: maybe(
    T.Array(
      T.Object({
        id: T.String(),
        // Models may write invalid arguments, or end in the middle of them.
        function: T.Object({
          name: T.String(),
          arguments: T.Optional(T.Union([T.String(), T.Null(), T.Object({})])),
        }),
      }),
    ),
  ),
  tool_call_id: maybe(T.String()),
})

const ChatTool = T.Object({
  type: T.String(),
  function: T.Optional(
    T.Object({
      name: T.String({ minLength: 1, maxLength: 128 }),
      description: maybe(T.String()),
      parameters: maybe(Json),
      strict: maybe(T.Boolean()),
    }),
  ),
})

const count = maybe(T.Integer({ minimum: 1 }))

export const ChatCompletionRequest = T.Object({
  model: T.String({ minLength: 1, maxLength: 200 }),
  messages: T.Array(ChatMessageParam, { minItems: 1, maxItems: 10_000 }),
  stream: maybe(T.Boolean()),
  stream_options: maybe(T.Object({ include_usage: maybe(T.Boolean()) })),
  n: maybe(T.Integer({ minimum: 1, maximum: 1 })),
  temperature: maybe(T.Number()),
  top_p: maybe(T.Number()),
  presence_penalty: maybe(T.Number()),
  frequency_penalty: maybe(T.Number()),
  seed: maybe(T.Integer()),
  max_tokens: count,
  max_completion_tokens: count,
  stop: maybe(T.Union([T.String(), T.Array(T.String(), { maxItems: 16 })])),
  tools: maybe(T.Array(ChatTool, { maxItems: 512 })),
  tool_choice: maybe(
    T.Union([
      T.Enum(['none', 'auto', 'required']),
      T.Object({ function: T.Object({ name: T.String() }) }),
    ]),
  ),
  response_format: maybe(
    T.Object({
      type: T.Enum(['text', 'json_object', 'json_schema']),
      json_schema: maybe(
        T.Object({
          name: T.Optional(T.String()),
          schema: maybe(Json),
          strict: maybe(T.Boolean()),
        }),
      ),
    }),
  ),
  reasoning_effort: maybe(T.Enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'])),
})

export const EmbeddingsRequest = T.Object({
  model: T.String({ minLength: 1, maxLength: 200 }),
  input: T.Union([
    T.String({ minLength: 1 }),
    T.Array(T.String({ minLength: 1 }), { minItems: 1, maxItems: 2_048 }),
    // Token ids, which the server rejects with the remedy.
    T.Array(T.Union([T.Integer(), T.Array(T.Integer())]), {
      minItems: 1,
      maxItems: 1_000_000,
    }),
  ]),
  encoding_format: maybe(T.Enum(['float', 'base64'])),
})

const failures = [
  'ReferenceNotFound',
  'QuotaExceeded',
  'RateLimited',
  'Runtime',
  'Unavailable',
  'OperationTimeout',
] as const
const use = {
  access: 'bot',
  permission: 'models.use',
  audit: false,
  botOptional: true,
} as const

export const compatible = {
  createChatCompletion: operation({
    method: 'POST',
    path: '/v1/openai/chat/completions',
    ...use,
    stream: true,
    summary: 'Create a chat completion',
    description:
      'With `stream`, answers with server-sent events, otherwise with one JSON object. ' +
      'A bot key may omit `x-bot-id`.',
    body: ChatCompletionRequest,
    response: Json,
    errors: failures,
  }),
  createEmbeddings: operation({
    method: 'POST',
    path: '/v1/openai/embeddings',
    ...use,
    summary: 'Create embeddings',
    body: EmbeddingsRequest,
    response: Json,
    errors: failures,
  }),
  listOpenAiModels: operation({
    method: 'GET',
    path: '/v1/openai/models',
    access: 'bot',
    permission: 'models.read',
    botOptional: true,
    summary: 'List the models as OpenAI does',
    response: Json,
  }),
}
