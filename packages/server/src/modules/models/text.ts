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
import type { Model } from '../../infra/models/catalog.ts'
import { ModelFailure } from '../../infra/models/failures.ts'
import type { OpenedProvider } from '../../infra/models/providers.ts'
import type { CallWarning, StopReason, TextCall, TextToolCall, Usage } from './call.ts'
import type { Attempt } from './chain.ts'
import { reasoningOptions, searchTools } from './provider-options.ts'

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
  ...{ output: '', reasoning: '', toolCalls: [], citations: [], warnings: [] },
  ...{ usage: null, stopReason: 'other' },
})

export async function generate(
  opened: OpenedProvider,
  attempt: Attempt,
  call: TextCall,
  options: LanguageModelV3CallOptions,
): Promise<Collected> {
  const model = opened.text(attempt.model.name, call.searches)
  const answer = await model.doGenerate(withSettings(attempt.model, call, options))
  const collected = emptyContent()
  for (const part of answer.content) collect(collected, part)
  addWarnings(collected, answer.warnings)
  finish(collected, answer)
  return collected
}

/** The first part with content is read: until then, another model may answer instead. */
export interface OpenStream {
  reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart>
  first: LanguageModelV3StreamPart
  collected: Collected
}

export async function openStream(
  opened: OpenedProvider,
  attempt: Attempt,
  call: TextCall,
  options: LanguageModelV3CallOptions,
): Promise<OpenStream> {
  const model = opened.text(attempt.model.name, call.searches)
  const { stream } = await model.doStream(withSettings(attempt.model, call, options))
  const reader = stream.getReader()
  const collected = emptyContent()
  for (;;) {
    const part = await nextPart(reader, attempt)
    if (isContent(part)) return { reader, first: part, collected }
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

const contentTypes = ['text-delta', 'reasoning-delta', 'tool-call', 'tool-input-start', 'finish']
const isContent = ({ type }: LanguageModelV3StreamPart) => contentTypes.includes(type)

/** Returns the part's event, if it has one. */
export function collectPart(
  collected: Collected,
  part: LanguageModelV3StreamPart,
): { type: 'text' | 'reasoning'; text: string } | null {
  if (part.type === 'text-delta') {
    collected.output += part.delta
    return part.delta === '' ? null : { type: 'text', text: part.delta }
  }
  if (part.type === 'reasoning-delta') {
    collected.reasoning += part.delta
    return part.delta === '' ? null : { type: 'reasoning', text: part.delta }
  }
  if (part.type === 'finish') finish(collected, part)
  else if (part.type === 'tool-call' || part.type === 'source') collect(collected, part)
  return null
}

function collect(collected: Collected, part: LanguageModelV3Content): void {
  if (part.type === 'text') collected.output += part.text
  if (part.type === 'reasoning') collected.reasoning += part.text
  if (part.type === 'tool-call' && !part.providerExecuted)
    collected.toolCalls.push({ id: part.toolCallId, name: part.toolName, input: part.input })
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
  ...{ stop: 'stop', length: 'max_tokens' },
  ...{ 'content-filter': 'content_filter', 'tool-calls': 'tool_calls' },
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
  const { reasoningEffort, searches } = call
  const tools = [...(options.tools ?? []), ...(searches ? searchTools(model, call) : [])]
  return {
    ...options,
    // Anthropic requires a limit, and the package has limits for the models of Anthropic only.
    ...(model.provider.type === 'anthropic' &&
      options.maxOutputTokens === undefined && { maxOutputTokens: model.outputTokens }),
    ...(tools.length > 0 && { tools }),
    ...(reasoningEffort !== null && { providerOptions: reasoningOptions(model, reasoningEffort) }),
  }
}
