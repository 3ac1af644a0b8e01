// Embeddings, reranking, speech, transcriptions and images. Unlike text, these calls have one response.
import type { SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { ModelAccess } from '../model-access.ts'
import type { Model, ModelKind } from '../providers/catalog.ts'
import { ModelFailure } from '../providers/failures.ts'
import type { OpenedProvider } from '../providers/providers.ts'
import { type ModelCaller, noUsage, type Usage } from './call.ts'
import { runChain } from './chain.ts'
import { toApiError } from './errors.ts'
import { Meter } from './meter.ts'
import { estimateTokens } from './prices.ts'
import { redactTexts } from './redacted-calls.ts'

interface OneCall<Value> {
  kind: ModelKind
  models: string[]
  signal: AbortSignal
  /** Null: the time-out of the provider. */
  timeoutMs?: number | null
  perform: (opened: OpenedProvider, model: Model, signal: AbortSignal) => Promise<Value>
  /** Tokens and dollars. */
  measure: (value: Value, model: Model) => { usage: Usage; cost: number }
}

export interface OneResult<Value> {
  value: Value
  model: string
  provider: string
  cost: number
  usage: Usage
  ms: number
  fallbackPath: string[]
}

/** Throws ApiError. */
async function callOnce<Value>(
  gateway: ModelAccess,
  caller: ModelCaller,
  call: OneCall<Value>,
): Promise<OneResult<Value>> {
  const { chain } = await gateway.resolve(caller, call.kind, call.models)
  const meter = await Meter.begin(gateway.deps, caller, call.kind, call.models[0]!)
  const failures: ModelFailure[] = []
  const path = () => [...new Set(failures.map(({ model }) => model))]
  try {
    const { attempt, value } = await runChain(
      gateway.chainDeps,
      {
        chain,
        botId: caller.botId,
        signal: call.signal,
        timeoutMs: call.timeoutMs ?? null,
        onFailure: (failure) => failures.push(failure),
      },
      async ({ model, signal }) =>
        call.perform(await gateway.providers.of(model), model, signal),
    )
    attempt.end()
    const { id, provider } = attempt.model
    const outcome = {
      model: id,
      provider: provider.name,
      ...call.measure(value, attempt.model),
    }
    const fallbackPath = path().filter((one) => one !== id)
    const { ms } = meter
    await meter.end({ ...outcome, outcome: 'ok', fallbackPath })
    return { ...outcome, value, ms, fallbackPath }
  } catch (error) {
    const failure = error instanceof ModelFailure ? error : null
    await meter.end({
      model: failure?.model ?? '',
      provider: '',
      usage: noUsage,
      cost: 0,
      outcome: failure?.kind === 'canceled' ? 'canceled' : 'failed',
      error: failure?.message ?? 'The server failed',
      fallbackPath: path(),
    })
    throw failure ? toApiError(failure) : error
  }
}

/** Redacts these fields of a call before it is performed. */
const redacting =
  <Call extends object, Result>(
    fields: (keyof Call)[],
    perform: (gateway: ModelAccess, caller: ModelCaller, call: Call) => Promise<Result>,
  ) =>
  async (gateway: ModelAccess, caller: ModelCaller, call: Call): Promise<Result> => {
    const texts = Object.fromEntries(fields.map((field) => [field, call[field]]))
    const { getRedactors } = gateway.deps
    return perform(gateway, caller, {
      ...call,
      ...(await redactTexts(getRedactors, caller.botId, texts)),
    })
  }

const million = 1_000_000

interface EmbedCall {
  models: string[]
  values: string[]
  signal: AbortSignal
  timeoutMs?: number | null
  /** Local models compute other texts first. */
  isBackground?: boolean | undefined
}

export const embed = redacting(
  ['values'],
  (gateway: ModelAccess, caller: ModelCaller, call: EmbedCall) =>
    callOnce(gateway, caller, {
      ...call,
      kind: 'embedding',
      async perform(opened, { name }, abortSignal) {
        const model = opened.embedding(name)
        const max = (await model.maxEmbeddingsPerCall) ?? call.values.length
        const embeddings: number[][] = []
        const { isBackground = false } = call
        const providerOptions = { local: { isBackground } }
        let tokens = 0
        for (let from = 0; from < call.values.length; from += max) {
          const values = call.values.slice(from, from + max)
          const answer = await model.doEmbed({ values, abortSignal, providerOptions })
          embeddings.push(...answer.embeddings)
          tokens += answer.usage?.tokens ?? estimateTokens(values.join('').length)
        }
        return { embeddings, tokens }
      },
      measure: ({ tokens }, { price }) => ({
        usage: { ...noUsage, inputTokens: tokens },
        cost: (tokens * price.input) / million,
      }),
    }),
)

interface RerankCall {
  models: string[]
  question: string
  texts: string[]
  timeoutMs: number
  signal: AbortSignal
}

/** Returns the relevance of each text for the question, from 0 to 1, in the order of the texts. */
export const rerank = redacting(
  ['question', 'texts'],
  (gateway: ModelAccess, caller: ModelCaller, call: RerankCall) =>
    callOnce(gateway, caller, {
      ...call,
      kind: 'rerank',
      async perform(opened, { name }, abortSignal) {
        const { question: query, texts: values } = call
        const documents = { type: 'text' as const, values }
        const { ranking } = await opened
          .reranking(name)
          .doRerank({ query, documents, abortSignal })
        const scores = new Array<number>(values.length).fill(0)
        for (const { index, relevanceScore } of ranking) scores[index] = relevanceScore
        return scores
      },
      measure: (_, { price: { input } }) => {
        const read = call.question.length * call.texts.length + call.texts.join('').length
        const inputTokens = estimateTokens(read)
        return {
          usage: { ...noUsage, inputTokens },
          cost: (inputTokens * input) / million,
        }
      },
    }),
)

interface SpeechCall {
  models: string[]
  text: string
  voice: string | undefined
  format: 'mp3' | 'opus' | 'wav'
  speed: number | undefined
  instructions: string | undefined
  language: string | undefined
  signal: AbortSignal
}

export const speak = redacting(
  ['text', 'instructions'],
  (gateway: ModelAccess, caller: ModelCaller, call: SpeechCall) =>
    callOnce(gateway, caller, {
      kind: 'speech',
      models: call.models,
      signal: call.signal,
      async perform(opened, { name, voices }, abortSignal) {
        const { text, format: outputFormat, speed, instructions, language } = call
        const voice = call.voice ?? voices[0]
        const { audio } = await opened.speech(name).doGenerate({
          text,
          outputFormat,
          abortSignal,
          ...(voice !== undefined && { voice }),
          ...(speed !== undefined && { speed }),
          ...(instructions !== undefined && { instructions }),
          ...(language !== undefined && { language }),
        })
        return { audio: toBytes(audio), voice: voice ?? 'default' }
      },
      measure: (_, { price: { characters = 0 } }) => ({
        usage: noUsage,
        cost: (call.text.length * characters) / million,
      }),
    }),
)

interface TranscriptionCall {
  models: string[]
  audio: Uint8Array
  mediaType: string
  signal: AbortSignal
}

export const transcribe = (
  gateway: ModelAccess,
  caller: ModelCaller,
  call: TranscriptionCall,
) =>
  callOnce(gateway, caller, {
    kind: 'transcription',
    models: call.models,
    signal: call.signal,
    async perform(opened, { name }, abortSignal) {
      const { audio, mediaType } = call
      const answer = await opened
        .transcription(name)
        .doGenerate({ audio, mediaType, abortSignal })
      return { text: answer.text, seconds: answer.durationInSeconds ?? 0 }
    },
    measure: ({ seconds }, { price: { minute = 0 } }) => ({
      usage: noUsage,
      cost: (seconds / 60) * minute,
    }),
  })

interface ImageCall {
  models: string[]
  prompt: string
  /** `1024x1024` or a ratio such as `16:9`. */
  size: string | undefined
  quality: string | undefined
  format: 'png' | 'jpeg'
  signal: AbortSignal
}

export const draw = redacting(
  ['prompt'],
  (gateway: ModelAccess, caller: ModelCaller, call: ImageCall) =>
    callOnce(gateway, caller, {
      kind: 'image',
      models: call.models,
      signal: call.signal,
      async perform(opened, { name, provider }, abortSignal) {
        const { prompt, size } = call
        const { images } = await opened.image(name).doGenerate({
          prompt,
          n: 1,
          seed: undefined,
          files: undefined,
          mask: undefined,
          abortSignal,
          size: size?.includes('x') ? (size as `${number}x${number}`) : undefined,
          aspectRatio: size?.includes(':') ? (size as `${number}:${number}`) : undefined,
          providerOptions: provider.type.startsWith('openai') ? imageOptions(call) : {},
        })
        return toBytes(images[0]!)
      },
      measure: (_, { price: { image = 0 } }) => ({ usage: noUsage, cost: image }),
    }),
)

const imageOptions = ({ quality, format }: ImageCall): SharedV3ProviderOptions => ({
  openai: {
    ...(quality && { quality }),
    ...(format === 'jpeg' && { output_format: format }),
  },
})

const toBytes = (content: string | Uint8Array): Buffer =>
  typeof content === 'string' ? Buffer.from(content, 'base64') : Buffer.from(content)
