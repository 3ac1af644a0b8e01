// Notifications of WhatsApp, and what they say to the bot. One notification may have several.
import type { Arrival, Context } from '../channel.ts'
import { toChannelError } from '../meta/errors.ts'
import type { Entry } from '../meta/webhook.ts'
import { explanations } from './api.ts'
import { readContents } from './contents.ts'
import type {
  WhatsAppContact,
  WhatsAppContent,
  WhatsAppMessage,
  WhatsAppStatus,
  WhatsAppValue,
} from './types.ts'

/** In the order of the notification, so that messages of a chat keep theirs. */
export async function toArrivals(context: Context, entries: Entry[]): Promise<Arrival[]> {
  const arrivals: Arrival[] = []
  for (const value of entries.flatMap(readValues)) {
    for (const message of value.messages ?? [])
      arrivals.push(...(await readMessage(context, value, message)))
    for (const status of value.statuses ?? []) arrivals.push(...readStatus(value, status))
  }
  return arrivals
}

/** The ids of messages that a person sent: what WhatsApp may show as read. */
export const listReadable = (
  entries: Entry[],
): { phoneId: string; messageId: string }[] =>
  entries
    .flatMap(readValues)
    .flatMap(({ metadata, messages = [] }) =>
      messages
        .filter(({ type }) => !['reaction', 'edit', 'revoke', 'system'].includes(type))
        .map(({ id }) => ({ phoneId: metadata.phone_number_id, messageId: id })),
    )

function readValues({ changes }: Entry): WhatsAppValue[] {
  const all = Array.isArray(changes) ? changes : []
  return all.flatMap((change) =>
    change?.field === 'messages' && change.value?.metadata?.phone_number_id
      ? [change.value]
      : [],
  )
}

type Place = Pick<Arrival, 'conversation' | 'user'>

/** A person without a phone number has an id, which is another one for each business. */
function toPlace(
  { metadata }: WhatsAppValue,
  phone: string | undefined,
  userId: string | undefined,
  contact: WhatsAppContact = {},
): Place | null {
  const identity = phone ?? userId
  if (!identity) return null
  const { name, username } = contact.profile ?? {}
  return {
    conversation: {
      channel: 'channel',
      tags: {
        botPhoneNumberId: metadata.phone_number_id,
        ...(phone && { userPhone: toUserPhone(phone) }),
        ...(userId && { userId }),
      },
      by: ['botPhoneNumberId', phone ? 'userPhone' : 'userId'],
    },
    user: {
      tags: {
        userId: identity,
        ...(userId && { whatsappUserId: userId }),
        ...(phone && { number: phone }),
        ...(username && { username }),
        ...(name && { name }),
      },
      by: ['userId'],
      ...(name && { name }),
    },
  }
}

/** As people write phone numbers, and as the official integration has them. */
export const toUserPhone = (phone: string) => `+${phone.replace(/\D/g, '')}`

function findPlace(
  value: WhatsAppValue,
  { from, from_user_id }: WhatsAppMessage,
): Place | null {
  const contact = value.contacts?.find(
    ({ wa_id, user_id }) =>
      (from && wa_id === from) || (from_user_id && user_id === from_user_id),
  )
  const only = value.contacts?.length === 1 ? value.contacts[0] : undefined
  const known = contact ?? only
  return toPlace(value, from ?? known?.wa_id, from_user_id ?? known?.user_id, known)
}

async function readMessage(
  context: Context,
  value: WhatsAppValue,
  message: WhatsAppMessage,
): Promise<Arrival[]> {
  const place = findPlace(value, message)
  if (!place) return []
  const { number } = place.user.tags
  // WhatsApp has signed the request.
  if (number)
    place.user.addresses = [
      { kind: 'phone', address: toUserPhone(number), isVerified: true },
    ]
  const event = toEvent(message, place)
  if (event) return [{ ...place, event }]
  const contents = await readContents(context, message)
  const replyTo = message.context?.id
  return contents.map(({ type, payload }, i) => ({
    ...place,
    message: {
      type,
      payload: { ...payload, ...(replyTo && { replyTo: { id: replyTo } }) },
      tags: { id: i === 0 ? message.id : `${message.id}.${i}`, ...toTags(message) },
      by: ['id'],
    },
  }))
}

/** A tag has at most 500 characters. */
const toTags = ({ context, referral }: WhatsAppMessage) => ({
  ...(context?.id && { replyTo: context.id.slice(0, 500) }),
  ...(referral?.source_url && { referralSourceUrl: referral.source_url.slice(0, 500) }),
  ...(referral?.source_id && { referralSourceId: referral.source_id.slice(0, 500) }),
})

function toEvent(message: WhatsAppMessage, { user }: Place): Arrival['event'] | null {
  const { id: eventId, reaction, edit, revoke } = message
  const toPayload = (id: string) => ({
    messageTags: { id },
    userTags: user.tags,
    eventId,
  })
  if (reaction) {
    const type = reaction.emoji ? 'reactionAdded' : 'reactionRemoved'
    const payload = { ...toPayload(reaction.message_id), reaction: reaction.emoji ?? '' }
    return { type, payload, once: true }
  }
  if (revoke)
    return {
      type: 'messageDeleted',
      payload: toPayload(revoke.original_message_id),
      once: true,
    }
  if (!edit) return null
  const changed = { text: toChangedText(edit.message) }
  const payload = { ...toPayload(edit.original_message_id), payload: changed }
  return { type: 'messageEdited', payload, once: true }
}

const toChangedText = (
  { text, image, video, document }: WhatsAppContent = { type: '' },
) => text?.body ?? (image ?? video ?? document)?.caption ?? ''

function readStatus(value: WhatsAppValue, status: WhatsAppStatus): Arrival[] {
  const { id, status: state, recipient_id, recipient_user_id } = status
  const place = toPlace(value, recipient_id, recipient_user_id)
  if (!place) return []
  if (state === 'delivered' || state === 'read')
    return [{ ...place, receipt: { state, tags: { id } } }]
  if (state !== 'failed') return []
  const error = toChannelError(status.errors?.[0] ?? {}, 400, null, explanations).message
  const event = {
    type: 'messageFailed',
    payload: { messageTags: { id }, error },
    once: true,
  }
  return [{ ...place, event, failure: error }]
}
