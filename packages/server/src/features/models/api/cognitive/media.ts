import {
  ApiError,
  type cognitive,
  type Handlers,
  type SpeechRequest,
} from '@botstead/contract'
import type { BlobServices } from '../../../../core/files/index.ts'
import {
  type Caller,
  type Contexts,
  getOrigin,
  type Services,
  sendLines,
} from '../../../../core/http/index.ts'
import type { RealtimeServices } from '../../../../core/realtime/index.ts'
import { draw, type OneResult, speak, transcribe } from '../../gateway/other-kinds.ts'
import type { Catalog } from '../../providers/catalog.ts'
import type { ModelServices } from '../../services.ts'
import { callSignal, toFilePart } from '../model-prompts.ts'
import { storeMedia } from './media-files.ts'
import { toModelCaller } from './prompt.ts'

type Own = BlobServices & ModelServices & RealtimeServices

export const media: Handlers<typeof cognitive.media, Contexts<Own>> = {
  async listVoices({ services, caller }, { query }) {
    const catalog = await services.models.deps.getCatalog(toModelCaller(caller))
    return { voices: collectVoices(catalog, query.model) }
  },

  async transcribeAudio({ services, caller, reply }, { body }) {
    const signal = callSignal(services, caller, reply)
    const part = toFilePart(
      { type: 'audio', url: body.url, mimeType: body.mimeType },
      'url',
    )
    const fetched =
      part.data instanceof URL
        ? await services.models.deps.fetchMedia(
            caller.workspaceId,
            String(part.data),
            signal,
          )
        : { data: part.data as Uint8Array, mediaType: part.mediaType }
    const { value, ...result } = await transcribe(
      services.models,
      toModelCaller(caller),
      {
        models: [body.model ?? 'auto'].flat(),
        audio: fetched.data,
        mediaType: body.mimeType ?? fetched.mediaType ?? 'audio/mpeg',
        signal,
      },
    )
    const metadata = {
      ...toMetadata(result, body.options),
      durationSeconds: value.seconds,
    }
    return { output: value.text, metadata }
  },

  async generateAudio({ services, caller, request, reply }, { body }) {
    const signal = callSignal(services, caller, reply)
    const { metadata, audio } = await spoken(services, caller, body, signal)
    const audioUrl = await storeMedia(
      services,
      caller,
      getOrigin({ services, request }),
      {
        content: audio,
        contentType: audioTypes[metadata.format]!,
        extension: metadata.format,
        expirationDays: body.options?.expirationDays,
      },
    )
    return { output: { audioUrl }, metadata }
  },

  async generateAudioStream({ services, caller, request, reply }, { body }) {
    const signal = callSignal(services, caller, reply)
    const origin = getOrigin({ services, request })
    async function* lines() {
      const { metadata, audio } = await spoken(services, caller, body, signal)
      for (let from = 0; from < audio.length; from += pieceBytes) {
        const piece = audio.subarray(from, from + pieceBytes).toString('base64')
        yield toJsonLine({ audio: piece, finished: false })
      }
      const audioUrl = await storeMedia(services, caller, origin, {
        content: audio,
        contentType: audioTypes[metadata.format]!,
        extension: metadata.format,
        expirationDays: body.options?.expirationDays,
      })
      yield toJsonLine({ audioUrl, metadata, finished: true })
    }
    await sendLines(request, reply, 'application/x-ndjson', lines(), (error) =>
      toJsonLine({ audioUrl: null, finished: true, error: (error as Error).message }),
    )
    return undefined as never
  },

  async generateImage({ services, caller, request, reply }, { body }) {
    const { model = 'auto', prompt, size, quality, format = 'png' } = body
    if (size !== undefined && !/^\d{2,5}x\d{2,5}$|^\d{1,2}:\d{1,2}$/.test(size))
      throw new ApiError('InvalidPayload', '`size` must be like "1024x1024" or "16:9"')
    const { value, ...result } = await draw(services.models, toModelCaller(caller), {
      models: [model].flat(),
      prompt,
      size,
      quality,
      format,
      signal: callSignal(services, caller, reply),
    })
    const imageUrl = await storeMedia(
      services,
      caller,
      getOrigin({ services, request }),
      {
        content: value,
        contentType: `image/${format}`,
        extension: format,
        expirationDays: body.options?.expirationDays,
      },
    )
    const metadata = { ...toMetadata(result, body.options), size: size ?? 'auto', format }
    return {
      output: { imageUrl },
      metadata: { ...metadata, ...(quality && { quality }) },
    }
  },
}

/** Of a line, before base64. */
const pieceBytes = 49_152

const audioTypes: Record<string, string> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
}

const toJsonLine = (value: object) => `${JSON.stringify(value)}\n`

async function spoken(
  services: Services & Own,
  caller: Caller<'bot'>,
  body: SpeechRequest,
  signal: AbortSignal,
) {
  const { input: text, voice, format = 'mp3', speed, instructions, language } = body
  const { value, ...result } = await speak(services.models, toModelCaller(caller), {
    models: [body.model ?? 'auto'].flat(),
    text,
    voice,
    format,
    speed,
    instructions,
    language,
    signal,
  })
  const details = { voice: value.voice, format, characterCount: text.length }
  return {
    audio: value.audio,
    metadata: { ...toMetadata(result, body.options), ...details },
  }
}

function toMetadata(
  { model, provider, cost, ms, fallbackPath }: Omit<OneResult<unknown>, 'value'>,
  options: { requestId?: string } = {},
) {
  return {
    ...(options.requestId !== undefined && { requestId: options.requestId }),
    provider,
    model,
    cost,
    latency: Math.round(ms),
    cached: false,
    ...(fallbackPath.length > 0 && { fallbackPath }),
  }
}

function collectVoices({ models }: Catalog, only: string | undefined) {
  const voices = new Map<string, { id: string; provider: string; models: string[] }>()
  for (const model of models.values()) {
    if (model.kind !== 'speech' || (only !== undefined && model.id !== only)) continue
    for (const id of model.voices) {
      const key = `${model.provider.name} ${id}`
      const known = voices.get(key) ?? { id, provider: model.provider.name, models: [] }
      voices.set(key, { ...known, models: [...known.models, model.id] })
    }
  }
  return [...voices.values()].map((voice) => ({ ...voice, displayName: voice.id }))
}
