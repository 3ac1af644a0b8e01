import { type Static, Type as T } from 'typebox'
import { closed, nullable } from '../fields.ts'
import { ModelChoice, RequestOptions } from '../models/language-models/language-model.ts'
import { operation } from '../operation.ts'

const text = T.Optional(T.String())
const common = {
  requestId: text,
  provider: T.String(),
  model: T.String(),
  cost: T.Number({ minimum: 0 }),
  latency: T.Optional(T.Number()),
  cached: T.Optional(T.Boolean()),
  fallbackPath: T.Optional(T.Array(T.String())),
}
const StoredOptions = T.Object({
  ...RequestOptions.properties,
  expirationDays: T.Optional(T.Number({ minimum: 0.001, maximum: 3_650 })),
})

const Voice = closed({
  id: T.String(),
  displayName: T.String(),
  provider: T.String(),
  models: T.Array(T.String()),
})

const TranscribeRequest = T.Object({
  url: T.String({ minLength: 1 }),
  mimeType: text,
  model: T.Optional(ModelChoice),
  options: T.Optional(RequestOptions),
})

const SpeechRequest = T.Object({
  model: T.Optional(ModelChoice),
  input: T.String({ minLength: 1, maxLength: 100_000 }),
  voice: text,
  format: T.Optional(T.Enum(['mp3', 'opus', 'wav'])),
  speed: T.Optional(T.Number({ minimum: 0.1, maximum: 10 })),
  instructions: text,
  language: text,
  options: T.Optional(StoredOptions),
})
export type SpeechRequest = Static<typeof SpeechRequest>

const SpeechMetadata = closed({
  ...common,
  voice: T.String(),
  format: T.String(),
  characterCount: T.Integer(),
})
export type SpeechMetadata = Static<typeof SpeechMetadata>

const SpeechChunk = closed({
  audio: text,
  audioUrl: T.Optional(nullable(T.String())),
  metadata: T.Optional(SpeechMetadata),
  finished: T.Boolean(),
  error: text,
})

const ImageRequest = T.Object({
  model: T.Optional(ModelChoice),
  prompt: T.String({ minLength: 1, maxLength: 100_000 }),
  size: T.Optional(T.String({ maxLength: 20 })),
  quality: T.Optional(T.Enum(['low', 'medium', 'high', 'auto'])),
  format: T.Optional(T.Enum(['png', 'jpeg'])),
  options: T.Optional(StoredOptions),
})

const use = {
  method: 'POST',
  access: 'bot',
  permission: 'models.use',
  audit: false,
} as const
const failures = [
  'ReferenceNotFound',
  'QuotaExceeded',
  'Runtime',
  'OperationTimeout',
] as const

export const media = {
  listVoices: operation({
    method: 'GET',
    path: '/v2/cognitive/voices',
    access: 'bot',
    permission: 'models.read',
    summary: 'List the voices of speech models',
    query: T.Object({ model: text, language: text }),
    response: closed({ voices: T.Array(Voice) }),
  }),
  transcribeAudio: operation({
    ...use,
    path: '/v2/cognitive/transcribe-audio',
    summary: 'Transcribe audio',
    body: TranscribeRequest,
    response: closed({
      output: T.String(),
      error: text,
      metadata: closed({ ...common, durationSeconds: T.Number({ minimum: 0 }) }),
    }),
    errors: failures,
  }),
  generateAudio: operation({
    ...use,
    path: '/v2/cognitive/generate-audio',
    summary: 'Generate speech',
    description: 'The audio becomes a file of the bot.',
    body: SpeechRequest,
    response: closed({
      output: closed({ audioUrl: nullable(T.String()) }),
      metadata: SpeechMetadata,
    }),
    errors: failures,
  }),
  generateAudioStream: operation({
    ...use,
    path: '/v2/cognitive/generate-audio-stream',
    stream: true,
    mediaType: 'application/x-ndjson',
    summary: 'Generate speech as a stream',
    body: SpeechRequest,
    response: SpeechChunk,
    errors: failures,
  }),
  generateImage: operation({
    ...use,
    path: '/v2/cognitive/generate-image',
    summary: 'Generate an image',
    description: 'The image becomes a file of the bot.',
    body: ImageRequest,
    response: closed({
      output: closed({ imageUrl: nullable(T.String()) }),
      metadata: closed({
        ...common,
        size: T.String(),
        quality: text,
        format: T.String(),
      }),
      error: text,
    }),
    errors: failures,
  }),
}
