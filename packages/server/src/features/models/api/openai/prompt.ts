// Requests in OpenAI's format as calls of the gateway.
import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from '@ai-sdk/provider'
import { ApiError, type openai } from '@botstead/contract'
import type { Static } from 'typebox'
import type { TextCall } from '../../gateway/call.ts'
import { type CallOptions, type PromptMessage, toFilePart } from '../model-prompts.ts'
import { rejectUnsupported } from './parameters.ts'

export type ChatRequest = Static<typeof openai.compatible.createChatCompletion.body>
type Message = ChatRequest['messages'][number]

const idleMs = 60_000

export function toTextCall(request: ChatRequest, signal: AbortSignal): TextCall {
  rejectUnsupported(request)
  return {
    models: [request.model],
    options: toOptions(request),
    strictSchema: request.response_format?.json_schema?.strict === true,
    reasoningEffort: toEffort(request.reasoning_effort),
    searches: false,
    excludedDomains: [],
    firstTokenMs: null,
    idleMs,
    midStreamFallback: false,
    skipCache: false,
    transcriptionModel: 'auto',
    signal,
  }
}

function toEffort(effort: ChatRequest['reasoning_effort']): TextCall['reasoningEffort'] {
  if (effort === 'minimal') return 'low'
  return effort === 'xhigh' ? 'high' : (effort ?? null)
}

function toOptions(request: ChatRequest): CallOptions {
  const tools = (request.tools ?? []).map(toFunction)
  const choice = toToolChoice(request.tool_choice)
  const format = toResponseFormat(request.response_format)
  const stops = [request.stop ?? []].flat()
  const numbers = {
    maxOutputTokens: request.max_completion_tokens ?? request.max_tokens,
    temperature: request.temperature,
    topP: request.top_p,
    presencePenalty: request.presence_penalty,
    frequencyPenalty: request.frequency_penalty,
    seed: request.seed,
  }
  return {
    prompt: toPrompt(request.messages),
    ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => value != null)),
    ...(stops.length > 0 && { stopSequences: stops }),
    ...(format && { responseFormat: format }),
    ...(tools.length > 0 && { tools: tools.map(toTool) }),
    ...(tools.length > 0 && choice && { toolChoice: choice }),
  }
}

type Tool = NonNullable<
  NonNullable<NonNullable<ChatRequest['tools']>[number]['function']>
>

function toFunction(
  { type, function: tool }: { type: string; function?: Tool },
  at: number,
): Tool {
  if (tool) return tool
  throw new ApiError(
    'InvalidPayload',
    `\`tools[${at}].type\` "${type}" is not supported: use "function"`,
  )
}

const toTool = ({ name, description, parameters, strict }: Tool) => ({
  type: 'function' as const,
  name,
  inputSchema: { ...parameters, type: 'object' as const },
  ...(description && { description }),
  ...(typeof strict === 'boolean' && { strict }),
})

function toToolChoice(choice: ChatRequest['tool_choice']): CallOptions['toolChoice'] {
  if (!choice) return undefined
  return typeof choice === 'string'
    ? { type: choice }
    : { type: 'tool', toolName: choice.function.name }
}

function toResponseFormat(
  format: ChatRequest['response_format'],
): CallOptions['responseFormat'] {
  if (!format || format.type === 'text') return undefined
  const { schema, name } = format.json_schema ?? {}
  if (format.type === 'json_schema' && !schema)
    throw new ApiError(
      'InvalidPayload',
      '`response_format.json_schema.schema` is missing',
    )
  return { type: 'json', ...(schema && { schema }), ...(name && { name }) }
}

function toPrompt(messages: Message[]): PromptMessage[] {
  const toolNames = new Map<string, string>()
  return messages.flatMap((message, at) => toMessages(message, at, toolNames))
}

function toMessages(
  message: Message,
  at: number,
  toolNames: Map<string, string>,
): PromptMessage[] {
  switch (message.role) {
    case 'system':
    case 'developer':
      return [{ role: 'system', content: toText(message) }]
    case 'user':
      return [{ role: 'user', content: toParts(message, at) }]
    case 'assistant':
      return [toAssistant(message, at, toolNames)]
    case 'tool':
      return [toToolResult(message, at, toolNames)]
  }
}

function toAssistant(
  message: Message,
  at: number,
  toolNames: Map<string, string>,
): PromptMessage {
  const calls = (message.tool_calls ?? []).map(
    ({ id, function: { name, arguments: given } }) => {
      toolNames.set(id, name)
      return {
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input: toInput(given),
      }
    },
  )
  return { role: 'assistant', content: [...toParts(message, at), ...calls] }
}

/**
 * Providers demand an object. Arguments that are none, as a model may have written them, become a
 * property of one; the result of the call explains the error.
 */
function toInput(given: string | object | null | undefined): object {
  if (typeof given === 'object') return given ?? {}
  const text = given?.trim() || '{}'
  try {
    const value: unknown = JSON.parse(text)
    if (value === null) return {}
    if (typeof value === 'object' && !Array.isArray(value)) return value
  } catch {
    // Not JSON: `rawInvalidInput` has the text.
  }
  return { rawInvalidInput: text }
}

function toToolResult(
  message: Message,
  at: number,
  toolNames: Map<string, string>,
): PromptMessage {
  const toolCallId = message.tool_call_id ?? ''
  const toolName = toolNames.get(toolCallId)
  if (!toolName)
    throw new ApiError(
      'InvalidPayload',
      `\`messages[${at}].tool_call_id\` must be the id of a tool call in an earlier message`,
    )
  const output = { type: 'text' as const, value: toText(message) }
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName, output }],
  }
}

function toText({ content }: Message): string {
  if (typeof content === 'string') return content
  return (content ?? []).map(({ text }) => text ?? '').join('')
}

function toParts(
  { content }: Message,
  at: number,
): (LanguageModelV3TextPart | LanguageModelV3FilePart)[] {
  if (typeof content === 'string')
    return content === '' ? [] : [{ type: 'text', text: content }]
  return (content ?? []).map((part, nth) => {
    const field = `messages[${at}].content[${nth}]`
    if (part.image_url) {
      const url = typeof part.image_url === 'string' ? part.image_url : part.image_url.url
      return toFilePart({ type: 'image', url, mimeType: undefined }, `${field}.image_url`)
    }
    if (part.input_audio) {
      const { data, format } = part.input_audio
      const url = `data:audio/${format};base64,${data}`
      return toFilePart(
        { type: 'audio', url, mimeType: undefined },
        `${field}.input_audio`,
      )
    }
    if (part.text === undefined)
      throw new ApiError(
        'InvalidPayload',
        `\`${field}.type\` "${part.type}" is not supported`,
      )
    return { type: 'text', text: part.text }
  })
}
