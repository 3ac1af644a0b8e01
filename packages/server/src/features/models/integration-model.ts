// A language model of an integration that implements the interface `llm`, in the form of the other
// providers. Its action `generateContent` returns the complete response, so a stream has one part.
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FilePart,
  LanguageModelV3FinishReason,
  LanguageModelV3GenerateResult,
  LanguageModelV3Message,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3Usage,
} from '@ai-sdk/provider'
import { ApiError } from '@botstead/contract'
import { type FailureKind, ModelFailure } from './providers/failures.ts'

type Json = Record<string, unknown>
/** Calls an action of the integration. Throws ApiError. */
export type CallIntegration = (action: string, input: Json) => Promise<Json>

interface LlmToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: Json | null }
}

/** Message of the interface. */
interface LlmMessage {
  role: 'user' | 'assistant'
  type: 'text' | 'tool_calls' | 'tool_result' | 'multipart'
  content: string | Json[] | null
  toolCalls?: LlmToolCall[]
  toolResultCallId?: string
}

interface LlmOutput {
  choices: { content?: unknown; toolCalls?: LlmToolCall[]; stopReason?: string }[]
  usage?: { inputTokens?: number; outputTokens?: number }
}

/** `id` is `alias:model`, for errors. */
export function toIntegrationModel(
  { id, alias, model }: { id: string; alias: string; model: string },
  call: CallIntegration,
): LanguageModelV3 {
  const doGenerate = async (options: LanguageModelV3CallOptions) =>
    toResult(
      (await called(id, () =>
        call('generateContent', toInput(model, options)),
      )) as unknown,
    )
  return {
    specificationVersion: 'v3',
    provider: alias,
    modelId: model,
    // Integrations fetch images on their own.
    supportedUrls: { 'image/*': [/^https?:/] },
    doGenerate,
    async doStream(options) {
      return { stream: toStream(await doGenerate(options)) }
    },
  }
}

const kindOfError: Partial<Record<string, FailureKind>> = {
  InvalidPayload: 'invalid',
  RateLimited: 'limited',
  ReferenceNotFound: 'rejected',
  OperationTimeout: 'timeout',
}

async function called(model: string, call: () => Promise<Json>): Promise<Json> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const kind = kindOfError[error.type] ?? 'unavailable'
    throw new ModelFailure(
      { kind, model },
      `The integration of "${model}" failed: ${error.message}`,
    )
  }
}

/** The most stop sequences that the interface admits. */
const maxStops = 4

function toInput(model: string, options: LanguageModelV3CallOptions): Json {
  const { prompt, maxOutputTokens, temperature, topP, stopSequences, responseFormat } =
    options
  const system = prompt.flatMap((one) => (one.role === 'system' ? [one.content] : []))
  const tools =
    options.tools?.flatMap((tool) => (tool.type === 'function' ? [tool] : [])) ?? []
  return {
    model: { id: model },
    messages: prompt.flatMap(toMessages),
    ...(system.length > 0 && { systemPrompt: system.join('\n\n') }),
    ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(stopSequences?.length && { stopSequences: stopSequences.slice(0, maxStops) }),
    ...(responseFormat?.type === 'json' && { responseFormat: 'json_object' }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: {
          name,
          ...(description && { description }),
          argumentsSchema: inputSchema,
        },
      })),
      ...(options.toolChoice && { toolChoice: toToolChoice(options.toolChoice) }),
    }),
  }
}

function toToolChoice(
  choice: NonNullable<LanguageModelV3CallOptions['toolChoice']>,
): Json {
  if (choice.type === 'tool') return { type: 'specific', functionName: choice.toolName }
  return { type: choice.type === 'required' ? 'any' : choice.type }
}

function toMessages(message: LanguageModelV3Message): LlmMessage[] {
  switch (message.role) {
    case 'system':
      return []
    case 'user':
      return [userMessage(message.content)]
    case 'assistant':
      return assistantMessages(message.content)
    case 'tool':
      return message.content.flatMap((part): LlmMessage[] =>
        part.type === 'tool-result'
          ? [
              {
                role: 'user',
                type: 'tool_result',
                toolResultCallId: part.toolCallId,
                content: textOfResult(part.output),
              },
            ]
          : [],
      )
  }
}

type Content<Role> = Extract<LanguageModelV3Message, { role: Role }>['content']

function userMessage(content: Content<'user'>): LlmMessage {
  if (content.every((part) => part.type === 'text'))
    return {
      role: 'user',
      type: 'text',
      content: content.map(({ text }) => text).join('\n'),
    }
  const parts = content.map((part) =>
    part.type === 'text' ? { type: 'text', text: part.text } : toImage(part),
  )
  return { role: 'user', type: 'multipart', content: parts }
}

function toImage({ mediaType, data }: LanguageModelV3FilePart): Json {
  const mimeType = mediaType.endsWith('/*') ? undefined : mediaType
  if (data instanceof URL)
    return { type: 'image', url: data.href, ...(mimeType && { mimeType }) }
  const base64 = typeof data === 'string' ? data : Buffer.from(data).toString('base64')
  const type = mimeType ?? 'image/png'
  return { type: 'image', mimeType: type, url: `data:${type};base64,${base64}` }
}

/** The interface has separate messages for text and for calls of tools. */
function assistantMessages(content: Content<'assistant'>): LlmMessage[] {
  const text = content
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('')
  const calls = content.flatMap((part): LlmToolCall[] =>
    part.type === 'tool-call'
      ? [
          {
            id: part.toolCallId,
            type: 'function',
            function: { name: part.toolName, arguments: part.input as Json },
          },
        ]
      : [],
  )
  return [
    ...(text === '' ? [] : [{ role: 'assistant', type: 'text', content: text } as const]),
    ...(calls.length === 0
      ? []
      : [
          {
            role: 'assistant',
            type: 'tool_calls',
            content: null,
            toolCalls: calls,
          } as const,
        ]),
  ]
}

function textOfResult(output: LanguageModelV3ToolResultOutput): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value
  if (output.type === 'execution-denied') return output.reason ?? 'The call was denied'
  return JSON.stringify(output.value)
}

const finishReasons: Record<string, LanguageModelV3FinishReason['unified']> = {
  stop: 'stop',
  max_tokens: 'length',
  tool_calls: 'tool-calls',
  content_filter: 'content-filter',
}

function toResult(output: unknown): LanguageModelV3GenerateResult {
  const { choices, usage } = output as LlmOutput
  const [choice] = choices
  // The gateway reports it as a response that is not valid.
  if (!choice) throw new TypeError('no choice')
  const { content, toolCalls = [], stopReason = 'other' } = choice
  return {
    content: [...toText(content), ...toolCalls.map(toToolCall)],
    finishReason: { unified: finishReasons[stopReason] ?? 'other', raw: stopReason },
    usage: toUsage(usage),
    warnings: [],
  }
}

function toText(content: unknown): LanguageModelV3Content[] {
  const text = Array.isArray(content)
    ? content
        .map((part: Json) => (part.type === 'text' ? String(part.text ?? '') : ''))
        .join('')
    : content
  return typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : []
}

const toToolCall = ({ id, function: called }: LlmToolCall): LanguageModelV3Content => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: called.name,
  input: JSON.stringify(called.arguments ?? {}),
})

const toUsage = ({
  inputTokens,
  outputTokens,
}: LlmOutput['usage'] = {}): LanguageModelV3Usage => ({
  inputTokens: {
    total: inputTokens,
    noCache: inputTokens,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: outputTokens, text: outputTokens, reasoning: undefined },
})

function toStream({ content, finishReason, usage }: LanguageModelV3GenerateResult) {
  return new ReadableStream<LanguageModelV3StreamPart>({
    start(controller) {
      for (const [i, part] of content.entries()) {
        if (part.type === 'text')
          controller.enqueue({ type: 'text-delta', id: String(i), delta: part.text })
        if (part.type === 'tool-call') controller.enqueue(part)
      }
      controller.enqueue({ type: 'finish', finishReason, usage })
      controller.close()
    },
  })
}
