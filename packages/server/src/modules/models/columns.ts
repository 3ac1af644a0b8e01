// The model of computed columns: that of BOTSTEAD_MODEL_URL, or else `auto` of the gateway. Both are
// measured.
import { ApiError } from '@botstead/contract'
import {
  type Completion,
  type CompletionRequest,
  type Completions,
  ModelUnavailable,
} from '../../infra/models/completions.ts'
import { type ModelCaller, noUsage, type TextCall } from './call.ts'
import type { Gateway } from './gateway.ts'
import { Meter } from './meter.ts'

export interface ColumnCompletions {
  /** Throws ModelUnavailable; any other error concerns this question. */
  complete(question: CompletionRequest, botId: string): Promise<Pick<Completion, 'text'>>
  close(): Promise<void>
}

interface Deps {
  gateway: Gateway
  /** Null for a bot that was deleted. */
  workspaceOf: (botId: string) => Promise<string | null>
}

const source = 'computed column'

async function callerOf({ workspaceOf }: Deps, botId: string): Promise<ModelCaller> {
  const workspaceId = await workspaceOf(botId)
  if (workspaceId === null) throw new Error('the bot was deleted')
  return { workspaceId, botId, eventId: null, conversationId: null, userId: null, source }
}

/** `completions` keeps its retries and pauses. */
export const measuredCompletions = (
  deps: Deps,
  completions: Completions,
  model: string,
): ColumnCompletions => ({
  async complete(question, botId) {
    const caller = await callerOf(deps, botId)
    const meter = await Meter.begin(deps.gateway.deps, caller, 'text', model)
    const ended = { model, provider: model.split(':')[0]! }
    try {
      const { text, dollars, inputTokens, outputTokens } = await completions.complete(question)
      const usage = { ...noUsage, inputTokens, outputTokens }
      await meter.end({ ...ended, usage, cost: dollars, outcome: 'ok' })
      return { text }
    } catch (error) {
      const { message } = error as Error
      await meter.end({ ...ended, usage: noUsage, cost: 0, outcome: 'failed', error: message })
      throw error
    }
  },
  close: () => completions.close(),
})

const mayPass = ['Unavailable', 'RateLimited', 'OperationTimeout', 'Runtime']
const pauseMs = 30_000
const timeoutMs = 120_000

export function gatewayCompletions(deps: Deps): ColumnCompletions {
  const closing = new AbortController()
  return {
    async complete(question, botId) {
      try {
        const call = toCall(question, closing.signal)
        const { output } = await deps.gateway.generateText(await callerOf(deps, botId), call)
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
  { instructions, material, schema }: CompletionRequest,
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
  ...{ reasoningEffort: null, searches: false, excludedDomains: [], firstTokenMs: timeoutMs },
  ...{ idleMs: timeoutMs, midStreamFallback: false, skipCache: false },
  ...{ transcriptionModel: 'auto', signal },
})
