// Visitors of a page with a webchat: their users and keys.
import { ApiError } from '@botstead/contract'
import { sameText } from '@botstead/lib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { redactStored } from '../../../compute/index.ts'
import { type Caller, type HttpServices, rateLimits } from '../../../http/index.ts'
import { publicId } from '../../chat/chat-ids.ts'
import { lookUpUser, type NamedUser } from '../../chat/chat-lookups.ts'
import type { MessagingServices } from '../../services.ts'
import { createUser } from '../../users.ts'
import { createKeyUser, noteSigned } from '../chat/users.ts'

type Own = HttpServices & MessagingServices

interface Visitor {
  user: NamedUser
  key: string
  caller: Caller<'chatUser'>
}

interface Profile {
  name?: string | undefined
  pictureUrl?: string | undefined
  userData?: Record<string, unknown> | string | null | undefined
  attributes?: Record<string, string | null> | string | undefined
}

type Values = Record<string, unknown>

/**
 * Returns whether the request has the admin secret. Throws Unauthorized for a wrong one; ignores it
 * if the integration has none.
 */
export async function isAdmin(
  services: Own,
  { adminSecret }: Caller<'chat'>,
  request: FastifyRequest,
): Promise<boolean> {
  const sent = request.headers['x-admin-secret']
  if (typeof sent !== 'string' || sent === '' || adminSecret === '') return false
  const isRight = async () => sameText(sent, adminSecret) || null
  if (await rateLimits.lookUpGuarded(services, request, isRight)) return true
  throw new ApiError('Unauthorized', 'The admin secret in `x-admin-secret` is invalid')
}

/** Creates a user with a key. Throws Unauthorized if only the owner of the bot may create users. */
export async function createVisitor(
  services: Own,
  chat: Caller<'chat'>,
  request: FastifyRequest,
  profile: Profile = {},
): Promise<Visitor> {
  const isPermitted =
    (await isAdmin(services, chat, request)) || chat.encryptionKey === ''
  if (!isPermitted)
    throw new ApiError(
      'Unauthorized',
      'This bot has its own encryption key: send a user key that is signed with it, or the admin ' +
        'secret',
    )
  const { botId, alias } = chat
  const user = await createUser(services.db, botId, alias, {
    ...(await toUserChange(services, chat, profile)),
    integration: alias,
  })
  const key = await services.userKeys.make(chat, publicId(user))
  return {
    user,
    key,
    caller: { ...chat, claim: publicId(user), isIssued: true, signedAddresses: [] },
  }
}

/**
 * Returns the user of the key. A stale key gets a new user instead of an error, after which the
 * webchat would show nothing.
 */
export async function findVisitor(
  services: Own,
  chat: Caller<'chat'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visitor> {
  const create = () => {
    rateLimits.countChatUser(services, chat, request, reply)
    return createVisitor(services, chat, request)
  }
  const key = request.headers['x-user-key']
  const read =
    typeof key === 'string' && key !== ''
      ? await rateLimits.lookUpGuarded(services, request, () =>
          services.userKeys.read(chat, key),
        )
      : null
  if (!read) return create()
  const caller = { ...chat, ...read }
  const known = await lookUpUser(services.database, chat.botId, read.claim)
  const user = known ?? (read.isIssued ? null : await createSigned(services, caller))
  if (user) await noteSigned(services, caller, user.id)
  return user ? { user, key: key as string, caller } : create()
}

/** Returns null if the claim of the key cannot be the id of a new user. */
const createSigned = (
  services: Own,
  caller: Caller<'chatUser'>,
): Promise<NamedUser | null> =>
  createKeyUser(services, caller, {}).catch((error) => {
    if (error instanceof ApiError && error.type === 'InvalidPayload') return null
    throw error
  })

const maxProfileBytes = 65_536
const maxAttributes = 100

/**
 * Verifies signed values, and redacts for the storage. Throws InvalidPayload, LimitExceeded.
 */
export async function toUserChange(
  { userKeys, getRedactors }: Own,
  chat: Caller<'chat'>,
  { name, pictureUrl, userData, attributes }: Profile,
  before: Values = {},
) {
  const open = async <Value>(value: Value | string, field: string): Promise<Value> => {
    if (typeof value !== 'string') return value
    const claims = await userKeys.readClaims(chat, value)
    if (claims) return claims as Value
    throw new ApiError(
      'InvalidPayload',
      `\`${field}\` is not a JWT (HS256) that is signed with the encryption key or the admin secret`,
    )
  }
  const sent = {
    data: await open(userData, 'userData'),
    attributes: toAttributes(await open(attributes, 'attributes')),
  }
  checkSize(sent.data, 'userData')
  checkSize(sent.attributes, 'attributes')
  const count = Object.keys({ ...before, ...sent.attributes }).length
  if (count > maxAttributes)
    throw new ApiError('LimitExceeded', `A user has at most ${maxAttributes} attributes`)
  return { name, pictureUrl, ...(await redactStored(getRedactors, chat.botId, sent)) }
}

/** Claims of a JWT may have any type. */
function toAttributes<Attributes extends Record<string, string | null> | undefined>(
  values: Attributes,
): Attributes {
  for (const [name, value] of Object.entries(values ?? {}))
    if (typeof value !== 'string' && value !== null)
      throw new ApiError(
        'InvalidPayload',
        `\`attributes/${name.slice(0, 50)}\` must be a text`,
      )
  return values
}

function checkSize(value: unknown, field: string) {
  const bytes = value ? Buffer.byteLength(JSON.stringify(value)) : 0
  if (bytes > maxProfileBytes)
    throw new ApiError(
      'LimitExceeded',
      `\`${field}\` may have at most ${maxProfileBytes} bytes as JSON, not ${bytes}`,
    )
}
