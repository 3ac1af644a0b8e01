import type { cognitive, Handlers, TextChunk } from '@botstead/contract'
import { sendLines } from '../../http/line-stream.ts'
import type { Contexts } from '../../http/services.ts'
import type { TextEvent } from '../../modules/models/call.ts'
import { disconnection } from '../model-prompts.ts'
import { toModelCaller, toTextCall } from './prompt.ts'
import { toLanguageModel, toMetadata, toTextResponse, toToolCalls } from './serializers.ts'

export const text: Handlers<typeof cognitive.text, Contexts> = {
  async generateText({ services, caller, reply }, { body }) {
    const call = toTextCall(body, disconnection(reply))
    const result = await services.models.generateText(toModelCaller(caller, body.meta), call)
    return toTextResponse(result, body)
  },

  async generateTextStream({ services, caller, request, reply }, { body }) {
    const call = toTextCall(body, disconnection(reply))
    const events = services.models.streamText(toModelCaller(caller, body.meta), call)
    const lines = chunksOf(events, body)
    await sendLines(request, reply, 'application/x-ndjson', lines, (error) =>
      lineOf({ created: Date.now(), finished: true, error: (error as Error).message }),
    )
    return undefined as never
  },

  async listModels({ services, caller }) {
    const catalog = await services.models.deps.catalogOf(toModelCaller(caller))
    return { models: [...catalog.models.values()].map((model) => toLanguageModel(model, catalog)) }
  },
}

const lineOf = (chunk: TextChunk) => `${JSON.stringify(chunk)}\n`

async function* chunksOf(
  events: AsyncIterable<TextEvent>,
  request: { options?: { requestId?: string }; reasoningEffort?: string },
): AsyncGenerator<string, void> {
  for await (const event of events)
    yield lineOf({ ...toChunk(event, request), created: Date.now() })
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
