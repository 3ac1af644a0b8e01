// The operations of an integration, as the code of a channel does them.
import { ChannelError, type ProviderRequest } from '@botstead/channels'
import { type HandlerResponse, InvocationFailed } from '@botstead/sandbox'
import type { OwnCall, OwnCode } from '../../core/delivery/index.ts'
import { conversationStore, messageStore, userStore } from '../../core/messaging/index.ts'
import { forgetForged, noteSent, releaseAccount } from './activity.ts'
import { storeArrivals } from './arrivals.ts'
import { type OpenChannel, openChannel } from './channel-context.ts'
import { withoutAlias } from './channel-host.ts'
import { endConnector } from './connectors.ts'
import { failed, registerChannel, type StateDeps } from './registration.ts'

interface CodeDeps extends StateDeps {
  /** A connection has begun or ended. */
  connectorsChanged: () => void
}

type Operation = (deps: CodeDeps, opened: OpenChannel, call: OwnCall) => Promise<Answer>
/** Either a response, or the value of one with the status 200. */
type Answer = HandlerResponse | { value: unknown }

/** Returns the code of all channels: the URL of the installed integration names the channel. */
export const createChannelCode =
  (deps: CodeDeps): OwnCode =>
  async (call) => {
    const operation = operations[call.operation]
    if (!operation)
      return toReply(501, { message: `Channels have no operation "${call.operation}"` })
    const signal = AbortSignal.timeout(call.timeoutMs)
    try {
      const opened = await openChannel(deps, call, signal)
      if (!opened) return toReply(501, { message: 'The server has no such channel' })
      const answer = await operation(deps, opened, call)
      return 'status' in answer ? answer : toReply(200, answer.value)
    } catch (error) {
      if (signal.aborted)
        throw new InvocationFailed('timeout', 'The provider did not answer in time')
      return toFailure(error, call.operation)
    }
  }

const toReply = (status: number, value: unknown): HandlerResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value ?? {}),
})

/** Throws InvocationFailed when the provider admits no more calls now. */
function toFailure(error: unknown, operation: string): HandlerResponse {
  if (!(error instanceof ChannelError)) throw error
  const { kind, message, retryAfterMs } = error
  if (kind === 'limited')
    throw new InvocationFailed('limited', message, retryAfterMs ?? 1_000)
  // A message is retried, and then a dead letter: with the right credentials, it can be sent again.
  const credentials = operation === 'message_created' ? 503 : 400
  const status = { forged: 401, unavailable: 503, credentials, rejected: 400 }[kind]
  return toReply(status, {
    code: status,
    type: status === 400 ? 'Runtime' : 'Unknown',
    message,
  })
}

const operations: Record<string, Operation | undefined> = {
  ping: async () => ({ value: {} }),

  async register(deps, opened, { installed, body }) {
    const { webhookUrl } = body as { webhookUrl: string }
    await registerChannel(deps, opened, installed.workspaceId, webhookUrl)
    deps.connectorsChanged()
    return { value: {} }
  },

  async unregister(deps, { channel, context }, { botId, installed }) {
    const key = { botId, alias: installed.alias }
    await endConnector(deps.db, key)
    await releaseAccount(deps.db, key)
    deps.connectorsChanged()
    await channel.unregister?.(context)
    return { value: {} }
  },

  async webhook_received(deps, { entry, channel, context }, { botId, installed, body }) {
    const { req } = body as { req?: ProviderRequest }
    // A larger one comes in pieces (core/delivery/api/webhooks/received.ts).
    if (!req) return toReply(413, { message: 'The request has more than 1 MB' })
    if (!channel.receive)
      return toReply(404, { message: 'The channel receives no requests' })
    const key = { botId, alias: installed.alias }
    const { arrivals, response } = await channel
      .receive(context, { ...req, body: req.body ?? '' })
      .catch((error) => failed(deps, key, 'receiving', error))
    const hasNoButtons = entry.hasNoButtons ?? false
    if (arrivals.length > 0) await storeArrivals(deps, { ...key, hasNoButtons }, arrivals)
    // A right request without a message, such as the question about the address, ends an earlier wrong one.
    else if ((response?.status ?? 200) === 200) await forgetForged(deps.db, key)
    return { status: 200, headers: {}, body: '', ...response }
  },

  message_created: (deps, opened, call) => sendMessage(deps, opened, call),

  async action_triggered(_, { channel, context }, { body }) {
    const { type, input } = body as { type: string; input: Record<string, unknown> }
    const action = channel.actions?.[type]
    if (!action) return toReply(404, { message: `The channel has no action "${type}"` })
    return { value: { output: await action(context, input) } }
  },

  /** The provider creates neither: an id that it knows is enough to write to a person. */
  async create_conversation({ db }, { entry }, { botId, installed, body }) {
    const { channel, tags } = body as { channel: string; tags: Record<string, string> }
    const { alias } = installed
    const wanted = { integration: alias, channel, tags }
    const by =
      entry.definition.channels[channel]?.conversation.creation?.requiredTags ?? []
    const { row } = await conversationStore.getOrCreate(db, botId, alias, wanted, by)
    return { value: { conversation: { id: row.id } } }
  },

  async create_user({ db }, { entry }, { botId, installed, body }) {
    const { tags } = body as { tags: Record<string, string> }
    const { alias } = installed
    const by = entry.definition.user.creation?.requiredTags ?? []
    const { row } = await userStore.getOrCreate(
      db,
      botId,
      alias,
      { integration: alias, tags },
      by,
    )
    return { value: { user: { id: row.id } } }
  },
}

interface Created {
  type: string
  payload: Record<string, unknown>
  message: { id: string }
  conversation: { id: string; channel: string; tags: Record<string, string> }
}

/**
 * Sends the parts that an earlier attempt has not. The tag `parts` counts them: a crash between the answer of
 * the provider and the tag repeats one part, unless the channel gives it an id that the provider recognises.
 */
async function sendMessage(
  deps: CodeDeps,
  { channel, context }: OpenChannel,
  { botId, installed: { alias }, body }: OwnCall,
): Promise<Answer> {
  const { db } = deps
  const { type, payload, message, conversation } = body as Created
  let row = await messageStore.find(db, botId, message.id, alias)
  let parts = Number(withoutAlias(row.tags, alias).parts ?? 0)
  const outgoing = { id: message.id, type, payload, conversation, sentParts: parts }
  try {
    for await (const sent of channel.send(context, outgoing)) {
      if (!sent.isPlanned) parts++
      const tags = { ...sent.tags, ...(parts > 0 && { parts: String(parts) }) }
      // The definition of a channel declares its tags.
      row = await messageStore.applyChange(db, row, alias, { tags })
    }
  } catch (error) {
    return failed(deps, { botId, alias }, 'sending', error)
  }
  if (await noteSent(db, { botId, alias })) await deps.onState(botId, alias, null)
  return { value: {} }
}
