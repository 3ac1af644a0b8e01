// The embeddings of files and questions: by BOTSTEAD_EMBEDDINGS_URL, or else by the first embedding
// model of the gateway. Both are measured, and subject to budgets.
import { ApiError } from '@botstead/contract'
import { embed, rerank } from './gateway/other-kinds.ts'
import { estimateTokens } from './gateway/prices.ts'
import { redactTexts } from './gateway/redacted-calls.ts'
import { type Embeddings, type Rerank, toUnitVectors } from './providers/embeddings.ts'
import { EndpointError } from './providers/endpoint.ts'
import { callerFor, measured, type ServerCalls } from './server-calls.ts'

const source = 'knowledge'

export const measuredEmbeddings = (
  calls: ServerCalls,
  embeddings: Embeddings,
): Embeddings => ({
  ...embeddings,
  async embed(texts, options) {
    const { botId } = options
    if (botId === null) return embeddings.embed(texts, options)
    const caller = await callerFor(calls, botId, source)
    const { model } = embeddings
    const call = { kind: 'embedding', provider: 'embeddings', model } as const
    return measured(calls, caller, call, async () => ({
      value: await embeddings.embed(
        await redactTexts(calls.gateway.deps.getRedactors, botId, texts),
        options,
      ),
      usage: { inputTokens: estimateTokens(texts.join('').length) },
      cost: 0,
    }))
  },
})

/** `model` is the id of an embedding model of the operator. */
export function gatewayEmbeddings(calls: ServerCalls, model: string): Embeddings {
  const closing = new AbortController()
  return {
    model,
    async embed(texts, { timeoutMs, botId, isBackground }) {
      // No bot pays for a check; the next texts find out whether the model answers.
      if (botId === null) return texts.map(() => null)
      const { signal } = closing
      const call = { models: [model], values: texts, timeoutMs, isBackground, signal }
      try {
        const { value } = await embed(
          calls.gateway,
          await callerFor(calls, botId, source),
          call,
        )
        return toUnitVectors(value.embeddings, texts.length)
      } catch (error) {
        throw isInvalid(error) ? new EndpointError(400, error.message, null) : error
      }
    },
    close: async () => closing.abort(),
  }
}

/** `model` is the id of a reranking model of the operator. */
export const gatewayRerank =
  (calls: ServerCalls, model: string): Rerank =>
  async (request, botId) => {
    const signal = AbortSignal.timeout(request.timeoutMs)
    const caller = await callerFor(calls, botId, source)
    return (await rerank(calls.gateway, caller, { ...request, models: [model], signal }))
      .value
  }

/** Texts that are too long, which embed-with-splitting.ts shortens. */
const isInvalid = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.type === 'InvalidPayload'
