// Calls language models through the server's gateway. A call is part of its turn: a repeated turn
// receives the first reply again. The server's ledger names the event, conversation and user.
import type { TextRequest, TextResponse } from '@botstead/contract'
import { PlatformRejection } from '../engine/platform.ts'
import { callOnce, getTop, nextKey, type Turn } from '../engine/turn.ts'

export type CognitiveRequest = Omit<TextRequest, 'stream'>
export type CognitiveReply = TextResponse

/**
 * - `budget`: a budget is used up
 * - `notConfigured`: the server has no such model, or no model at all
 * - `unavailable`: the provider failed, or did not reply in time
 * - `rejected`: the server or the provider rejects the request
 * - `unsuitable`: the reply does not have the required form
 */
export type ModelFailureReason =
  | 'budget'
  | 'notConfigured'
  | 'unavailable'
  | 'rejected'
  | 'unsuitable'

/** A failure that a repetition of the turn would not correct. */
export class ModelFailed extends Error {
  override readonly name = 'ModelFailed'
  readonly reason: ModelFailureReason
  constructor(reason: ModelFailureReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** Leaves time for the rest of the turn, which may take 60 s by default. */
const defaultTimeoutMs = 45_000

export interface CallLimits {
  /** The call ends at this time of the engine's clock, in ms. */
  deadline?: number
  /** Attempts to reach the server; 5 by default. */
  attempts?: number
}

/** In ms. */
export const getModelTimeout = ({ engine }: Turn) =>
  engine.program.document.settings?.modelTimeout ?? defaultTimeoutMs

/**
 * Calls a model. Throws ModelFailed; Unreachable if the server must deliver the event again;
 * PlatformRejection if the user has stopped the answer.
 */
export async function generateText(
  turn: Turn,
  request: CognitiveRequest,
  { deadline = Number.POSITIVE_INFINITY, attempts }: CallLimits = {},
): Promise<CognitiveReply> {
  const left = deadline - turn.engine.now()
  if (left <= 0)
    throw new ModelFailed('unavailable', 'No time is left for a call of the model')
  const step = turn.trace.begin({
    kind: 'model',
    model: [request.model ?? 'auto'].flat().join(),
  })
  try {
    const reply = (await callOnce(turn, nextKey(turn), {
      method: 'POST',
      path: '/v2/cognitive/generate-text',
      body: { ...request, meta: { ...toMeta(turn), ...request.meta } },
      timeoutMs: Math.min(getModelTimeout(turn), left),
      ...(attempts !== undefined && { attempts }),
    })) as unknown as CognitiveReply
    const { model, provider, usage, cost, cached } = reply.metadata
    const { inputTokens, outputTokens } = usage
    const used = { model: model ?? provider, inputTokens, outputTokens, cost }
    step.end({ ...used, ...(cached && { cached }) })
    return reply
  } catch (error) {
    step.end({ outcome: error instanceof Error ? error.message : 'failed' })
    const isStopped = error instanceof PlatformRejection && error.type === 'ResourceGone'
    throw error instanceof PlatformRejection && !isStopped ? toModelFailed(error) : error
  }
}

/** Ids for budgets and the ledger, and the node as the origin of the call. */
function toMeta(turn: Turn): NonNullable<CognitiveRequest['meta']> {
  const { conversationId, userId } = turn.delivered
  const frame = getTop(turn)
  return {
    promptSource: frame ? `${frame.flow}/${frame.node}` : 'flows',
    metadata: { ...(conversationId && { conversationId }), ...(userId && { userId }) },
  }
}

const reasons: Record<string, ModelFailureReason> = {
  QuotaExceeded: 'budget',
  ReferenceNotFound: 'notConfigured',
  Unavailable: 'unavailable',
  RateLimited: 'unavailable',
  OperationTimeout: 'unavailable',
}

const toModelFailed = (rejection: PlatformRejection) =>
  new ModelFailed(reasons[rejection.type] ?? 'rejected', rejection.message, {
    cause: rejection,
  })
