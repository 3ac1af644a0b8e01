// Text of language models: turns the parts of a provider's response into one result, or into the
// events of a stream.
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3Warning,
} from '@ai-sdk/provider'
import type { Model } from '../providers/catalog.ts'
import { ModelFailure } from '../providers/failures.ts'
import type { OpenedProvider } from '../providers/providers.ts'
import { type Piece, ThoughtFilter } from '../providers/thoughts.ts'
import type { CallWarning, StopReason, TextCall, TextToolCall, Usage } from './call.ts'
import type { Attempt } from './chain.ts'
import { providerOptions, searchTools } from './provider-options.ts'
import { inAcceptedFormat } from './response-formats.ts'

/** The content of a response, also of one that is not complete. */
export interface Collected {
  output: string
  reasoning: string
  toolCalls: TextToolCall[]
  citations: { url: string; title?: string }[]
  warnings: CallWarning[]
  usage: Usage | null
  stopReason: StopReason
}

const emptyContent = (): Collected => ({
  output: '',
  reasoning: '',
  toolCalls: [],
  citations: [],
  warnings: [],
  usage: null,
  stopReason: 'other',
})

export async function generate(
  opened: OpenedProvider,
  attempt: Attempt,
  call: TextCall,
  options: LanguageModelV3CallOptions,
): Promise<Collected> {
  const model = opened.text(attempt.model.name, call.searches)
  const collected = emptyContent()
  const answer = await inAcceptedFormat(
    attempt.model,
    withSettings(attempt.model, call, options),
    collected.warnings,
    (settings) => model.doGenerate(settings),
  )
  const thoughts = thoughtFilterFor(attempt.model)
  for (const part of answer.content) {
    if (part.type === 'text' && thoughts) addPieces(collected, thoughts.write(part.text))
    else collect(collected, part)
  }
  addPieces(collected, thoughts?.end() ?? [])
  collected.reasoning = collected.reasoning.trim()
  addWarnings(collected, answer.warnings)
  finish(collected, answer)
  return collected
}

/** The first part with content is read: until then, another model may answer instead. */
export interface OpenStream {
  reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart>
  first: LanguageModelV3StreamPart
  collected: Collected
  /** Null for providers that separate thoughts. */
  thoughts: ThoughtFilter | null
}

export async function openStream(
  opened: OpenedProvider,
  attempt: Attempt,
  call: TextCall,
  options: LanguageModelV3CallOptions,
): Promise<OpenStream> {
  const model = opened.text(attempt.model.name, call.searches)
  const collected = emptyContent()
  const { stream } = await inAcceptedFormat(
    attempt.model,
    withSettings(attempt.model, call, options),
    collected.warnings,
    (settings) => model.doStream(settings),
  )
  const reader = stream.getReader()
  const thoughts = thoughtFilterFor(attempt.model)
  for (;;) {
    const part = await nextPart(reader, attempt)
    if (isContent(part)) return { reader, first: part, collected, thoughts }
    if (part.type === 'stream-start') addWarnings(collected, part.warnings)
  }
}

/** Throws for an error of the provider, and if the stream ends before its last part. */
export async function nextPart(
  reader: OpenStream['reader'],
  { model: { id } }: Attempt,
): Promise<LanguageModelV3StreamPart> {
  const { value, done } = await reader.read()
  if (done)
    throw new ModelFailure(
      { kind: 'garbage', model: id },
      `The stream of "${id}" ended before it was complete`,
    )
  if (value.type === 'error') throw value.error
  // The package reports a stream without a last event like this.
  if (value.type === 'finish' && value.finishReason.raw === undefined && isCut(value))
    throw new ModelFailure(
      { kind: 'garbage', model: id },
      `The stream of "${id}" ended before it was complete`,
    )
  return value
}

const isCut = ({
  finishReason,
  usage,
}: {
  finishReason: LanguageModelV3FinishReason
  usage: LanguageModelV3Usage
}) => finishReason.unified === 'other' && !usage.outputTokens.total

const contentTypes = [
  'text-delta',
  'reasoning-delta',
  'tool-call',
  'tool-input-start',
  'finish',
]
const isContent = ({ type }: LanguageModelV3StreamPart) => contentTypes.includes(type)

/** Returns the part's events. After `restart`, the text so far is repeated as reasoning. */
export function collectPart(
  { collected, thoughts }: Pick<OpenStream, 'collected' | 'thoughts'>,
  part: LanguageModelV3StreamPart,
): Piece[] {
  if (part.type === 'text-delta')
    return addPieces(
      collected,
      thoughts ? thoughts.write(part.delta) : [{ type: 'text', text: part.delta }],
    )
  if (part.type === 'reasoning-delta')
    return addPieces(collected, [{ type: 'reasoning', text: part.delta }])
  if (part.type === 'tool-call' || part.type === 'source') collect(collected, part)
  if (part.type !== 'finish') return []
  finish(collected, part)
  return addPieces(collected, thoughts?.end() ?? [])
}

function addPieces(collected: Collected, pieces: Piece[]): Piece[] {
  for (const piece of pieces) {
    if (piece.type === 'restart') collected.output = ''
    else if (piece.type === 'text') collected.output += piece.text
    else collected.reasoning += piece.text
  }
  return pieces.filter((piece) => piece.type === 'restart' || piece.text !== '')
}

/** The APIs of the providers themselves separate thoughts; servers with the same API may not. */
const thoughtFilterFor = ({ provider: { type, url } }: Model) =>
  url !== null || type === 'integration' ? new ThoughtFilter() : null

function collect(collected: Collected, part: LanguageModelV3Content): void {
  if (part.type === 'text') collected.output += part.text
  if (part.type === 'reasoning') collected.reasoning += part.text
  if (part.type === 'tool-call' && !part.providerExecuted)
    collected.toolCalls.push({
      id: part.toolCallId,
      name: part.toolName,
      input: part.input,
    })
  if (part.type === 'source' && part.sourceType === 'url')
    collected.citations.push({ url: part.url, ...(part.title && { title: part.title }) })
}

function addWarnings({ warnings }: Collected, given: SharedV3Warning[]): void {
  for (const one of given)
    warnings.push(
      one.type === 'other'
        ? { type: 'provider_limitation', message: one.message }
        : {
            type: 'parameter_ignored',
            message: `"${one.feature}" is not supported${one.details ? `: ${one.details}` : ''}`,
          },
    )
}

const stopReasons: Record<string, StopReason> = {
  stop: 'stop',
  length: 'max_tokens',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
}

function finish(
  collected: Collected,
  {
    finishReason,
    usage,
  }: { finishReason: LanguageModelV3FinishReason; usage: LanguageModelV3Usage },
): void {
  collected.stopReason = stopReasons[finishReason.unified] ?? 'other'
  const { inputTokens: input, outputTokens: output } = usage
  if (input.total === undefined && output.total === undefined) return
  collected.usage = {
    inputTokens: input.total ?? 0,
    outputTokens: output.total ?? 0,
    cachedTokens: input.cacheRead ?? 0,
  }
}

function withSettings(
  model: Model,
  call: TextCall,
  options: LanguageModelV3CallOptions,
): LanguageModelV3CallOptions {
  const { searches, responseSchema: schema } = call
  const { responseFormat: format } = options
  const tools = [...(options.tools ?? []), ...(searches ? searchTools(model, call) : [])]
  return {
    ...options,
    // Anthropic requires a limit, and the package has limits for the models of Anthropic only.
    ...(model.provider.type === 'anthropic' &&
      options.maxOutputTokens === undefined && { maxOutputTokens: model.outputTokens }),
    ...(tools.length > 0 && { tools }),
    ...(format?.type === 'json' && schema && { responseFormat: { ...format, schema } }),
    providerOptions: providerOptions(model, call),
  }
}
