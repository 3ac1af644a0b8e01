// The model of computed columns: that of BOTSTEAD_MODEL_URL, or else `auto` of the gateway. Both are
// measured.
import { ApiError } from '@botstead/contract'
import {
  type ColumnModel,
  type ColumnQuestion,
  ModelUnavailable,
} from '../../core/tables/index.ts'
import type { TextCall } from './gateway/call.ts'
import { redactTexts } from './gateway/redacted-calls.ts'
import type { Completions } from './providers/completions.ts'
import { callerFor, measured, type ServerCalls } from './server-calls.ts'

const source = 'computed column'

/** `completions` keeps its retries and pauses. */
export const measuredCompletions = (
  calls: ServerCalls,
  completions: Completions,
  model: string,
): ColumnModel => ({
  async complete(question, botId) {
    const caller = await callerFor(calls, botId, source)
    return measured(
      calls,
      caller,
      { kind: 'text', provider: 'default', model },
      async () => {
        const material = await redactTexts(
          calls.gateway.deps.getRedactors,
          botId,
          question.material,
        )
        const { text, dollars, inputTokens, outputTokens } = await completions.complete(
          { ...question, material },
          caller.workspaceId,
        )
        return { value: { text }, usage: { inputTokens, outputTokens }, cost: dollars }
      },
    )
  },
  close: () => completions.close(),
})

const mayPass = ['Unavailable', 'RateLimited', 'OperationTimeout', 'Runtime']
const pauseMs = 30_000
const timeoutMs = 120_000

export function gatewayCompletions(calls: ServerCalls): ColumnModel {
  const closing = new AbortController()
  return {
    async complete(question, botId) {
      try {
        const call = toCall(question, closing.signal)
        const { output } = await calls.gateway.generateText(
          await callerFor(calls, botId, source),
          call,
        )
        return { text: output }
      } catch (error) {
        if (error instanceof ApiError && mayPass.includes(error.type))
          throw new ModelUnavailable(error.message, pauseMs, { cause: error })
        throw error
      }
    },
    close: async () => closing.abort(),
  }
}

const toCall = (
  { instructions, material, schema }: ColumnQuestion,
  signal: AbortSignal,
): TextCall => ({
  models: ['auto'],
  options: {
    prompt: [
      { role: 'system', content: instructions },
      { role: 'user', content: [{ type: 'text', text: material }] },
    ],
    responseFormat: { type: 'json', schema, name: 'answer' },
  },
  reasoningEffort: null,
  searches: false,
  excludedDomains: [],
  firstTokenMs: timeoutMs,
  idleMs: timeoutMs,
  midStreamFallback: false,
  skipCache: false,
  transcriptionModel: 'auto',
  signal,
})
