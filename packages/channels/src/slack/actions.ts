// What bots can do at Slack besides messages.
import { type Action, ChannelError, type Context } from '../channel.ts'
import { call } from './api.ts'

/** Marks the message that the bot works on. */
const typingEmoji = 'eyes'

interface Place {
  channel: string
  timestamp: string
}

async function findPlace(
  { host, installation: { alias } }: Context,
  messageId: unknown,
): Promise<Place | null> {
  const tags = (await host.findMessage(String(messageId)))?.tags ?? {}
  const [channel, timestamp] = [tags[`${alias}:channelId`], tags[`${alias}:ts`]]
  return channel && timestamp ? { channel, timestamp } : null
}

/** A reaction that is there already, or removed, is no failure. */
async function react(
  context: Context,
  method: 'reactions.add' | 'reactions.remove',
  parameters: Place & { name: string },
): Promise<void> {
  await call(context, method, { ...parameters }).catch((error) => {
    if (
      !(
        error instanceof ChannelError && /already_reacted|no_reaction/.test(error.message)
      )
    )
      throw error
  })
}

const showTyping =
  (method: 'reactions.add' | 'reactions.remove'): Action =>
  async (context, { messageId }) => {
    if (context.configuration.typingIndicatorEmoji !== true || messageId === undefined)
      return {}
    const place = await findPlace(context, messageId)
    if (place) await react(context, method, { ...place, name: typingEmoji })
    return {}
  }

export const actions: Record<string, Action> = {
  startTypingIndicator: showTyping('reactions.add'),
  stopTypingIndicator: showTyping('reactions.remove'),

  async addReaction(context, { name, messageId }) {
    const place = await findPlace(context, messageId)
    if (!place)
      throw new ChannelError(
        'rejected',
        `The message "${messageId}" has no timestamp of Slack`,
      )
    await react(context, 'reactions.add', {
      ...place,
      name: String(name).replace(/^:|:$/g, ''),
    })
    return {}
  },

  async retrieveMessage(context, { ts, channel }) {
    const parameters = { channel, latest: ts, oldest: ts, inclusive: true, limit: 1 }
    const { messages } = await call<{ messages: Record<string, unknown>[] }>(
      context,
      'conversations.history',
      parameters,
    )
    const found = messages[0]
    if (!found) throw new ChannelError('rejected', `The channel has no message "${ts}"`)
    const read = (name: string) => String(found[name] ?? '')
    return { type: read('type'), user: read('user'), ts: read('ts'), text: read('text') }
  },

  async updateChannelTopic(context, { topic, channelId: channel }) {
    await call(context, 'conversations.setTopic', { channel, topic })
    return {}
  },

  async getUserProfile(context, { userId: user }) {
    const { profile } = await call<{ profile: Record<string, string | undefined> }>(
      context,
      'users.profile.get',
      { user },
    )
    const { first_name, last_name, email, display_name } = profile
    const all = {
      firstName: first_name,
      lastName: last_name,
      email,
      displayName: display_name,
    }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value))
  },
}
