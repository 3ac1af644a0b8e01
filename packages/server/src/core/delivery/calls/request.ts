// Builds requests to bots and integrations as the SDK reads them: identity and configuration in
// headers, the operation's payload in the body.
import type { HandlerRequest } from '@botstead/sandbox'
import { Pieces } from '@botstead/sandbox'

export interface BotAddressee {
  botId: string
  /** The user as which the bot writes. */
  botUserId: string
  /** Shaped like a state, as the SDK and the ADK expect. Dates are in ISO 8601. */
  configuration: {
    id: string
    createdAt: string
    updatedAt: string
    data: Record<string, unknown>
  }
  tags: Record<string, string>
}

interface IntegrationAddressee {
  botId: string
  botUserId: string
  /** Id of the installed version. */
  integrationId: string
  alias: string
  webhookId: string
  configuration: Record<string, unknown>
  /** The name of a configuration type; null for the default one. */
  configurationType: string | null
}

interface HandlerOperation {
  operation: string
  /**
   * The subject of the operation: an event's type, or `message_created` and the like. Default: the
   * operation's name.
   */
  type?: string
  /** Absent for `ping` and the like. `Pieces` if it is too long for a JavaScript string. */
  body?: unknown
}

export function botRequest(
  bot: BotAddressee,
  operation: HandlerOperation,
): HandlerRequest {
  return post(operation.body, {
    'x-bp-operation': operation.operation,
    'x-bp-type': operation.type || operation.operation,
    ...getIdentity(bot),
  })
}

/** Caches the headers per addressee, so that a message does not encode them again. */
const identities = new WeakMap<BotAddressee, Record<string, string>>()
function getIdentity(bot: BotAddressee): Record<string, string> {
  const known = identities.get(bot)
  if (known) return known
  const { data, ...state } = bot.configuration
  const identity = {
    'x-bot-id': bot.botId,
    'x-bot-user-id': bot.botUserId,
    'x-bp-configuration': base64({
      ...state,
      type: 'bot',
      payload: JSON.stringify(data),
    }),
    'x-bp-tags': base64(bot.tags),
  }
  identities.set(bot, identity)
  return identity
}

/** Sends no type header: integrations read an operation's type from the body. */
export function integrationRequest(
  integration: IntegrationAddressee,
  operation: Omit<HandlerOperation, 'type'>,
): HandlerRequest {
  return post(operation.body, {
    'x-bot-id': integration.botId,
    'x-bot-user-id': integration.botUserId,
    'x-integration-id': integration.integrationId,
    'x-integration-alias': integration.alias,
    'x-webhook-id': integration.webhookId,
    'x-bp-operation': operation.operation,
    'x-bp-configuration': base64(integration.configuration),
    // Absent instead of empty: the SDK would treat an empty text as a name.
    ...(integration.configurationType && {
      'x-bp-configuration-type': integration.configurationType,
    }),
  })
}

function post(body: unknown, headers: Record<string, string>): HandlerRequest {
  const content =
    body instanceof Pieces ? { pieces: body } : { body: JSON.stringify(body ?? {}) }
  return {
    method: 'POST',
    path: '/',
    query: '',
    headers: { 'content-type': 'application/json', ...headers },
    ...content,
  }
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
