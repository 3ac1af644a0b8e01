// Operations of members on channels, beside installing them: check settings, ask the provider whether it
// works, send a test message.
import {
  type Account,
  type ChannelEntry,
  ChannelError,
  type Configuration,
  channels,
} from '@botstead/channels'
import { ApiError } from '@botstead/contract'
import { schemas } from '../../core/compute/index.ts'
import { toOwnCodeUrl } from '../../core/delivery/index.ts'
import { newId } from '../../core/lib/index.ts'
import { conversationStore } from '../../core/messaging/index.ts'
import {
  findLatestConversation,
  isForged,
  listActivities,
  noteSent,
  type Sharing,
  storeAccount,
} from './activity.ts'
import { type OpenChannel, openChannel, openEntry } from './channel-context.ts'
import { withoutAlias } from './channel-host.ts'
import type { ConnectorKey } from './connectors.ts'
import {
  checkAccount,
  failed,
  registerChannel,
  SharedAccount,
  type StateDeps,
} from './registration.ts'

export interface ChannelTools {
  /** Checks settings that are not installed yet, under an alias that may be installed. */
  check(
    entry: ChannelEntry,
    place: ConnectorKey & { workspaceId: string },
    configuration: Configuration,
  ): Promise<CheckResult>
  /** Asks the provider whether the installed channel works, and records the answer. */
  verify(key: ConnectorKey): Promise<CheckResult>
  /** Sends a text to a conversation, and returns its id. Throws ApiError. */
  test(key: ConnectorKey, test: TestMessage): Promise<string>
}

export interface CheckResult {
  account: Account
  problem: string | SharedAccount | null
  /** Another installation has the account, too. */
  sharing: Sharing | null
}

interface TestMessage {
  text: string
  /** By default the newest conversation of the channel. */
  conversationId?: string | undefined
  /** Address of a person at the provider, instead. */
  to?: string | undefined
}

/** A person waits for it. */
const checkMs = 10_000
const sendMs = 20_000
const maxConfigurationLength = 20_000

const byName = new Map(channels.map((entry) => [entry.name, entry]))
const byUrl = new Map(channels.map((entry) => [toOwnCodeUrl(entry.name), entry]))

/** Throws ResourceNotFound. */
export function findEntry(name: string): ChannelEntry {
  const found = byName.get(name)
  if (found) return found
  const known = [...byName.keys()].join(', ')
  throw new ApiError(
    'ResourceNotFound',
    `The server has no channel "${name}". It has: ${known}`,
  )
}

/** Returns undefined for the URL of an integration that is no channel. */
export const entryAt = (url: string | null) => byUrl.get(url ?? '')

/** `deps` are read at each call: the services need the tools, too. */
export const openChannelTools = (deps: () => StateDeps): ChannelTools => ({
  check: (...what) => check(deps(), ...what),
  verify: (key) => verify(deps(), key),
  test: (key, message) => sendTest(deps(), key, message),
})

async function check(
  deps: StateDeps,
  entry: ChannelEntry,
  { botId, alias, workspaceId }: ConnectorKey & { workspaceId: string },
  configuration: Configuration,
): Promise<CheckResult> {
  if (JSON.stringify(configuration).length > maxConfigurationLength)
    throw new ApiError('LimitExceeded', 'A configuration must not exceed 20 kB')
  const mismatch = await schemas.findMismatch(
    botId,
    entry.definition.configuration.schema,
    configuration,
  )
  if (mismatch)
    return { account: {}, problem: explainMismatch(entry, mismatch), sharing: null }
  const installed = {
    alias,
    integrationId: '',
    webhookId: '',
    workspaceId,
    configuration,
  }
  const signal = AbortSignal.timeout(checkMs)
  const opened = await openEntry(deps, entry, { botId, installed }, signal)
  return settled(signal, () => checkAccount(deps, opened, workspaceId))
}

/** Names the setting as the page does. */
function explainMismatch({ definition }: ChannelEntry, mismatch: string): string {
  const [, name = '', fault] = /^\/(\w+) (.*)$/s.exec(mismatch) ?? []
  const { properties } = definition.configuration.schema as {
    properties: Record<string, { title?: string; description?: string; pattern?: string }>
  }
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (!property) return `The settings are not complete: ${mismatch}`
  const { title = name, description = '', pattern } = property
  if (pattern === undefined) return `The setting "${title}" (\`${name}\`) ${fault}.`
  const remedy =
    pattern === '^https?://' ? 'It begins with `http://` or `https://`.' : description
  return `The setting "${title}" (\`${name}\`) has another form. ${remedy}`
}

/** Returns the error of a provider as the problem. */
async function settled(
  signal: AbortSignal,
  ask: () => Promise<Pick<CheckResult, 'account' | 'sharing'>>,
): Promise<CheckResult> {
  try {
    const { account, sharing } = await inTime(signal, ask())
    return { account, sharing, problem: null }
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error
    const problem = error instanceof SharedAccount ? error : error.message
    return { account: {}, problem, sharing: null }
  }
}

/** Throws ChannelError ("unavailable") when the signal aborts: not all libraries do. */
const inTime = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      const late =
        'The provider did not answer in time. Check the addresses of the settings, and whether this ' +
        'server may reach them.'
      const fail = () => reject(new ChannelError('unavailable', late))
      signal.addEventListener('abort', fail, { once: true })
    }),
  ])

interface Opened extends OpenChannel {
  workspaceId: string
}

/** Throws ResourceNotFound if no enabled channel has the alias. */
async function openInstalled(
  deps: StateDeps,
  key: ConnectorKey,
  ms: number,
): Promise<Opened> {
  const installed = await deps.targets.integration(key.botId, key.alias)
  const signal = AbortSignal.timeout(ms)
  const opened =
    installed && (await openChannel(deps, { botId: key.botId, installed }, signal))
  if (opened && installed.enabled)
    return { ...opened, workspaceId: installed.workspaceId }
  throw new ApiError(
    'ResourceNotFound',
    `No enabled channel has the alias "${key.alias}": install it, or enable it`,
  )
}

async function verify(deps: StateDeps, key: ConnectorKey): Promise<CheckResult> {
  const opened = await openInstalled(deps, key, checkMs)
  const { channel, context } = opened
  let problem: string | null = null
  const result = await settled(context.signal, async () => {
    try {
      const checked = await checkAccount(deps, opened, opened.workspaceId)
      await channel.verify?.(context, { webhookUrl: context.webhookUrl })
      if (await lacksConnection(deps, opened, key))
        await registerChannel(deps, opened, opened.workspaceId, context.webhookUrl)
      const activity = (await listActivities(deps.db, key.botId)).get(key.alias)
      if (channel.isProvedByMessages && activity?.is_lasting) {
        problem = activity.error
        return checked
      }
      await storeAccount(deps.db, key, checked.digest, {
        ...checked.account,
        endsErrors: true,
      })
      // Only a connection itself reports that it works again.
      if (activity?.state !== 'failing') await deps.onState(key.botId, key.alias, null)
      problem = activity && isForged(activity) ? activity.forged : null
      return checked
    } catch (error) {
      return failed(deps, key, 'receiving', error)
    }
  })
  return { ...result, problem: result.problem ?? problem }
}

/** Registering has failed, so that no server connects. */
const lacksConnection = async (
  { db }: StateDeps,
  { channel, context }: Opened,
  { botId, alias }: ConnectorKey,
): Promise<boolean> =>
  (channel.usesConnection?.(context.configuration) ?? false) &&
  ((await listActivities(db, botId)).get(alias)?.state ?? null) === null

/** Sends at once, in no queue, so that the caller sees the answer of the provider. */
async function sendTest(
  deps: StateDeps,
  key: ConnectorKey,
  { text, ...wanted }: TestMessage,
): Promise<string> {
  const { channel, context } = await openInstalled(deps, key, sendMs)
  const opened = { channel, context }
  const id = newId('message')
  const payload = { text }
  const place = await explained(() => findPlace(deps, key, opened, wanted))
  let tags: Record<string, string> = {}
  await explained(async () => {
    const message = { id, type: 'text', payload, sentParts: 0 }
    const conversation = { id: place.id ?? '', channel: place.channel, tags: place.tags }
    const send = async () => {
      for await (const sent of channel.send(context, { ...message, conversation }))
        tags = { ...tags, ...sent.tags }
    }
    try {
      await inTime(context.signal, send())
    } catch (error) {
      await failed(deps, key, 'sending', error)
    }
  })
  const conversationId = place.id ?? (await context.host.openConversation(place))
  await context.host.storeSent(conversationId, { type: 'text', payload, tags })
  if (await noteSent(deps.db, key)) await deps.onState(key.botId, key.alias, null)
  return conversationId
}

interface Place {
  /** Null for a conversation that is not stored yet. */
  id: string | null
  channel: string
  tags: Record<string, string>
  by: string[]
}

/** Throws ApiError, and ChannelError for an address that the provider does not know. */
async function findPlace(
  deps: StateDeps,
  key: ConnectorKey,
  { channel, context }: Pick<OpenChannel, 'channel' | 'context'>,
  { conversationId, to }: Omit<TestMessage, 'text'>,
): Promise<Place> {
  if (to !== undefined) {
    if (!channel.toConversation)
      throw new ApiError(
        'InvalidPayload',
        'The provider admits no address in `to`: write to the bot first, and leave `to` out',
      )
    const place = await channel.toConversation(context, to.trim())
    return { id: null, ...place, by: Object.keys(place.tags) }
  }
  const id = conversationId ?? (await findLatestConversation(deps.db, key))
  if (id === null)
    throw new ApiError(
      'InvalidPayload',
      channel.toConversation
        ? 'The channel has no conversation yet: write to the bot first, or specify an address in `to`'
        : 'The channel has no conversation yet: write to the bot first',
    )
  const found = await conversationStore.find(deps.db, key.botId, id, key.alias)
  return { id, channel: found.channel, tags: withoutAlias(found.tags, key.alias), by: [] }
}

/** Throws an error of a provider as ApiError (`Runtime`). */
async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ChannelError) throw new ApiError('Runtime', error.message)
    throw error
  }
}
