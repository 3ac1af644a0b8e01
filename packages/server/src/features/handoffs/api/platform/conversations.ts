import { ApiError, type Handlers, type Input, type platform } from '@botstead/contract'
import type { BotServices } from '../../../../core/bots/index.ts'
import {
  type Contexts,
  getViewer,
  type HttpServices,
  operated,
  operatorPage,
  sendLines,
  timePosition,
  toDate,
  toListPage,
} from '../../../../core/http/index.ts'
import {
  conversationStore,
  listNumberedMessages,
  type MessagingServices,
  messageStore,
  personHomes,
  publishTyping,
  stopAnswer,
  toConversation,
  toMessage,
} from '../../../../core/messaging/index.ts'
import type { QueueServices } from '../../../../core/queue/index.ts'
import type { RealtimeServices } from '../../../../core/realtime/index.ts'
import { isHandedOver } from '../../handoffs.ts'
import {
  type FoundConversation,
  searchConversations,
} from '../../search/conversation-search.ts'
import { readTranscript } from '../../search/transcripts.ts'
import { exportedJson, exportedText, exportTypes } from './conversation-export.ts'
import {
  continuedPage,
  firstPage,
  lastPage,
  pageAround,
  type ReadTranscript,
} from './transcript.ts'
import { readDetails } from './transcript-details.ts'

type Own = HttpServices &
  BotServices &
  MessagingServices &
  QueueServices &
  RealtimeServices

export const conversations: Handlers<typeof platform.conversations, Contexts<Own>> = {
  async searchConversations(context, { query }) {
    const { database, config } = context.services
    const botId = operated(context.caller)
    if (query.text !== undefined && !config.messageSearch) throw noMessageSearch()
    const page = operatorPage(context, 'searchConversations', query)
    const { userId, ofPerson, ...filter } = query
    const { found, next } = await searchConversations(database.finds, botId, {
      ...filter,
      ...(userId !== undefined && {
        userIds: ofPerson
          ? await personHomes.listUsersOfPerson(database.finds, botId, userId)
          : [userId],
      }),
      after: toDate(query.afterDate),
      before: toDate(query.beforeDate),
      position: timePosition(page.position),
      limit: page.limit,
    })
    return {
      conversations: found.map(toFoundConversation),
      meta: next ? { nextToken: page.token([next.at.toISOString(), next.id]) } : {},
    }
  },

  async getConversationTranscript(context, { params, query }) {
    await conversationStore.find(context.services.db, operated(context.caller), params.id)
    return {
      ...(await readTranscriptPage(context, params.id, query)),
      ...(query.details && { details: await readDetails(context, params.id) }),
    }
  },

  async exportConversation({ services, caller, request, reply }, { params, query }) {
    const conversation = await conversationStore.find(
      services.db,
      operated(caller),
      params.id,
    )
    const { format = 'json' } = query
    const lines = (format === 'json' ? exportedJson : exportedText)(
      services,
      conversation,
    )
    const name = `${params.id}.${format === 'json' ? 'json' : 'txt'}`
    reply.header('content-disposition', `attachment; filename="${name}"`)
    await sendLines(request, reply, exportTypes[format], lines, (error) => {
      services.log.warn({ err: error }, 'an export of a conversation broke off')
      reply.raw.destroy()
      return ''
    })
    return undefined as never
  },

  async listNumberedMessages(context, { params, query }) {
    const { db } = context.services
    const botId = operated(context.caller)
    await conversationStore.find(db, botId, params.id)
    const page = operatorPage(context, 'listNumberedMessages', {
      ...query,
      conversation: params.id,
    })
    const after = page.position?.[0] ?? String(query.after ?? 0)
    const { items, meta } = toListPage(
      page,
      await listNumberedMessages(db, botId, params.id, { after, limit: page.limit + 1 }),
      (row) => [row.number],
    )
    return {
      messages: items.map((row) => ({
        number: Number(row.number),
        message: toMessage(row),
      })),
      meta,
    }
  },

  async stopConversationAnswer({ services, caller }, { params }) {
    const botId = operated(caller)
    const conversation = await conversationStore.find(services.db, botId, params.id)
    const alias = conversation.integration
    const user = { id: botId, fid: null }
    return { stopped: await stopAnswer(services, { botId, alias, conversation, user }) }
  },

  async setConversationTyping({ services, caller }, { params, body }) {
    const viewer = getViewer(caller)
    const conversation = await conversationStore.find(
      services.db,
      caller.botId,
      params.id,
      viewer,
    )
    const { botId, account } = caller
    const isPerson =
      account !== null && (await isHandedOver(services.db, botId, conversation.id))
    publishTyping(services, { botId, conversation, isPerson }, null, body)
    return {}
  },
}

type TranscriptQuery = Input<
  typeof platform.conversations.getConversationTranscript
>['query']

async function readTranscriptPage(
  context: Contexts<Own>['bot'],
  conversationId: string,
  { nextToken, pageSize, around, from }: TranscriptQuery,
) {
  const { db, database } = context.services
  const botId = operated(context.caller)
  const page = operatorPage(context, 'getConversationTranscript', {
    conversation: conversationId,
    nextToken,
    pageSize,
  })
  const read: ReadTranscript = (...page) =>
    readTranscript(database, { botId, conversationId }, ...page)
  if (page.position) return continuedPage(page, read, page.position)
  if (around === undefined)
    return from === 'start' ? firstPage(page, read) : lastPage(page, read)
  const center = await messageStore.find(db, botId, around)
  if (center.conversation_id !== conversationId) throw messageStore.notFound(around)
  return pageAround(page, read, center)
}

const noMessageSearch = () =>
  new ApiError(
    'InvalidQuery',
    'This installation does not index messages (`BOTSTEAD_MESSAGE_SEARCH`): search without `text`',
  )

const toFoundConversation = ({ conversation, ...more }: FoundConversation) => ({
  conversation: toConversation(conversation),
  ...(more.lastMessage && { lastMessage: toMessage(more.lastMessage) }),
  ...(more.lastUserMessage && { lastUserMessage: toMessage(more.lastUserMessage) }),
  ...(more.match && { match: toMessage(more.match) }),
  participants: more.participants.map(({ id, name, fid, picture_url, integration }) => ({
    id,
    ...(name !== null && { name }),
    ...(fid !== null && { fid }),
    ...(picture_url !== null && { pictureUrl: picture_url }),
    ...(integration !== null && { integration }),
  })),
  participantCount: more.counts.participant_count,
  deadLetterCount: more.counts.dead_letters,
  feedback: { positive: more.counts.positive, negative: more.counts.negative },
})
