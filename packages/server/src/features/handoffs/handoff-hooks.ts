// Where handoffs take part in what the core does: they follow the rules of the bot, the plugin `hitl`, and
// the chat's action `handoff`.
import { ApiError, type HandoffRules } from '@botstead/contract'
import type { GetRedactors } from '../../core/compute/index.ts'
import type { Targets } from '../../core/delivery/index.ts'
import type { ChatAction, MessagingHooks } from '../../core/messaging/index.ts'
import type { StateHooks } from '../../core/workflows/index.ts'
import { type ReadyRules, toReadyRules } from './handoff-rules.ts'
import { toHandoff } from './handoff-serializers.ts'
import { announceHandoffs, isHandedOver, type Requested } from './handoffs.ts'
import { followHitlSession, isHitlState, noteDeskAgent } from './hitl-sessions.ts'
import { requestByRules } from './requested-handoffs.ts'
import {
  type FindReadyRules,
  handOverAfterFailures,
  handOverAfterRating,
  takeMessage,
} from './rule-handoffs.ts'

interface Deps {
  targets: Pick<Targets, 'bot'>
  getRedactors: GetRedactors
}

export function addHandoffHooks(
  hooks: MessagingHooks & StateHooks,
  { targets, getRedactors }: Deps,
): void {
  const findReadyRules = toReady(
    async (botId) => (await targets.bot(botId))?.handoffRules ?? null,
  )
  hooks.takeMessage.push((message) =>
    message.direction === 'incoming' ? takeMessage(findReadyRules, message) : null,
  )
  hooks.messageAnswered.push(async (deps, answered) => {
    const rules = await findReadyRules(answered.botId)
    if (rules) await handOverAfterFailures(deps, rules, answered)
  })
  hooks.messageRated.push((deps, message) =>
    handOverAfterRating(deps, findReadyRules, message),
  )
  hooks.isHandedOver.push(isHandedOver)
  hooks.conversationTagged.push(async (deps, { botId, id }, tags) => {
    if (await noteDeskAgent(deps.database.db, botId, id, tags))
      announceHandoffs(deps, botId)
  })
  hooks.followState.push((place, cause) =>
    isHitlState(place)
      ? async (deps, payload) => {
          if (await followHitlSession(deps, place, payload, cause))
            announceHandoffs(deps, place.botId)
        }
      : null,
  )
  hooks.chatActions.set('handoff', toChatAction(getRedactors))
}

/** Prepares the rules once per change of the bot. */
function toReady(find: (botId: string) => Promise<HandoffRules | null>): FindReadyRules {
  const ready = new WeakMap<HandoffRules, ReadyRules | null>()
  return async (botId) => {
    const rules = await find(botId)
    if (!rules) return null
    if (!ready.has(rules)) ready.set(rules, toReadyRules(rules))
    return ready.get(rules)!
  }
}

/** Hands over conversations in any channel. */
const toChatAction =
  (getRedactors: GetRedactors): ChatAction =>
  async (deps, { botId, cause }, input) => {
    const { conversationId, reason, summary, botReceives } = input as Pick<
      Requested,
      'conversationId' | 'reason' | 'summary' | 'botReceives'
    >
    const row = await requestByRules(
      { ...deps, getRedactors },
      {
        botId,
        cause,
        requestedBy: null,
        assignedTo: null,
        conversationId,
        botReceives,
        reason,
        summary,
      },
    ).catch(asReference)
    announceHandoffs(deps, botId)
    return { handoff: toHandoff(row) }
  }

function asReference(error: unknown): never {
  throw error instanceof ApiError
    ? new ApiError('ReferenceNotFound', error.message)
    : error
}
