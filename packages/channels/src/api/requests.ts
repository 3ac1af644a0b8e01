// Requests of the app: messages of people, and what else they do.
import { messageSchemas } from '@botstead/contract'
import { type Arrival, ChannelError } from '../channel.ts'
import { readJson } from '../provider-calls.ts'

type Body = Record<string, unknown>

/** As tags of the server. */
const maxId = 500

/** Reads a request. A repetition has the same id. Throws ChannelError ("rejected") that names the field. */
export function readRequest(text: string, requestId: string): Arrival[] {
  const body = readJson(text)
  const conversationId = readId(body, 'conversationId')
  const place = {
    conversation: { channel: 'channel', tags: { id: conversationId }, by: ['id'] },
    user: { tags: { id: readId(body, 'userId') }, by: ['id'], ...readPerson(body) },
  }
  if (body.event !== undefined)
    return [{ ...place, ...readEvent(body, conversationId, requestId) }]
  return [{ ...place, message: readMessage(body, conversationId) }]
}

function fail(message: string): never {
  throw new ChannelError('rejected', message)
}

function readId(body: Body, field: string): string {
  const value = body[field]
  if (typeof value === 'string' && value !== '' && value.length <= maxId) return value
  return fail(`Specify \`${field}\`: a string of 1 to ${maxId} characters`)
}

function readPerson({ userName, userPictureUrl }: Body) {
  for (const [field, value] of Object.entries({ userName, userPictureUrl }))
    if (value !== undefined && typeof value !== 'string')
      fail(`\`${field}\` must be a string`)
  return {
    ...(userName ? { name: String(userName) } : {}),
    ...(userPictureUrl ? { pictureUrl: String(userPictureUrl) } : {}),
  }
}

function readMessage(
  body: Body,
  conversationId: string,
): NonNullable<Arrival['message']> {
  const { type } = body
  if (typeof type !== 'string' || !Object.hasOwn(messageSchemas, type))
    return fail(`\`type\` must be one of ${Object.keys(messageSchemas).join(', ')}`)
  const tags = { id: readId(body, 'messageId'), conversationId }
  const payload = readObject(body, 'payload')
  checkFields(payload, messageSchemas[type]?.schema as unknown as PayloadSchema)
  return { type, payload, tags, by: ['id', 'conversationId'] }
}

interface PayloadSchema {
  required: string[]
  properties: Record<string, { type?: string; minLength?: number }>
}

/** Checks the required fields of a payload; bots read the others leniently. */
function checkFields(
  payload: Record<string, unknown>,
  { required, properties }: PayloadSchema,
) {
  for (const name of required) {
    const value = payload[name]
    const type = Array.isArray(value) ? 'array' : typeof value
    const { type: expected, minLength = 0 } = properties[name] ?? {}
    if (type !== expected || (typeof value === 'string' && value.length < minLength))
      fail(
        `Specify \`payload.${name}\`: a ${minLength > 0 ? 'non-empty ' : ''}${expected}`,
      )
  }
}

function readObject(body: Body, field: string): Record<string, unknown> {
  const value = body[field]
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  return fail(`Specify \`${field}\`: an object`)
}

type Happening = Pick<Arrival, 'event' | 'receipt'>

const readReaction = (body: Body) => ({ reaction: readId(body, 'reaction') })

/** Fields of events about a message, besides the message and the person. */
const messageFields: Record<string, (body: Body) => Record<string, unknown>> = {
  messageEdited: (body) => ({ payload: readObject(body, 'payload') }),
  messageDeleted: () => ({}),
  reactionAdded: readReaction,
  reactionRemoved: readReaction,
}
const typingEvents = ['typingStarted', 'typingStopped']
const receipts = ['delivered', 'read'] as const

function readEvent(body: Body, conversationId: string, eventId: string): Happening {
  const { event } = body
  const receipt = receipts.find((state) => state === event)
  // The bot's messages have the ids that this server gave them.
  if (receipt)
    return { receipt: { state: receipt, tags: { id: readId(body, 'messageId') } } }
  const userId = readId(body, 'userId')
  if (typingEvents.includes(String(event)))
    return { event: { type: String(event), payload: { userId, eventId }, once: true } }
  if (typeof event !== 'string' || !Object.hasOwn(messageFields, event)) {
    const all = [...Object.keys(messageFields), ...typingEvents, ...receipts]
    return fail(`\`event\` must be one of ${all.join(', ')}`)
  }
  const payload = {
    messageTags: { id: readId(body, 'messageId'), conversationId },
    userTags: { id: userId },
    ...messageFields[event]?.(body),
    eventId,
  }
  return { event: { type: event, payload, once: true } }
}
