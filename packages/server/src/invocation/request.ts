// What a bot or an integration is sent: identity and configuration in headers, the operation's payload in the body, as the SDK reads them.
import type { HandlerRequest } from '../sandbox/sandbox.ts'
import { Pieces } from './pieces.ts'

export interface BotAddressee {
  botId: string
  /** The user that the bot writes as. */
  botUserId: string
  /** Shaped like a state, because that is what the SDK and the ADK take it for. Dates in ISO 8601. */
  configuration: { id: string; createdAt: string; updatedAt: string; data: Record<string, unknown> }
  tags: Record<string, string>
}

export interface IntegrationAddressee {
  botId: string
  botUserId: string
  /** Of the version that is installed. */
  integrationId: string
  alias: string
  webhookId: string
  configuration: Record<string, unknown>
  /** A named configuration; null for the default one. */
  configurationType: string | null
}

export interface Operation {
  operation: string
  /** What the operation is about: for an event its type, or `message_created` and the like. By default the operation's own name. */
  type?: string
  /** Absent for `ping` and the like. Pieces where it is too large to be a value. */
  body?: unknown
}

export function botRequest(bot: BotAddressee, operation: Operation): HandlerRequest {
  return post(operation.body, {
    'x-bp-operation': operation.operation,
    'x-bp-type': operation.type || operation.operation,
    ...identityOf(bot),
  })
}

/** The same for every call of a bot, as long as it stays what it is: a message costs no second encoding. */
const identities = new WeakMap<BotAddressee, Record<string, string>>()
function identityOf(bot: BotAddressee): Record<string, string> {
  const known = identities.get(bot)
  if (known) return known
  const { data, ...state } = bot.configuration
  const identity = {
    'x-bot-id': bot.botId,
    'x-bot-user-id': bot.botUserId,
    'x-bp-configuration': base64({ ...state, type: 'bot', payload: JSON.stringify(data) }),
    'x-bp-tags': base64(bot.tags),
  }
  identities.set(bot, identity)
  return identity
}

/** The type of an operation is in its body: integrations read no header for it. */
export function integrationRequest(
  integration: IntegrationAddressee,
  operation: Omit<Operation, 'type'>,
): HandlerRequest {
  return post(operation.body, {
    'x-bot-id': integration.botId,
    'x-bot-user-id': integration.botUserId,
    'x-integration-id': integration.integrationId,
    'x-integration-alias': integration.alias,
    'x-webhook-id': integration.webhookId,
    'x-bp-operation': operation.operation,
    'x-bp-configuration': base64(integration.configuration),
    // Absent, not empty: the SDK would take the empty text for a name.
    ...(integration.configurationType && { 'x-bp-configuration-type': integration.configurationType }),
  })
}

function post(body: unknown, headers: Record<string, string>): HandlerRequest {
  const content = body instanceof Pieces ? { pieces: body } : { body: JSON.stringify(body ?? {}) }
  return {
    method: 'POST',
    path: '/',
    query: '',
    headers: { 'content-type': 'application/json', ...headers },
    ...content,
  }
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
