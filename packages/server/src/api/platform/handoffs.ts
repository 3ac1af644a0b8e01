import { ApiError, type Handlers, may, type platform } from '@botstead/contract'
import type { BotCaller, Contexts } from '../../http/services.ts'
import { findAccount } from '../../modules/accounts/accounts.ts'
import { describeHandoffs } from '../../modules/messaging/handoff-details.ts'
import { findHandoffRules, setHandoffRules } from '../../modules/messaging/handoff-rules.ts'
import { findHandoffTimes } from '../../modules/messaging/handoff-times.ts'
import {
  agentUser,
  assignHandoff,
  closeHandoff,
  countHandoffs,
  findAssigned,
  findHandoff,
  listHandoffs,
  noteAnswer,
  requestHandoff,
  tagHandoff,
  toHandoff,
} from '../../modules/messaging/handoffs.ts'
import { toMessage } from '../../modules/messaging/serializers.ts'
import { endHitlSession } from '../../modules/workflows/state/hitl-sessions.ts'
import { momentOf } from '../moments.ts'
import { pageOf } from '../paging.ts'
import { operated } from './operator.ts'
import { operatorPage } from './paging.ts'

export const handoffs: Handlers<typeof platform.handoffs, Contexts> = {
  async requestHandoff({ services, caller }, { body }) {
    const botId = operated(caller)
    const { assign = false, botReceives = 'nothing', ...request } = body
    const row = await requestHandoff(services, {
      ...{ botId, ...request, botReceives, cause: caller.cause },
      requestedBy: caller.account?.accountId ?? null,
      assignedTo: assign ? personOf(caller) : null,
    })
    return { handoff: toHandoff(row) }
  },

  async listHandoffs(context, { query }) {
    const botId = operated(context.caller)
    const { db } = context.services
    const page = operatorPage(context, 'listHandoffs', query)
    const rows = await listHandoffs(db, botId, {
      ...filterOf(context.caller, query),
      sortDirection: query.sortDirection ?? 'desc',
      position: page.position?.[0] ?? null,
      limit: page.limit + 1,
    })
    const { items, meta } = pageOf(page, rows, ({ id }) => [id])
    return { handoffs: await describeHandoffs(db, botId, items), meta }
  },

  async countHandoffs({ services: { db }, caller }, { query }) {
    return { count: await countHandoffs(db, operated(caller), filterOf(caller, query)) }
  },

  async getHandoff({ services: { db }, caller }, { params }) {
    const botId = operated(caller)
    const row = await findHandoff(db, botId, params.id)
    const [handoff] = await describeHandoffs(db, botId, [row])
    return { handoff: handoff! }
  },

  async updateHandoff({ services: { db }, caller }, { params, body }) {
    return { handoff: toHandoff(await tagHandoff(db, operated(caller), params.id, body.tags)) }
  },

  async assignHandoff({ services, caller }, { params, body }) {
    const botId = operated(caller)
    if (body.to !== null) {
      const role = await services.callers.role(caller.workspaceId, body.to)
      if (!role || !may(role, 'data.write'))
        throw new ApiError('ReferenceNotFound', `Account "${body.to}" cannot answer for this bot`)
    }
    return { handoff: toHandoff(await assignHandoff(services.db, botId, params.id, body)) }
  },

  async answerHandoff({ services, caller, request }, { params, body: { type, payload } }) {
    const botId = operated(caller)
    // No handoff is assigned to the bot itself.
    const accountId = caller.account?.accountId ?? ''
    const handoff = await findAssigned(services.db, botId, params.id, accountId)
    const account = await findAccount(services.db, accountId)
    const message = await services.messages.post({
      ...{ botId, conversationId: handoff.conversation_id, type, payload },
      userId: await agentUser(services.db, botId, account),
      direction: 'outgoing',
      requestId: request.id,
    })
    await noteAnswer(services.db, handoff)
    return { message: toMessage(message) }
  },

  async closeHandoff({ services, caller }, { params, body: { outcome } }) {
    const botId = operated(caller)
    const by = caller.account?.accountId
    const row = await services.inTransaction(async (inside) => {
      const row = await closeHandoff(inside, botId, params.id, { outcome, by })
      if (row.source === 'hitl') await endHitlSession(inside.db, botId, row.conversation_id)
      return row
    })
    return { handoff: toHandoff(row) }
  },

  async getHandoffRules({ services, caller }) {
    return { rules: await findHandoffRules(services.db, operated(caller)) }
  },

  async setHandoffRules({ services, caller }, { body: rules }) {
    const botId = operated(caller)
    await setHandoffRules(services.db, botId, rules)
    await services.invalidate({ botId })
    return { rules }
  },

  async getHandoffTimes({ services, caller }, { query }) {
    const to = momentOf(query.to) ?? new Date()
    const from = momentOf(query.from) ?? new Date(to.getTime() - defaultDays * dayMs)
    if (to.getTime() - from.getTime() > maxDays * dayMs)
      throw new ApiError('InvalidQuery', `\`from\` must be at most ${maxDays} days before \`to\``)
    return findHandoffTimes(services.db, operated(caller), { from, to })
  },
}

interface Filter {
  state?: 'open' | 'waiting' | 'closed'
  assignedTo?: string
  conversationId?: string
}

const filterOf = (caller: BotCaller, { state, assignedTo, conversationId }: Filter) => ({
  ...{ state, conversationId },
  assignedTo: assignedTo === 'me' ? personOf(caller) : assignedTo,
})
const dayMs = 86_400_000
const defaultDays = 30
const maxDays = 366

/** Throws Forbidden for the bot's key. */
function personOf({ account }: BotCaller): string {
  if (!account) throw new ApiError('Forbidden', 'Only people can answer: use a personal token')
  return account.accountId
}
