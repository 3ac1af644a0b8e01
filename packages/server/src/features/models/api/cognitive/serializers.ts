import {
  type LanguageModel,
  type ModelMetadata,
  modelTags,
  type TextResponse,
  type ToolCall,
} from '@botstead/contract'
import type { TextResult, TextSummary, Transcription } from '../../gateway/call.ts'
import { canHear } from '../../gateway/hearing.ts'
import type { Catalog, Model } from '../../providers/catalog.ts'

interface Requested {
  options?: { requestId?: string }
  reasoningEffort?: string
}

export function toTextResponse(result: TextResult, request: Requested): TextResponse {
  const { output, reasoning } = result
  const toolCalls = toToolCalls(result)
  return {
    output,
    ...(reasoning !== '' && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
    metadata: toMetadata(result, request),
  }
}

export function toMetadata(
  summary: TextSummary,
  { options = {}, reasoningEffort }: Requested,
): ModelMetadata {
  const { usage, inputCost, outputCost, warnings, citations, fallbackPath } = summary
  const { inputTokens, outputTokens } = usage
  return {
    ...(options.requestId !== undefined && { requestId: options.requestId }),
    provider: summary.provider,
    model: summary.model,
    usage: { inputTokens, inputCost, outputTokens, outputCost },
    cost: inputCost + outputCost,
    cached: summary.cached,
    latency: Math.round(summary.ms),
    ...(summary.firstTokenMs !== null && { ttft: Math.round(summary.firstTokenMs) }),
    stopReason: summary.stopReason,
    ...(reasoningEffort !== undefined && { reasoningEffort }),
    ...(citations.length > 0 && { citations }),
    ...(warnings.length > 0 && { warnings }),
    ...(fallbackPath.length > 0 && { fallbackPath }),
    ...(summary.transcription && {
      transcription: toTranscription(summary.transcription),
    }),
  }
}

const toTranscription = ({ seconds, ...rest }: Transcription) => ({
  ...rest,
  durationSeconds: seconds,
})

/** Input that is not a JSON object, which models write at times, becomes an empty object. */
export const toToolCalls = ({ toolCalls }: TextSummary): ToolCall[] =>
  toolCalls.map(({ id, name, input }) => ({ id, name, input: parseObject(input) }))

function parseObject(json: string): Record<string, unknown> {
  try {
    const value = JSON.parse(json || '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? value
      : {}
  } catch {
    return {}
  }
}

const perMinute = (model: Model) =>
  model.price.minute === undefined ? {} : { costPerMinute: model.price.minute }

export function toLanguageModel(model: Model, { aliases }: Catalog): LanguageModel {
  const names = [...aliases].flatMap(([name, ids]) => (ids[0] === model.id ? [name] : []))
  const { price, inputTokens, outputTokens, kind, capabilities } = model
  return {
    id: model.id,
    name: model.title,
    description: model.description,
    ...(names.length > 0 && { aliases: names }),
    tags: [...new Set([...kindTags[kind], ...model.tags])].filter((tag) => isTag(tag)),
    input: { maxTokens: inputTokens, costPer1MTokens: price.input, ...perMinute(model) },
    output: { maxTokens: outputTokens, costPer1MTokens: price.output },
    lifecycle: model.lifecycle,
    capabilities: {
      supportsImages: capabilities.supportsImages ?? model.tags.includes('vision'),
      supportsAudio: canHear(model),
      supportsTranscription: kind === 'transcription',
      supportsSearch:
        capabilities.supportsSearch ??
        ['openai', 'anthropic', 'google'].includes(model.provider.type),
    },
  }
}

type Tag = LanguageModel['tags'][number]
const isTag = (tag: string): tag is Tag => (modelTags as readonly string[]).includes(tag)

const kindTags: Record<Model['kind'], Tag[]> = {
  text: [],
  embedding: [],
  rerank: [],
  speech: ['text-to-speech'],
  transcription: ['speech-to-text'],
  image: ['image-generation'],
}
