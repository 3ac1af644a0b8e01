// The embeddings of files and questions: by BOTSTEAD_EMBEDDINGS_URL, or else by the first embedding
// model of the gateway. Both are measured, and subject to budgets.
import { ApiError } from '@botstead/contract'
import { type Embeddings, toUnitVectors } from '../../infra/models/embeddings.ts'
import { EndpointError } from '../../infra/models/endpoint.ts'
import { type ModelCaller, noUsage } from './call.ts'
import type { Gateway } from './gateway.ts'
import { Meter } from './meter.ts'
import { embed } from './other-kinds.ts'
import { estimateTokens } from './prices.ts'

interface Deps {
  gateway: Gateway
  /** Null for a bot that was deleted. */
  workspaceOf: (botId: string) => Promise<string | null>
}

const source = 'knowledge'

async function callerOf({ workspaceOf }: Deps, botId: string): Promise<ModelCaller> {
  const workspaceId = await workspaceOf(botId)
  if (workspaceId === null) throw new Error('the bot was deleted')
  return { workspaceId, botId, eventId: null, conversationId: null, userId: null, source }
}

export const measuredEmbeddings = (deps: Deps, embeddings: Embeddings): Embeddings => ({
  ...embeddings,
  async embed(texts, timeoutMs, botId) {
    if (botId === null) return embeddings.embed(texts, timeoutMs, null)
    const model = `embeddings:${embeddings.model}`
    const caller = await callerOf(deps, botId)
    const meter = await Meter.begin(deps.gateway.deps, caller, 'embedding', model)
    const ended = { model, provider: 'embeddings', cost: 0 }
    try {
      const vectors = await embeddings.embed(texts, timeoutMs, botId)
      const inputTokens = estimateTokens(texts.join('').length)
      await meter.end({ ...ended, usage: { ...noUsage, inputTokens }, outcome: 'ok' })
      return vectors
    } catch (error) {
      const { message } = error as Error
      await meter.end({ ...ended, usage: noUsage, outcome: 'failed', error: message })
      throw error
    }
  },
})

/** `model` is the id of an embedding model of the operator. */
export function gatewayEmbeddings(deps: Deps, model: string): Embeddings {
  const closing = new AbortController()
  return {
    model,
    async embed(texts, timeoutMs, botId) {
      // No bot pays for a check; the next texts find out whether the model answers.
      if (botId === null) return texts.map(() => null)
      const call = { models: [model], values: texts, timeoutMs, signal: closing.signal }
      try {
        const { value } = await embed(deps.gateway, await callerOf(deps, botId), call)
        return toUnitVectors(value.embeddings, texts.length)
      } catch (error) {
        throw isInvalid(error) ? new EndpointError(400, error.message, null) : error
      }
    },
    close: async () => closing.abort(),
  }
}

/** Texts that are too long, which embed-with-splitting.ts shortens. */
const isInvalid = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.type === 'InvalidPayload'
