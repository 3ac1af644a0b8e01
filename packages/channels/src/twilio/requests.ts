// Requests of Twilio: messages of people, and states of the bot's messages
// (https://www.twilio.com/docs/messaging/guides/webhook-request).
import type { Arrival, ArrivalAddress, Context } from '../channel.ts'
import { explain } from './errors.ts'
import { type Content, toMedia } from './media.ts'
import { getSender, isService } from './senders.ts'

const maxMedia = 10

/** `query` says which messaging service a state is of. */
export async function toArrivals(
  context: Context,
  fields: URLSearchParams,
  query: string,
): Promise<Arrival[]> {
  const id = fields.get('MessageSid') ?? fields.get('SmsSid')
  if (!id) return []
  if (fields.get('MessageStatus')) return toState(fields, id, query)
  const place = toPlace(
    { userPhone: fields.get('From'), activePhone: findReceiver(context, fields) },
    fields.get('ProfileName'),
  )
  if (!place) return []
  const contents = await readContents(context, fields, id)
  const replyTo = fields.get('OriginalRepliedMessageSid')
  const user = { ...place.user, addresses: toPhones(place.user.tags.userPhone) }
  return contents.map(({ id: own, type, payload }) => ({
    ...place,
    user,
    message: {
      type,
      payload: { ...payload, ...(replyTo && { replyTo: { id: replyTo } }) },
      tags: { id: own },
      by: ['id'],
    },
  }))
}

/** All numbers of the configured service are one sender, so that answers arrive in the conversation of a message. */
function findReceiver(context: Context, fields: URLSearchParams): string | null {
  const sender = getSender(context)
  return isService(sender) && fields.get('MessagingServiceSid') === sender
    ? sender
    : fields.get('To')
}

type Place = Pick<Arrival, 'conversation' | 'user'>

function toPlace(
  { userPhone, activePhone }: { userPhone: string | null; activePhone: string | null },
  name: string | null,
): Place | null {
  if (!userPhone || !activePhone) return null
  const tags = { userPhone, activePhone }
  return {
    conversation: { channel: 'channel', tags, by: ['userPhone', 'activePhone'] },
    user: {
      tags: { userPhone },
      by: ['userPhone'],
      name: (name || userPhone).slice(0, 200),
    },
  }
}

/** Twilio has signed the request, so that it comes from this number; words and short codes are no numbers. */
const toPhones = (userPhone = ''): ArrivalAddress[] => {
  const address = userPhone.replace(/^whatsapp:/, '')
  return address.startsWith('+') ? [{ kind: 'phone', address, isVerified: true }] : []
}

async function readContents(
  context: Context,
  fields: URLSearchParams,
  sid: string,
): Promise<(Content & { id: string })[]> {
  const count = Math.min(Number(fields.get('NumMedia')) || 0, maxMedia)
  const media = Array.from({ length: count }, async (_, i) => {
    const id = `${sid}_media_${i}`
    const url = fields.get(`MediaUrl${i}`) ?? ''
    const contentType = fields.get(`MediaContentType${i}`) ?? 'application/octet-stream'
    return { id, ...(await toMedia(context, { id, url, contentType })) }
  })
  const text = fields.get('Body') ?? ''
  const location = toLocation(fields)
  return [
    ...(await Promise.all(media)),
    ...(location ? [{ id: `${sid}_location`, ...location }] : []),
    ...(text.trim() ? [{ id: sid, type: 'text', payload: { text } }] : []),
  ]
}

/** People share it on WhatsApp. */
function toLocation(fields: URLSearchParams): Content | null {
  const [latitude, longitude] = [
    Number(fields.get('Latitude')),
    Number(fields.get('Longitude')),
  ]
  if (!fields.get('Latitude') || !Number.isFinite(latitude + longitude)) return null
  const [address, title] = [fields.get('Address'), fields.get('Label')]
  const named = { ...(address && { address }), ...(title && { title }) }
  return { type: 'location', payload: { latitude, longitude, ...named } }
}

function toState(fields: URLSearchParams, id: string, query: string): Arrival[] {
  const activePhone = new URLSearchParams(query).get('sender') ?? fields.get('From')
  const place = toPlace({ userPhone: fields.get('To'), activePhone }, null)
  const state = fields.get('MessageStatus')
  if (!place) return []
  if (state === 'delivered' || state === 'read')
    return [{ ...place, receipt: { state, tags: { id } } }]
  if (state !== 'undelivered' && state !== 'failed') return []
  const error = explain(
    Number(fields.get('ErrorCode')) || 0,
    fields.get('ErrorMessage') ?? state,
  )
  const event = {
    type: 'messageFailed',
    payload: { messageTags: { id }, error },
    once: true,
  }
  return [{ ...place, event, failure: error }]
}
