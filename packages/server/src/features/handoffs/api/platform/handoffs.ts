import {
  ApiError,
  type Handlers,
  type Input,
  may,
  type platform,
} from '@botstead/contract'
import { accountStore } from '../../../../core/accounts/index.ts'
import type { BotServices } from '../../../../core/bots/index.ts'
import {
  type Caller,
  type Context,
  type Contexts,
  operated,
  operatorPage,
  toDate,
  toListPage,
} from '../../../../core/http/index.ts'
import {
  conversationStore,
  type MessagingServices,
  toMessage,
} from '../../../../core/messaging/index.ts'
import type { QueueServices } from '../../../../core/queue/index.ts'
import type { RealtimeServices } from '../../../../core/realtime/index.ts'
import { agentUser } from '../../handoff-agents.ts'
import { describeHandoffs } from '../../handoff-details.ts'
import { countHandoffs, listHandoffs } from '../../handoff-listing.ts'
import { findHandoffRules, setHandoffRules } from '../../handoff-rules.ts'
import { findByText } from '../../handoff-search.ts'
import { toHandoff } from '../../handoff-serializers.ts'
import { tagHandoff } from '../../handoff-tags.ts'
import { findHandoffTimes, noteReading } from '../../handoff-times.ts'
import {
  assignHandoff,
  closeHandoff,
  findAssigned,
  findHandoff,
  lockAssigned,
  noteAnswer,
  publishAssignment,
} from '../../handoffs.ts'
import { endHitlSession } from '../../hitl-sessions.ts'
import { requestByRules } from '../../requested-handoffs.ts'

type Own = BotServices & MessagingServices & QueueServices & RealtimeServices

export const handoffs: Handlers<typeof platform.handoffs, Contexts<Own>> = {
  async requestHandoff({ services, caller }, { body }) {
    const botId = operated(caller)
    const { assign = false, ...request } = body
    const row = await requestByRules(services, {
      botId,
      ...request,
      cause: caller.cause,
      requestedBy: caller.account?.accountId ?? null,
      assignedTo: assign ? requirePerson(caller) : null,
    })
    if (row.assigned_to !== null) await publishAssignment(services, row)
    return { handoff: toHandoff(row) }
  },

  async listHandoffs(context, { query }) {
    const botId = operated(context.caller)
    const { db } = context.services
    const page = operatorPage(context, 'listHandoffs', query)
    const rows = await listHandoffs(db, botId, {
      ...(await toFilter(context, query)),
      sortDirection: query.sortDirection ?? 'desc',
      position: page.position?.[0] ?? null,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, ({ id }) => [id])
    return { handoffs: await describeHandoffs(db, botId, items), meta }
  },

  async countHandoffs(context, { query }) {
    const { services, caller } = context
    const filter = await toFilter(context, query)
    return { count: await countHandoffs(services.db, operated(caller), filter) }
  },

  async getHandoff({ services: { db }, caller }, { params }) {
    const botId = operated(caller)
    const row = await findHandoff(db, botId, params.id)
    const [handoff] = await describeHandoffs(db, botId, [row])
    return { handoff: handoff! }
  },

  async updateHandoff({ services: { db }, caller }, { params, body }) {
    return {
      handoff: toHandoff(await tagHandoff(db, operated(caller), params.id, body.tags)),
    }
  },

  async assignHandoff({ services, caller }, { params, body }) {
    const botId = operated(caller)
    if (body.to !== null) {
      const role = await services.callers.role(caller.workspaceId, body.to)
      if (!role || !may(role, 'conversations.write'))
        throw new ApiError(
          'ReferenceNotFound',
          `Account "${body.to}" cannot answer for this bot`,
        )
    }
    const row = await services.inTransaction(async (inside) => {
      const row = await assignHandoff(inside.db, botId, params.id, body)
      await publishAssignment(inside, row)
      return row
    })
    return { handoff: toHandoff(row) }
  },

  async answerHandoff(
    { services, caller, request },
    { params, body: { type, payload } },
  ) {
    const botId = operated(caller)
    // No handoff is assigned to the bot itself.
    const accountId = caller.account?.accountId ?? ''
    const message = await services.inTransaction(async ({ db, messages }) => {
      // Before the lock, which messages of the user wait for.
      const userId =
        accountId && (await agentUser(db, botId, await accountStore.find(db, accountId)))
      const handoff = await lockAssigned(db, botId, params.id, accountId)
      const message = await messages.post({
        botId,
        conversationId: handoff.conversation_id,
        userId,
        type,
        payload,
        direction: 'outgoing',
        requestId: request.id,
      })
      await noteAnswer(db, handoff)
      return message
    })
    return { message: toMessage(message) }
  },

  async readHandoff({ services, caller }, { params, body: { messageId } }) {
    const botId = operated(caller)
    const accountId = caller.account?.accountId ?? ''
    const { conversation_id: id } = await findAssigned(
      services.db,
      botId,
      params.id,
      accountId,
    )
    const place = { botId, conversationId: id, messageId, handoffId: params.id }
    const readUntil = await noteReading(services.db, place)
    if (readUntil) {
      const { fid } = await conversationStore.find(services.db, botId, id)
      const data = { conversationId: fid ?? id, readUntil: readUntil.toISOString() }
      services.signals.publish(botId, id, null, () => ({ type: 'messages_read', data }))
    }
    return {}
  },

  async closeHandoff({ services, caller }, { params, body: { outcome } }) {
    const botId = operated(caller)
    const by = caller.account?.accountId
    const row = await services.inTransaction(async (inside) => {
      const row = await closeHandoff(inside, botId, params.id, { outcome, by })
      if (row.source === 'hitl')
        await endHitlSession(inside.db, botId, row.conversation_id)
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
    const to = toDate(query.to) ?? new Date()
    const from = toDate(query.from) ?? new Date(to.getTime() - defaultDays * dayMs)
    if (to.getTime() - from.getTime() > maxDays * dayMs)
      throw new ApiError(
        'InvalidQuery',
        `\`from\` must be at most ${maxDays} days before \`to\``,
      )
    return findHandoffTimes(services.db, operated(caller), { from, to })
  },
}

type Filter = Input<typeof platform.handoffs.countHandoffs>['query']

async function toFilter(
  { services, caller }: Context<Caller<'bot'>, Own>,
  query: Filter,
) {
  const { state, assignedTo, conversationId, source, tags, text } = query
  const search = { db: services.db, hasMessages: services.config.messageSearch }
  return {
    state,
    conversationId,
    source,
    tags,
    assignedTo: assignedTo === 'me' ? requirePerson(caller) : assignedTo,
    found:
      text === undefined ? undefined : await findByText(search, operated(caller), text),
  }
}

const dayMs = 86_400_000
const defaultDays = 30
const maxDays = 366

/** Throws Forbidden for the bot's key. */
function requirePerson({ account }: Caller<'bot'>): string {
  if (!account)
    throw new ApiError('Forbidden', 'Only people can answer: use a personal token')
  return account.accountId
}
