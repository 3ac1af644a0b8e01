// Which account an installed channel has, and whether it works. Invariant: at most one enabled installation
// of a workspace has an account, because most providers send each message to one receiver only.
import { createHmac } from 'node:crypto'
import { type Account, ChannelError } from '@botstead/channels'
import type { Db } from '../../core/db/index.ts'
import {
  findSharing,
  listActivities,
  noteFailure,
  noteForged,
  releaseAccount,
  type Sharing,
  storeAccount,
  storeConfiguration,
} from './activity.ts'
import type { OpenChannel } from './channel-context.ts'
import { addConnector, type ConnectorKey, endConnector, toDigest } from './connectors.ts'
import type { ChannelDeps } from './deps.ts'
import { requirePublicAddress } from './public-address.ts'

export interface StateDeps extends ChannelDeps {
  /** The channel works again (null), or does not for a reason. */
  onState: (botId: string, alias: string, reason: string | null) => Promise<void>
}

/** Another installation of the workspace has the account. */
export class SharedAccount extends ChannelError {
  readonly sharing: ConnectorKey
  constructor(sharing: ConnectorKey, botId: string) {
    super('rejected', explainShared(sharing, botId, null))
    this.sharing = sharing
  }
}

interface CheckedAccount {
  account: Account
  digest: string | null
  sharing: Sharing | null
}

/** Checks address, credentials and account, and changes nothing. Throws ChannelError. */
export async function checkAccount(
  { db, publicUrl }: Pick<ChannelDeps, 'db' | 'publicUrl'>,
  { entry, channel, context }: OpenChannel,
  workspaceId: string,
): Promise<CheckedAccount> {
  const { configuration } = context
  if (channel.needsPublicAddress?.(configuration))
    requirePublicAddress(entry, publicUrl())
  const account = await channel.check(context)
  const opened = { entry, channel, context }
  const digest = toAccountDigest(opened, workspaceId)
  const sharing =
    digest === null ? null : await checkSharing(db, workspaceId, opened, digest)
  return { account, digest, sharing }
}

/**
 * Returns the digest by which connections of one account find each other. A member learns that another
 * workspace has the account only after a proof of it. An API server that the member runs proves nothing,
 * so the addresses of the settings are part of the digest. Without a proof, the workspace is.
 */
function toAccountDigest(
  { entry: { name, definition }, channel, context: { configuration } }: OpenChannel,
  workspaceId: string,
): string | null {
  const account = channel.toAccount?.(configuration) ?? null
  if (account === null) return null
  const { properties } = definition.configuration.schema as {
    properties: Record<string, { pattern?: string }>
  }
  const addresses = Object.entries(properties).flatMap(([setting, { pattern }]) =>
    pattern === '^https?://' && configuration[setting]
      ? [String(configuration[setting])]
      : [],
  )
  const unproved = channel.isProvedByMessages ? [workspaceId] : []
  return toDigest([name, account, ...addresses, ...unproved].join(' '))
}

/** Returns who else has the account. Throws SharedAccount. */
async function checkSharing(
  db: Db,
  workspaceId: string,
  { channel, context: { installation } }: OpenChannel,
  digest: string,
): Promise<Sharing | null> {
  const sharing = await findSharing(db, workspaceId, installation, digest)
  if (sharing && sharing !== 'elsewhere' && !channel.mayShareAccount)
    throw new SharedAccount(sharing, installation.botId)
  return sharing
}

/** `name`: of the other bot, for members who may see it. */
const toPlace = (other: ConnectorKey, botId: string, name: string | null) =>
  other.botId === botId
    ? `This bot uses the same account under the alias "${other.alias}"`
    : `${name === null ? 'Another bot' : `The bot "${name}"`} of this workspace uses the same account`

/** `name` as in `toPlace`. */
export const explainShared = (
  sharing: ConnectorKey,
  botId: string,
  name: string | null,
) =>
  `${toPlace(sharing, botId, name)}, and only one of them receives a message. Disable or remove the ` +
  'channel there, or use another account.'

/** `name` as in `toPlace`. */
export const toSharingWarning = (
  sharing: Sharing,
  botId: string,
  name: string | null,
): string =>
  sharing === 'elsewhere'
    ? 'Another connection of this server uses the same account, and only one of them may receive a ' +
      'message. Use another account, or find out who else has its credentials.'
    : `${toPlace(sharing, botId, name)}. Compare which of them is to receive its messages.`

/**
 * Checks as `checkAccount`, and stores the account. If two installations take it at the same time, at least
 * one fails. Throws ChannelError.
 */
async function takeAccount(
  deps: ChannelDeps,
  opened: OpenChannel,
  workspaceId: string,
): Promise<void> {
  const { installation } = opened.context
  const { digest, account } = await checkAccount(deps, opened, workspaceId)
  const isOther = await storeConfiguration(
    deps.db,
    installation,
    toConfigurationDigest(deps, opened),
  )
  const endsErrors = isOther || !opened.channel.isProvedByMessages
  await storeAccount(deps.db, installation, digest, { ...account, endsErrors })
  if (!endsErrors) await rejectUnsolved(deps.db, installation)
  if (digest === null) return
  try {
    await checkSharing(deps.db, workspaceId, opened, digest)
  } catch (error) {
    await releaseAccount(deps.db, installation)
    throw error
  }
}

/** Throws ChannelError if the last message failed for the same values: registering again proves nothing. */
async function rejectUnsolved(db: Db, { botId, alias }: ConnectorKey): Promise<void> {
  const activity = (await listActivities(db, botId)).get(alias)
  if (activity?.is_lasting && activity.error)
    throw new ChannelError('credentials', activity.error)
}

/**
 * Takes the account, lets the provider call this server, or a server of this installation connect to it.
 * Throws ChannelError.
 */
export async function registerChannel(
  deps: ChannelDeps,
  opened: OpenChannel,
  workspaceId: string,
  webhookUrl: string,
): Promise<void> {
  const { channel, context } = opened
  const { configuration, installation: key } = context
  await takeAccount(deps, opened, workspaceId)
  try {
    await channel.register?.(context, { webhookUrl })
  } catch (error) {
    await releaseAccount(deps.db, key)
    throw error
  }
  if (channel.usesConnection?.(configuration)) {
    const account = channel.toAccount?.(configuration) ?? JSON.stringify(configuration)
    await addConnector(deps.db, key, account)
  } else await endConnector(deps.db, key)
}

/** With a key, because passwords can be guessed from plain digests. */
const toConfigurationDigest = (
  { secrets }: Pick<ChannelDeps, 'secrets'>,
  { context: { configuration } }: OpenChannel,
): string =>
  createHmac('sha256', secrets.derive('channel configuration'))
    .update(JSON.stringify(Object.entries(configuration).sort()))
    .digest('base64url')

/** Records why the channel does not receive or send, and throws the error again. */
export async function failed(
  deps: StateDeps,
  { botId, alias }: ConnectorKey,
  of: 'receiving' | 'sending',
  error: unknown,
): Promise<never> {
  if (!(error instanceof ChannelError)) throw error
  const { logs } = await deps.getRedactors(botId)
  const message = logs ? await logs.text(error.message) : error.message
  if (error.kind === 'forged') {
    await noteForged(deps.db, { botId, alias }, message)
    throw error
  }
  const isLasting = error.kind === 'credentials'
  await noteFailure(deps.db, { botId, alias }, { of, message, isLasting })
  if (isLasting) await deps.onState(botId, alias, message)
  throw error
}
