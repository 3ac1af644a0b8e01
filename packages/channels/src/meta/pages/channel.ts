// The channel of Messenger or Instagram. Messages arrive by the webhook of the Meta app.
import {
  type Channel,
  ChannelError,
  type Context,
  type OutgoingMessage,
} from '../../channel.ts'
import { isAtProvider } from '../../guide.ts'
import { type Call, callGraph } from '../graph.ts'
import { readWebhook } from '../webhook.ts'
import { outsideWindow } from './explanations.ts'
import { toParts } from './sending.ts'
import type { PageProvider, Part } from './types.ts'
import { toArrivals } from './updates.ts'

export function createPageChannel(provider: PageProvider): Channel {
  const typing =
    (action: string) => async (context: Context, input: Record<string, unknown>) => {
      const conversation = await context.host.findConversation(
        String(input.conversationId),
      )
      const body = conversation && { ...toRecipient(conversation), sender_action: action }
      if (body) await call(context, provider, 'messages', { body })
      return {}
    }
  return {
    toAccount: (configuration) => provider.findAccountId(configuration),

    needsPublicAddress: isAtProvider,

    async check(context) {
      const account = await call(context, provider, '', {
        query: { fields: provider.accountFields },
      })
      const name = account.username ?? account.name
      if (typeof name !== 'string') return {}
      return {
        name,
        link: provider.toLink({
          id: provider.findAccountId(context.configuration),
          name,
        }),
      }
    },

    async register(context) {
      const query = { subscribed_fields: provider.subscribedFields }
      await call(context, provider, 'subscribed_apps', { method: 'POST', query })
    },

    async receive(context, request) {
      const read = readWebhook(context.configuration, provider.secretPlace, request)
      if ('answer' in read) return read.answer
      return { arrivals: await toArrivals(context, provider, read.entries) }
    },

    async *send(context, message) {
      const parts = await toParts(context, provider, message)
      const recipient = toRecipient(message.conversation)
      for (const part of parts.slice(message.sentParts)) {
        const id = await postWithinRules(context, provider, recipient, part)
        yield { tags: { id, recipientId: recipient.recipient.id } }
      }
    },

    actions: {
      startTypingIndicator: typing('typing_on'),
      stopTypingIndicator: typing('typing_off'),
    },
  }
}

function call(context: Context, provider: PageProvider, below: string, options: Call) {
  const { configuration } = context
  const path = `/${encodeURIComponent(provider.findAccountId(configuration))}`
  const graph = provider.toGraph(configuration)
  return callGraph(context, graph, below ? `${path}/${below}` : path, options)
}

/** Throws ChannelError ("rejected"). */
function toRecipient({ tags }: Pick<OutgoingMessage['conversation'], 'tags'>) {
  if (!tags.id) throw new ChannelError('rejected', 'The conversation has no tag `id`')
  return { recipient: { id: tags.id } }
}

/** Uses the configured tag only for a person without a message in the last 24 hours. */
async function postWithinRules(
  context: Context,
  provider: PageProvider,
  recipient: { recipient: { id: string } },
  part: Part,
): Promise<string> {
  const { messageTag } = context.configuration
  try {
    return await post(context, provider, { ...recipient, ...provider.response }, part)
  } catch (error) {
    const isLate =
      error instanceof ChannelError && error.message.startsWith(outsideWindow)
    if (!isLate || !messageTag) throw error
    const rule = { messaging_type: 'MESSAGE_TAG', tag: messageTag }
    return post(context, provider, { ...recipient, ...rule }, part)
  }
}

async function post(
  context: Context,
  provider: PageProvider,
  rule: Record<string, unknown>,
  { message, file }: Part,
): Promise<string> {
  const body = { ...rule, message }
  const { message_id } = await call(
    context,
    provider,
    'messages',
    file ? { form: { ...toFields(body), filedata: file } } : { body },
  )
  return String(message_id ?? '')
}

const toFields = (body: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
