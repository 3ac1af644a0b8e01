import type { cognitive, Handlers, TextChunk, TextRequest } from '@botstead/contract'
import type { Caller } from '../../../../core/http/index.ts'
import { type Contexts, type Services, sendLines } from '../../../../core/http/index.ts'
import type { RealtimeServices } from '../../../../core/realtime/index.ts'
import type { TextEvent, TextResult, TextSummary } from '../../gateway/call.ts'
import { toApiError } from '../../gateway/errors.ts'
import { ModelFailure } from '../../providers/failures.ts'
import type { ModelServices } from '../../services.ts'
import { callSignal, toFailure } from '../model-prompts.ts'
import { toModelCaller, toTextCall } from './prompt.ts'
import { publisherFor } from './publishing.ts'
import {
  toLanguageModel,
  toMetadata,
  toTextResponse,
  toToolCalls,
} from './serializers.ts'

type Own = ModelServices & RealtimeServices

export const text: Handlers<typeof cognitive.text, Contexts<Own>> = {
  async generateText({ services, caller, reply }, { body }) {
    const signal = callSignal(services, caller, reply, getConversationId(body))
    try {
      return toTextResponse(await generate(services, caller, body, signal), body)
    } catch (error) {
      throw toFailure(signal, error)
    }
  },

  async generateTextStream({ services, caller, request, reply }, { body }) {
    const signal = callSignal(services, caller, reply, getConversationId(body))
    const publishTo = body.options?.publishTo
    const publish = publishTo && (await publisherFor(services, caller, publishTo))
    const call = toTextCall(body, signal)
    const events = services.models.streamText(toModelCaller(caller, body.meta), call)
    const lines = toChunks(publish ? publish(events) : events, body)
    const lastLine = (error: unknown) => {
      const { message } = toFailure(signal, error) as Error
      return toJsonLine({ created: Date.now(), finished: true, error: message })
    }
    await sendLines(request, reply, 'application/x-ndjson', lines, lastLine).catch(
      (error) => {
        throw toFailure(signal, error)
      },
    )
    return undefined as never
  },

  async listModels({ services, caller }) {
    const catalog = await services.models.deps.getCatalog(toModelCaller(caller))
    return {
      models: [...catalog.models.values()].map((model) =>
        toLanguageModel(model, catalog),
      ),
    }
  },
}

/** Streams text that listeners read meanwhile. Throws ApiError. */
async function generate(
  services: Services & Own,
  caller: Caller<'bot'>,
  body: TextRequest,
  signal: AbortSignal,
): Promise<TextResult> {
  const { models } = services
  const [modelCaller, call] = [toModelCaller(caller, body.meta), toTextCall(body, signal)]
  const publishTo = body.options?.publishTo
  if (!publishTo) return models.generateText(modelCaller, call)
  const publish = await publisherFor(services, caller, publishTo)
  return collect(
    publish(models.streamText(modelCaller, { ...call, midStreamFallback: true })),
  )
}

/** The conversation that the caller names; null if the caller's event determines it. */
const getConversationId = ({ options, meta }: TextRequest): string | null =>
  options?.publishTo?.conversationId ?? meta?.metadata?.conversationId ?? null

/** Returns the result of a stream. Throws ApiError. */
async function collect(events: AsyncIterable<TextEvent>): Promise<TextResult> {
  let [output, reasoning] = ['', '']
  let summary: TextSummary | undefined
  try {
    for await (const event of events) {
      if (event.type === 'restart') output = reasoning = ''
      if (event.type === 'text') output += event.text
      if (event.type === 'reasoning') reasoning += event.text
      if (event.type === 'finish') summary = event.summary
    }
  } catch (error) {
    throw error instanceof ModelFailure ? toApiError(error) : error
  }
  return { ...summary!, output, reasoning }
}

const toJsonLine = (chunk: TextChunk) => `${JSON.stringify(chunk)}\n`

async function* toChunks(
  events: AsyncIterable<TextEvent>,
  request: { options?: { requestId?: string }; reasoningEffort?: string },
): AsyncGenerator<string, void> {
  for await (const event of events)
    yield toJsonLine({ ...toChunk(event, request), created: Date.now() })
}

function toChunk(
  event: TextEvent,
  request: { options?: { requestId?: string }; reasoningEffort?: string },
): Omit<TextChunk, 'created'> {
  switch (event.type) {
    case 'text':
      return { output: event.text }
    case 'reasoning':
      return { reasoning: event.text }
    case 'restart': {
      const { type: _, ...restart } = event
      return { restart }
    }
    case 'finish': {
      const { summary } = event
      const toolCalls = toToolCalls(summary)
      return {
        finished: true,
        ...(toolCalls.length > 0 && { toolCalls }),
        metadata: toMetadata(summary, request),
      }
    }
  }
}
