// Authentication: turns credentials and context headers into a caller, or fails with 401, 403 or
// 404, before the body is read.
import type { IncomingMessage } from 'node:http'
import {
  ApiError,
  findWorkspaceParameter,
  listBotParameters,
  may,
  type Operation,
  type Permission,
  permissions,
  type Role,
} from '@botstead/contract'
import type { FastifyRequest } from 'fastify'
import type { Section } from '../../config/index.ts'
import { causeHeader, lookUpGuarded, parseCause } from '../limits/rate-limits.ts'
import type { HttpServices } from '../services.ts'
import type {
  BotCaller,
  CallerToken,
  ChatCaller,
  ChatUserCaller,
  TokenCaller,
  WorkspaceCaller,
} from './callers.ts'
import { findLentCaller } from './lent-callers.ts'
import { noBot } from './visible-bots.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The key under which the caller's requests are counted; null until a valid credential is
     * found.
     */
    credential: string | null
    /** The id of the token that was sent. */
    tokenId: string | null
    /** The id of the session of a request with a valid cookie. */
    sessionId: string | null
    /** The `set-cookie` header that the response should have. */
    newCookie: string | null
  }
}

/** The header with which the cookie of a session counts. */
export const sessionHeader = 'x-botstead-session'

/** `permission` is required of people only. */
type Guarded = Pick<
  Operation,
  | 'access'
  | 'path'
  | 'query'
  | 'body'
  | 'permission'
  | 'workspaceOptional'
  | 'botOptional'
>

export async function admit(
  services: HttpServices,
  operation: Guarded,
  request: FastifyRequest,
): Promise<unknown> {
  switch (operation.access) {
    case 'public':
      return null
    case 'token':
      return tokenCaller(await findToken(services, request))
    case 'account':
      return accountCaller(await findToken(services, request))
    case 'workspace':
      return workspaceCaller(services, operation, request)
    case 'bot':
      return botCaller(services, operation, request)
    case 'chat':
      return chatCaller(services, request)
    case 'chatUser':
      return chatUserCaller(services, request, header(request, 'x-user-key'))
  }
}

const header = (request: FastifyRequest, name: string) => {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const findParameter = (request: FastifyRequest, name: string | undefined) =>
  name === undefined ? undefined : (request.params as Record<string, string>)[name]

/** The only place that turns a session's cookie into a caller, like a personal access token. */
async function findToken(
  services: HttpServices,
  request: FastifyRequest,
): Promise<CallerToken> {
  if (request.headers[sessionHeader] !== undefined)
    return services.accounts.verifySession(services, request)
  const { callers } = services
  const value = /^bearer +(\S+)$/i.exec(getAuthorization(request) ?? '')?.[1]
  const lent = value === undefined ? undefined : findLentCaller(value)
  if (lent) {
    request.credential = lent.hash
    return lent
  }
  const token =
    value &&
    (await lookUpGuarded(
      services,
      request,
      () => callers.token(value),
      () => callers.knownToken(value),
    ))
  if (!token)
    throw new ApiError(
      'Unauthorized',
      'Send a valid token: `authorization: Bearer <token>`',
    )
  request.credential = token.hash
  request.tokenId = token.id
  return token
}

/**
 * Node silently keeps the first of two `authorization` headers; a proxy in front may have checked
 * the other.
 */
function getAuthorization({
  raw: { rawHeaders, headers },
}: FastifyRequest): string | undefined {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 13 && rawHeaders[i]!.toLowerCase() === 'authorization')
      count++
  return count > 1 ? undefined : headers.authorization
}

const tokenCaller = ({
  accountId,
  botId,
  integrationId,
  workspaceId,
}: CallerToken): TokenCaller => ({
  accountId,
  botId,
  integrationId,
  workspaceId,
})

function accountCaller({ accountId }: CallerToken) {
  if (!accountId)
    throw new ApiError('Forbidden', 'This operation requires a personal access token')
  return { accountId }
}

/**
 * A workspace in the path takes precedence; a header must still name one of the caller's
 * workspaces.
 */
async function workspaceCaller(
  services: HttpServices,
  operation: Guarded,
  request: FastifyRequest,
): Promise<WorkspaceCaller> {
  const { accountId } = accountCaller(await findToken(services, request))
  const roleIn = (workspaceId: string) => services.callers.role(workspaceId, accountId)
  const inPath = findParameter(request, findWorkspaceParameter(operation))
  const inHeader =
    header(request, 'x-workspace-id') ??
    (operation.workspaceOptional && (await services.callers.onlyWorkspace(accountId))) ??
    undefined
  if (inHeader === undefined ? inPath === undefined : !(await roleIn(inHeader)))
    throw new ApiError(
      'Unauthorized',
      '`x-workspace-id` must be the id of a workspace that you are a member of',
    )
  const workspaceId = inPath ?? inHeader!
  const role = await roleIn(workspaceId)
  if (!role)
    throw new ApiError('ResourceNotFound', `Workspace "${workspaceId}" was not found`)
  // set before the check below, so that a rejection is recorded with its caller
  const caller = { accountId, workspaceId, role }
  request.caller = caller
  permitted(role, operation.permission)
  return caller
}

/**
 * Checks the caller of a long response again. Throws if the credential, the membership or the
 * permission has ended. Does not count as a use of a session, which may have a newer cookie by now.
 */
async function readmit(
  services: HttpServices,
  { permission }: Pick<Guarded, 'permission'>,
  request: FastifyRequest,
): Promise<WorkspaceCaller> {
  const { accountId, workspaceId } = request.caller as WorkspaceCaller
  if (request.sessionId === null) await findToken(services, request)
  else if (!(await services.accounts.hasSession(services.db, request.sessionId)))
    throw new ApiError('Unauthorized', 'The session has ended: sign in again')
  const role = await services.callers.role(workspaceId, accountId)
  if (!role)
    throw new ApiError('ResourceNotFound', `Workspace "${workspaceId}" was not found`)
  permitted(role, permission)
  return { accountId, workspaceId, role }
}

function permitted(role: Role, permission: Permission | undefined) {
  if (!permission || may(role, permission)) return
  throw new ApiError(
    'Forbidden',
    `This operation requires the permission ${permission} (${permissions[permission].join(', ')}); ` +
      `your role is ${role}`,
  )
}

async function botCaller(
  services: HttpServices,
  operation: Guarded,
  request: FastifyRequest,
): Promise<BotCaller> {
  const token = await findToken(services, request)
  const inHeader = header(request, 'x-bot-id')
  const inPath = findParameter(request, listBotParameters(operation)[0])
  if (inPath !== undefined && inHeader !== undefined && inHeader !== inPath)
    throw new ApiError(
      'Forbidden',
      '`x-bot-id` names another bot than the path: leave it out',
    )
  const botId = inPath ?? inHeader ?? (operation.botOptional && token.botId)
  if (!botId)
    throw new ApiError('InvalidPayload', "Send the bot's id in the header `x-bot-id`")
  return callerInside(services, operation, request, token, botId)
}

/** Returns the same caller in another bot, for requests that involve two bots. */
const callerInOtherBot = async (
  services: HttpServices,
  permission: Permission,
  request: FastifyRequest,
  botId: string,
): Promise<BotCaller> =>
  callerInside(
    services,
    { permission },
    request,
    await findToken(services, request),
    botId,
  )

async function callerInside(
  services: HttpServices,
  { permission }: Pick<Guarded, 'permission'>,
  request: FastifyRequest,
  token: CallerToken,
  botId: string,
) {
  if (token.botId && token.botId !== botId)
    throw new ApiError(
      'Forbidden',
      'This key belongs to a different bot: check the id of the bot',
    )
  const workspaceId = await services.callers.workspace(botId)
  const role =
    workspaceId && token.accountId
      ? await services.callers.role(workspaceId, token.accountId)
      : null
  if (!workspaceId || (token.accountId && !role)) throw noBot(botId)
  const member = role && { accountId: token.accountId!, workspaceId, role }
  if (member) {
    if (await services.callers.isHidden(botId, member)) throw noBot(botId)
    permitted(member.role, permission)
  }
  const integration = await findCallingIntegration(services, request, token, {
    id: botId,
    workspaceId,
  })
  // An agent could otherwise change the tags by which an integration finds its conversations.
  if (integration && member) permitted(member.role, 'data.read')
  const marked = header(request, causeHeader)
  const links = marked ? parseCause(marked) : unmarked
  return {
    botId,
    workspaceId,
    integration,
    account: member && { accountId: member.accountId, role: member.role },
    ...links,
    tracedEvent: member || header(request, ownTraceHeader) ? null : links.cause,
    fence: readFence(request),
  }
}

/** The flow engine sends it: its traces show its calls as steps. */
const ownTraceHeader = 'x-botstead-own-trace'

const unmarked = { cause: null, run: null }

const workerId = /^worker_[0-9A-Z]{26}$/

/**
 * Returns the worker that holds the lease for this call of hosted code; the code's host sets the
 * header. Throws InvalidPayload if it is malformed.
 */
function readFence(request: FastifyRequest): string | null {
  const fence = header(request, 'x-botstead-fence') ?? null
  if (fence === null || workerId.test(fence)) return fence
  throw new ApiError(
    'InvalidPayload',
    'The header `x-botstead-fence` is not the id of a worker: leave it out',
  )
}

/**
 * Finds the integration by alias, or by its version's id for older clients. An integration key
 * always acts as an integration.
 */
async function findCallingIntegration(
  { callers }: HttpServices,
  request: FastifyRequest,
  token: CallerToken,
  bot: { id: string; workspaceId: string },
) {
  const alias = header(request, 'x-integration-alias')
  const id = header(request, 'x-integration-id')
  if (!token.integrationId && !alias && !id) return null
  if (token.botId)
    throw new ApiError(
      'Forbidden',
      "A bot's key cannot act as an integration: use an integration key",
    )
  const found = await callers.installation(bot.id, {
    alias,
    id: id ?? token.integrationId ?? undefined,
  })
  const isElsewhere = token.workspaceId !== null && token.workspaceId !== bot.workspaceId
  if (
    !found ||
    isElsewhere ||
    (token.integrationId && found.integrationId !== token.integrationId)
  )
    throw new ApiError('Forbidden', 'This integration is not installed in this bot')
  return { id: found.integrationId, alias: found.alias, name: found.name }
}

async function chatCaller(
  { callers, config }: HttpServices,
  request: FastifyRequest,
): Promise<ChatCaller> {
  const { webhookId } = request.params as { webhookId: string }
  const chat = await callers.chat(webhookId)
  if (!chat) throw new ApiError('ResourceNotFound', 'There is no chat at this address')
  rejectOrigin(config, chat, request.raw)
  return chat
}

/** Throws Forbidden for a page of an origin that the chat does not allow. */
function rejectOrigin(
  { publicUrl }: Section<'http'>,
  { allowedOrigins }: ChatCaller,
  { headers: { origin, host } }: IncomingMessage,
) {
  if (allowedOrigins.length === 0 || !origin || allowedOrigins.includes(origin)) return
  // The server's own pages.
  if (origin === publicUrl || origin.replace(/^https?:\/\//, '') === host) return
  throw new ApiError(
    'Forbidden',
    `The website "${origin.slice(0, 100)}" is not one of the allowed websites of this chat: add it in ` +
      'the dashboard under "Webchat", "Allowed websites" (`allowedOrigins` of the integration)',
  )
}

/**
 * `key` comes from a header, or from the query of a WebSocket: browsers cannot set headers there.
 */
async function chatUserCaller(
  services: HttpServices,
  request: FastifyRequest,
  key: string | undefined,
): Promise<ChatUserCaller> {
  const chat = await chatCaller(services, request)
  // User keys are verified by signature, without the database.
  const user =
    key &&
    (await lookUpGuarded(services, request, () => services.userKeys.read(chat, key)))
  if (!user)
    throw new ApiError(
      'Unauthorized',
      'The user key is invalid: get a new one with `createUser` or `getOrCreateUser`',
    )
  request.credential = `${chat.webhookId} ${user.claim}`
  return { ...chat, ...user }
}

/** Callers of requests, by their credentials. */
export const authentication = {
  admit,
  findInOtherBot: callerInOtherBot,
  findChatUser: chatUserCaller,
  readmit,
}
