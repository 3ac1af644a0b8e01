// Requests of the Cognitive API as calls of the gateway.
import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from '@ai-sdk/provider'
import { ApiError, type ModelMessage, type TextRequest } from '@botstead/contract'
import type { Caller } from '../../../../core/http/index.ts'
import type { ModelCaller, TextCall } from '../../gateway/call.ts'
import { type CallOptions, type PromptMessage, toFilePart } from '../model-prompts.ts'

/** Silence after which a stream counts as broken. */
const idleMs = 10_000

export function toTextCall(request: TextRequest, signal: AbortSignal): TextCall {
  const { options = {}, search, reasoningEffort } = request
  return {
    models: [request.model ?? 'auto'].flat(),
    options: toOptions(request),
    responseSchema: request.responseSchema ?? null,
    reasoningEffort:
      reasoningEffort === undefined || reasoningEffort === 'dynamic'
        ? null
        : reasoningEffort,
    searches: search !== undefined && search !== false,
    excludedDomains: excludedDomains(search),
    firstTokenMs: options.maxTimeToFirstToken ?? null,
    idleMs: options.maxIdleTime ?? idleMs,
    midStreamFallback: options.midStreamFallback ?? false,
    skipCache: options.skipCache ?? false,
    transcriptionModel: options.transcriptionModel ?? 'auto',
    isOptional: options.isOptional ?? false,
    signal,
  }
}

/** Conversation and user as the caller names them; those of the event take precedence. */
export function toModelCaller(
  { workspaceId, botId, cause }: Caller<'bot'>,
  meta: TextRequest['meta'] = {},
): ModelCaller {
  const { conversationId, userId } = meta.metadata ?? {}
  return {
    workspaceId,
    botId,
    eventId: cause,
    conversationId: conversationId ?? null,
    userId: userId ?? null,
    source: meta.promptSource ?? meta.promptCategory ?? null,
  }
}

function excludedDomains(search: TextRequest['search']): string[] {
  const { excludedDomains: domains } = (typeof search === 'object' ? search : {}) as {
    excludedDomains?: unknown
  }
  return Array.isArray(domains) ? domains.filter((one) => typeof one === 'string') : []
}

function toOptions(request: TextRequest): CallOptions {
  const { temperature, maxTokens, stopSequences, responseFormat, tools, toolControl } =
    request
  const stops = [stopSequences ?? []].flat()
  return {
    prompt: toPrompt(request),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(stops.length > 0 && { stopSequences: stops }),
    ...(responseFormat?.startsWith('json') && { responseFormat: { type: 'json' } }),
    ...(tools?.length && { tools: tools.map(toTool) }),
    ...(tools?.length && toolControl && { toolChoice: toToolChoice(toolControl) }),
  }
}

const toTool = ({
  name,
  description,
  parameters,
  strict,
}: NonNullable<TextRequest['tools']>[0]) => ({
  type: 'function' as const,
  name,
  inputSchema: { ...parameters, type: 'object' as const },
  ...(description !== undefined && { description }),
  ...(strict !== undefined && { strict }),
})

function toToolChoice({
  mode,
  toolName,
}: NonNullable<TextRequest['toolControl']>): NonNullable<CallOptions['toolChoice']> {
  if (mode !== 'specific') return { type: mode }
  if (!toolName)
    throw new ApiError(
      'InvalidPayload',
      '`toolControl.toolName` is missing for the mode "specific"',
    )
  return { type: 'tool', toolName }
}

function toPrompt({ messages, systemPrompt }: TextRequest): PromptMessage[] {
  const toolNames = new Map<string, string>()
  const prompt = messages.flatMap((message, at) => toMessages(message, at, toolNames))
  return systemPrompt ? [{ role: 'system', content: systemPrompt }, ...prompt] : prompt
}

function toMessages(
  message: ModelMessage,
  at: number,
  toolNames: Map<string, string>,
): PromptMessage[] {
  if (message.type === 'tool_result') return [toToolResult(message, at, toolNames)]
  if (message.toolCalls?.length) return [toToolCalls(message, toolNames)]
  if (message.role === 'system') {
    const content = toText(message.content)
    return content === '' ? [] : [{ role: 'system', content }]
  }
  const parts = toParts(message.content, at)
  if (parts.length === 0) return []
  return message.role === 'user'
    ? [{ role: 'user', content: parts }]
    : [{ role: 'assistant', content: parts }]
}

function toToolCalls(
  { content, toolCalls = [] }: ModelMessage,
  toolNames: Map<string, string>,
): PromptMessage {
  const before = toText(content)
  return {
    role: 'assistant',
    content: [
      ...(before === '' ? [] : [{ type: 'text' as const, text: before }]),
      ...toolCalls.map(({ id, function: { name, arguments: input } }) => {
        toolNames.set(id, name)
        return {
          type: 'tool-call' as const,
          toolCallId: id,
          toolName: name,
          input: input ?? {},
        }
      }),
    ],
  }
}

function toToolResult(
  { content, toolResultCallId: toolCallId }: ModelMessage,
  at: number,
  toolNames: Map<string, string>,
): PromptMessage {
  const toolName = toolCallId === undefined ? undefined : toolNames.get(toolCallId)
  if (!toolCallId || !toolName)
    throw new ApiError(
      'InvalidPayload',
      `\`messages[${at}].toolResultCallId\` must be the id of a tool call in an earlier message`,
    )
  const output = { type: 'text' as const, value: toText(content) }
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName, output }],
  }
}

function toText(content: ModelMessage['content']): string {
  if (typeof content === 'string') return content
  return (content ?? []).map(({ text }) => text ?? '').join('')
}

function toParts(
  content: ModelMessage['content'],
  at: number,
): (LanguageModelV3TextPart | LanguageModelV3FilePart)[] {
  if (typeof content === 'string')
    return content === '' ? [] : [{ type: 'text' as const, text: content }]
  return (content ?? []).flatMap<LanguageModelV3TextPart | LanguageModelV3FilePart>(
    ({ type, text, url, mimeType }, nth) => {
      if (type === 'text') return text ? [{ type: 'text', text }] : []
      return [toFilePart({ type, url, mimeType }, `messages[${at}].content[${nth}].url`)]
    },
  )
}
