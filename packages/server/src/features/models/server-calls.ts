// Calls of models by the server itself on behalf of a bot: for computed columns, files and questions.

import { type ModelCaller, noUsage, type Usage } from './gateway/call.ts'
import type { Gateway } from './gateway/gateway.ts'
import { Meter } from './gateway/meter.ts'
import type { ModelKind } from './providers/catalog.ts'

export interface ServerCalls {
  gateway: Gateway
  /** Null for a bot that was deleted. */
  workspaceOf: (botId: string) => Promise<string | null>
}

/** `source` names the purpose in the ledger. Throws if the bot was deleted. */
export async function callerFor(
  { workspaceOf }: ServerCalls,
  botId: string,
  source: string,
): Promise<ModelCaller> {
  const workspaceId = await workspaceOf(botId)
  if (workspaceId === null) throw new Error('the bot was deleted')
  return { workspaceId, botId, eventId: null, conversationId: null, userId: null, source }
}

interface EndpointCall {
  kind: ModelKind
  /** Name of the endpoint in the ledger. */
  provider: string
  model: string
}

interface Measured<Value> {
  value: Value
  usage: Partial<Usage>
  cost: number
}

/** Measures a call of an endpoint that has its own settings, beside the gateway's providers. */
export async function measured<Value>(
  { gateway }: ServerCalls,
  caller: ModelCaller,
  { kind, provider, model }: EndpointCall,
  perform: () => Promise<Measured<Value>>,
): Promise<Value> {
  const id = `${provider}:${model}`
  const meter = await Meter.begin(gateway.deps, caller, kind, id)
  const ended = { model: id, provider }
  try {
    const { value, usage, cost } = await perform()
    await meter.end({ ...ended, usage: { ...noUsage, ...usage }, cost, outcome: 'ok' })
    return value
  } catch (error) {
    const { message } = error as Error
    await meter.end({
      ...ended,
      usage: noUsage,
      cost: 0,
      outcome: 'failed',
      error: message,
    })
    throw error
  }
}
