import { ApiError, type Handlers, type openai } from '@botstead/contract'
import { ulid } from '@botstead/lib'
import { type Contexts, errorReplies, sendLines } from '../../../../core/http/index.ts'
import type { RealtimeServices } from '../../../../core/realtime/index.ts'
import type {
  TextEvent,
  TextResult,
  TextSummary,
  TextToolCall,
} from '../../gateway/call.ts'
import { toApiError } from '../../gateway/errors.ts'
import { embed } from '../../gateway/other-kinds.ts'
import { listModelNames } from '../../providers/catalog.ts'
import { ModelFailure } from '../../providers/failures.ts'
import type { ModelServices } from '../../services.ts'
import { toModelCaller } from '../cognitive/prompt.ts'
import { callSignal } from '../model-prompts.ts'
import { ignoredParameters } from './parameters.ts'
import { type ChatRequest, toTextCall } from './prompt.ts'

export const compatible: Handlers<
  typeof openai.compatible,
  Contexts<ModelServices & RealtimeServices>
> = {
  async createChatCompletion({ services, caller, request, reply }, { body }) {
    const call = toTextCall(body, callSignal(services, caller, reply))
    const head = { id: `chatcmpl-${ulid()}`, created: Math.floor(Date.now() / 1_000) }
    const modelCaller = toModelCaller(caller)
    if (!body.stream) {
      const result = await services.models.generateText(modelCaller, call)
      reply.send(toCompletion(result, head, body))
      return undefined as never
    }
    const frames = toFrames(services.models.streamText(modelCaller, call), body, head)
    await sendLines(request, reply, 'text/event-stream', frames, (error) =>
      frame({
        error: errorReplies.toOpenAi(
          error instanceof ModelFailure ? toApiError(error) : error,
        ),
      }),
    )
    return undefined as never
  },

  async createEmbeddings({ services, caller, reply }, { body }) {
    const { value, model, usage } = await embed(services.models, toModelCaller(caller), {
      models: [body.model],
      values: toTexts(body.input),
      signal: callSignal(services, caller, reply),
    })
    const toWire =
      body.encoding_format === 'base64' ? toBase64 : (vector: number[]) => vector
    return {
      object: 'list',
      model,
      data: value.embeddings.map((vector, index) => ({
        object: 'embedding',
        index,
        embedding: toWire(vector),
      })),
      usage: { prompt_tokens: usage.inputTokens, total_tokens: usage.inputTokens },
    }
  },

  async listOpenAiModels({ services, caller }) {
    const catalog = await services.models.deps.getCatalog(toModelCaller(caller))
    const toModel = (id: string, owned_by: string) => ({
      id,
      object: 'model',
      created: 0,
      owned_by,
    })
    return {
      object: 'list',
      data: [
        ...[...catalog.models.values()].map(({ id, provider }) =>
          toModel(id, provider.name),
        ),
        ...listModelNames(catalog).map((name) => toModel(name, 'botstead')),
      ],
    }
  },
}

interface Head {
  id: string
  created: number
}

const frame = (value: object) => `data: ${JSON.stringify(value)}\n\n`

const finishReasons: Record<TextSummary['stopReason'], string> = {
  stop: 'stop',
  max_tokens: 'length',
  content_filter: 'content_filter',
  tool_calls: 'tool_calls',
  other: 'stop',
}

const toUsage = ({
  usage: { inputTokens, outputTokens, cachedTokens },
}: TextSummary) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
  prompt_tokens_details: { cached_tokens: cachedTokens },
})

const toWireCall = ({ id, name, input }: TextToolCall) => ({
  id,
  type: 'function',
  function: { name, arguments: input },
})

/** Throws InvalidPayload for token ids: they are those of one model, and this may be another. */
function toTexts(input: string | (string | number | number[])[]): string[] {
  return [input].flat(1).map((one) => {
    if (typeof one === 'string') return one
    throw new ApiError(
      'InvalidPayload',
      '`input` must be a text or a list of texts; token ids are not supported ' +
        '(LangChain: check_embedding_ctx_length=False)',
    )
  })
}

const toWarnings = ({ warnings }: TextSummary, request: ChatRequest) => {
  const all = [...warnings, ...ignoredParameters(request)]
  return all.length > 0 ? { warnings: all } : {}
}

function toCompletion(result: TextResult, head: Head, request: ChatRequest) {
  const { output, reasoning, toolCalls } = result
  const message = {
    role: 'assistant',
    content: output === '' && toolCalls.length > 0 ? null : output,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(toWireCall) }),
  }
  return {
    ...head,
    object: 'chat.completion',
    model: result.model,
    choices: [
      {
        index: 0,
        message,
        logprobs: null,
        finish_reason: finishReasons[result.stopReason],
      },
    ],
    usage: toUsage(result),
    ...toWarnings(result, request),
  }
}

async function* toFrames(
  events: AsyncIterable<TextEvent>,
  request: ChatRequest,
  head: Head,
): AsyncGenerator<string, void> {
  let role: object = { role: 'assistant' }
  const chunk = (
    model: string,
    delta: object,
    finish: string | null = null,
    more: object = {},
  ) => {
    const choice = {
      index: 0,
      delta: { ...role, ...delta },
      logprobs: null,
      finish_reason: finish,
    }
    role = {}
    return frame({
      ...head,
      object: 'chat.completion.chunk',
      model,
      choices: [choice],
      ...more,
    })
  }
  for await (const event of events) {
    if (event.type === 'text') yield chunk(event.model, { content: event.text })
    if (event.type === 'reasoning')
      yield chunk(event.model, { reasoning_content: event.text })
    if (event.type !== 'finish') continue
    const { summary } = event
    const { toolCalls, stopReason, model } = summary
    if (toolCalls.length > 0)
      yield chunk(model, {
        tool_calls: toolCalls.map((call, index) => ({ index, ...toWireCall(call) })),
      })
    yield chunk(model, {}, finishReasons[stopReason], toWarnings(summary, request))
    if (request.stream_options?.include_usage)
      yield frame({
        ...head,
        object: 'chat.completion.chunk',
        model,
        choices: [],
        usage: toUsage(summary),
      })
    yield 'data: [DONE]\n\n'
  }
}

const toBase64 = (vector: number[]) =>
  Buffer.from(Float32Array.from(vector).buffer).toString('base64')
