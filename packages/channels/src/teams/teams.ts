// Microsoft Teams, by the Bot Framework. Messages arrive at the messaging endpoint of an Azure Bot.
import { type Action, type Channel, ChannelError, type Context } from '../channel.ts'
import { call, getToken, isMultiTenant, readSetting, toActivitiesPath } from './api.ts'
import { toArrivals } from './arrivals.ts'
import { findMetadata, readActivity } from './requests.ts'
import { toParts } from './sending.ts'
import { findServiceUrl, toServiceTags } from './service-urls.ts'

/** Begins a conversation with one person. */
const startDmConversation: Action = async (context, input) => {
  const { conversationId, teamsUserId, teamsUserEmail } = input
  const known = await context.host.findConversation(String(conversationId))
  const wanted = teamsUserId ?? teamsUserEmail
  if (!known?.tags.id || !wanted)
    throw new ChannelError(
      'rejected',
      'Specify `conversationId` of a conversation of this channel, and `teamsUserId` or `teamsUserEmail`',
    )
  const { id, tenantId } = known.tags
  const place = { serviceUrl: findServiceUrl(context, known.tags) }
  const path = `/v3/conversations/${encodeURIComponent(id)}/members/${encodeURIComponent(String(wanted))}`
  const member = await call(context, place, path)
  const started = await call(context, place, '/v3/conversations', {
    body: {
      isGroup: false,
      bot: { id: `28:${readSetting(context, 'appId')}` },
      members: [{ id: member.id }],
      ...(tenantId && { tenantId, channelData: { tenant: { id: tenantId } } }),
    },
  })
  const tags = {
    id: String(started.id),
    conversationType: 'personal',
    ...toServiceTags(context, place.serviceUrl),
    ...(tenantId && { tenantId }),
  }
  const opened = await context.host.openConversation({
    channel: 'channel',
    tags,
    by: ['id'],
  })
  return { conversationId: opened, userId: String(member.id) }
}

/** Throws ChannelError ("credentials"). */
function requireTenant(context: Pick<Context, 'configuration'>): void {
  const isSingle = readSetting(context, 'botType') !== '' && !isMultiTenant(context)
  if (isSingle && readSetting(context, 'tenantId') === '')
    throw new ChannelError(
      'credentials',
      'A bot of the type Single Tenant needs its App Tenant ID: copy it from portal.azure.com: your Azure ' +
        'Bot, Configuration.',
    )
}

export const teamsChannel: Channel = {
  toAccount: ({ appId }) => String(appId).trim().toLowerCase(),

  // An address without encryption is that of a test.
  needsPublicAddress: ({ loginUrl }) => !String(loginUrl ?? '').startsWith('http:'),

  /** The messaging endpoint can be set only at Azure. */
  async check(context) {
    requireTenant(context)
    await Promise.all([getToken(context), findMetadata(context)])
    // No call of the Bot Framework gives the name of the bot.
    return { name: `Microsoft App ID ${readSetting(context, 'appId')}` }
  },

  async receive(context, request) {
    const activity = await readActivity(context, request)
    const arrivals = await toArrivals(context, activity)
    // Teams shows an error to the person unless it gets an object.
    const headers = { 'content-type': 'application/json' }
    return activity.type === 'invoke'
      ? { arrivals, response: { status: 200, headers, body: '{}' } }
      : { arrivals }
  },

  async *send(context, { conversation: { tags }, sentParts, ...message }) {
    if (!tags.id) throw new ChannelError('rejected', 'The conversation has no tag `id`')
    const place = { serviceUrl: findServiceUrl(context, tags) }
    const parts = await toParts(message)
    for (const body of parts.slice(sentParts)) {
      const { id } = await call(context, place, toActivitiesPath(tags.id), { body })
      yield { tags: { conversationId: tags.id, ...(id ? { id: String(id) } : {}) } }
    }
  },

  actions: {
    async startTypingIndicator(context, { conversationId }) {
      const { tags } = (await context.host.findConversation(String(conversationId))) ?? {}
      if (!tags?.id) return {}
      const place = { serviceUrl: findServiceUrl(context, tags) }
      await call(context, place, toActivitiesPath(tags.id), { body: { type: 'typing' } })
      return {}
    },
    // Teams ends it by itself: after some seconds, or with the next message.
    stopTypingIndicator: async () => ({}),
    startDmConversation,
  },
}
