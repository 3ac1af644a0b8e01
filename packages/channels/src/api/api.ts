// One's own app as a channel: signed requests both ways.
import {
  type Channel,
  ChannelError,
  type Context,
  type OutgoingMessage,
  type ProviderResponse,
} from '../channel.ts'
import { readRetryAfter, toJson } from '../provider-calls.ts'
import { readRequest } from './requests.ts'
import { checkSignature, toSignedHeaders } from './signature.ts'

export const apiChannel: Channel = {
  async check(context) {
    await post(context, `ping-${crypto.randomUUID()}`, { event: 'ping' })
    return { name: String(context.configuration.appUrl) }
  },

  async receive({ configuration }, { method, headers, body }) {
    if (method !== 'POST') return { arrivals: [], response: { status: 405 } }
    checkSignature(String(configuration.signingSecret), headers, body)
    return { arrivals: readRequest(body, String(headers['webhook-id']).slice(0, 500)) }
  },

  /** The id of the request is that of the message: the app recognizes a repetition. */
  async *send(context, { id, type, payload, conversation, sentParts }) {
    if (sentParts > 0) return
    const conversationId = toId(conversation)
    await post(context, id, { conversationId, messageId: id, type, payload })
    yield { tags: { id, conversationId } }
  },

  toConversation: async (_, address) => ({ channel: 'channel', tags: { id: address } }),

  actions: {
    startTypingIndicator: (context, input) => postTyping(context, 'typingStarted', input),
    stopTypingIndicator: (context, input) => postTyping(context, 'typingStopped', input),
  },
}

const toId = ({ tags }: Pick<OutgoingMessage['conversation'], 'tags'>) => tags.id ?? ''

async function postTyping(
  context: Context,
  event: string,
  input: Record<string, unknown>,
) {
  const conversation = await context.host.findConversation(String(input.conversationId))
  if (conversation)
    await post(context, `typing-${crypto.randomUUID()}`, {
      conversationId: toId(conversation),
      event,
    })
  return {}
}

async function post(context: Context, id: string, content: object): Promise<void> {
  const { appUrl, signingSecret } = context.configuration
  const body = JSON.stringify(content)
  const headers = {
    'content-type': 'application/json',
    ...toSignedHeaders(String(signingSecret), id, body),
  }
  const response = await context.request(String(appUrl), {
    method: 'POST',
    headers,
    body,
    maxBytes: 2 ** 20,
  })
  if (response.status < 200 || response.status > 299)
    throw toError(
      response,
      'event' in content ? `the event "${content.event}"` : undefined,
    )
}

function toError(response: ProviderResponse, event?: unknown): ChannelError {
  const { status } = response
  const { message } = toJson(response)
  const said = typeof message === 'string' ? ` and said: ${message.slice(0, 500)}` : ''
  const answer = `Your app answered ${status} to ${event ?? 'a message'}${said}`
  if (status === 429)
    return new ChannelError('limited', answer, readRetryAfter(response.headers) ?? 1_000)
  if (status >= 500 || status === 408) return new ChannelError('unavailable', answer)
  const remedy = remedies[status >= 300 && status < 400 ? 300 : status]
  const kind = status === 401 || status === 403 ? 'credentials' : 'rejected'
  return new ChannelError(kind, remedy ? `${answer}. ${remedy}` : answer)
}

const remedies: Record<number, string | undefined> = {
  300: 'The server follows no redirects: enter the address to which it leads.',
  401: 'Use the same signing secret in your app, and let it check the signature over the body as it arrives.',
  403: 'Let your app, and the proxy before it, admit requests of this server.',
  404: 'Check the path in the address of your app.',
  405: 'The server sends POST requests: let your app accept them at this address.',
  413: 'The message is larger than your app admits.',
}
