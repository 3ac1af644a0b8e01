// SMS and MMS by Twilio. Messages arrive by its webhook.
import {
  type Channel,
  ChannelError,
  type Context,
  type OutgoingMessage,
} from '../channel.ts'
import { isAtProvider } from '../guide.ts'
import { toSmsParts } from '../sms/parts.ts'
import { call, toAccountUrl } from './api.ts'
import { toArrivals } from './requests.ts'
import {
  checkAddress,
  checkSender,
  clearSender,
  getSender,
  isService,
  setAddress,
  toPhone,
} from './senders.ts'
import { readSigned } from './signature.ts'

export const twilioChannel: Channel = {
  toAccount: ({ accountSID, ...others }) =>
    `${String(accountSID).trim()} ${getSender({ configuration: others })}`,

  needsPublicAddress: isAtProvider,

  check: checkSender,

  register: (context, { webhookUrl }) => setAddress(context, webhookUrl),

  verify: (context, { webhookUrl }) => checkAddress(context, webhookUrl),

  unregister: clearSender,

  // Twilio sends any text of the response to the person: it has none.
  async receive(context, request) {
    const fields = readSigned(context, request)
    return { arrivals: await toArrivals(context, fields, request.query) }
  },

  async *send(context, message) {
    const place = toPlace(context, message.conversation)
    const parts = await toSmsParts(message, context.configuration.sendMediaAs !== 'link')
    for (const { text, mediaUrl } of parts.slice(message.sentParts)) {
      const url = toAccountUrl(context, '/Messages.json')
      const part = {
        ...(text && { Body: text }),
        ...(mediaUrl && { MediaUrl: mediaUrl }),
      }
      const { sid } = await call(context, url, { ...place, ...part })
      yield { tags: typeof sid === 'string' ? { id: sid } : {} }
    }
  },

  async toConversation(context, address) {
    const tags = { userPhone: toPhone(address), activePhone: getSender(context) }
    checkPhones(tags)
    return { channel: 'channel', tags }
  },

  actions: {
    async startConversation(context, { conversation }) {
      const { userPhone, activePhone } = conversation as Record<
        string,
        string | undefined
      >
      const tags = {
        userPhone: toPhone(userPhone ?? ''),
        activePhone: toPhone(activePhone ?? '') || getSender(context),
      }
      checkPhones(tags)
      const by = ['userPhone', 'activePhone']
      const conversationId = await context.host.openConversation({
        channel: 'channel',
        tags,
        by,
      })
      return { conversationId }
    },
  },
}

/** Throws ChannelError ("rejected"). */
function checkPhones({
  userPhone,
  activePhone,
}: {
  userPhone: string
  activePhone: string
}): void {
  if (!/^(whatsapp:)?\+[1-9]\d{6,14}$/.test(userPhone))
    throw new ChannelError(
      'rejected',
      `"${userPhone}" is no phone number with its country code, such as +40712345678`,
    )
  if (activePhone === '')
    throw new ChannelError(
      'rejected',
      'Set a sender in the configuration, or give `activePhone`.',
    )
}

/** Throws ChannelError ("rejected"). Twilio reports the state of the message to the address. */
function toPlace(
  { webhookUrl }: Context,
  { tags: { userPhone, activePhone } }: OutgoingMessage['conversation'],
): Record<string, string> {
  if (!userPhone || !activePhone)
    throw new ChannelError(
      'rejected',
      'The conversation has no tags `userPhone` and `activePhone`',
    )
  return isService(activePhone)
    ? {
        To: userPhone,
        MessagingServiceSid: activePhone,
        StatusCallback: `${webhookUrl}?sender=${activePhone}`,
      }
    : { To: userPhone, From: activePhone, StatusCallback: webhookUrl }
}
