// Which account an installed channel has, and whether it works. Invariant: at most one enabled installation
// of a workspace has an account, because a provider sends each message to one receiver only.
import { type Account, ChannelError } from '@botstead/channels'
import type { Db } from '../../core/db/index.ts'
import {
  findSharing,
  forgetForged,
  noteFailure,
  noteForged,
  releaseAccount,
  storeAccount,
} from './activity.ts'
import type { OpenChannel } from './channel-context.ts'
import { type ConnectorKey, toDigest } from './connectors.ts'
import type { ChannelDeps } from './deps.ts'
import { requirePublicAddress } from './public-address.ts'

export interface StateDeps extends ChannelDeps {
  /** The channel works again (null), or does not for a reason. */
  onState: (botId: string, alias: string, reason: string | null) => Promise<void>
}

/** Checks address, credentials and account, and changes nothing. Throws ChannelError. */
export async function checkAccount(
  { db, publicUrl }: Pick<ChannelDeps, 'db' | 'publicUrl'>,
  { entry, channel, context }: OpenChannel,
  workspaceId: string,
): Promise<Account & { digest: string | null }> {
  const { configuration, installation } = context
  if (channel.needsPublicAddress?.(configuration)) requirePublicAddress(entry, publicUrl())
  const seen = await channel.check(context)
  const account = channel.toAccount?.(configuration)
  const digest = account === undefined ? null : toDigest(`${entry.name} ${account}`)
  if (digest) await rejectShared(db, workspaceId, installation, digest)
  return { ...seen, digest }
}

/** Throws ChannelError ("rejected"). Other bots may be hidden from the member, so it does not name them. */
async function rejectShared(
  db: Db,
  workspaceId: string,
  installation: ConnectorKey,
  digest: string,
): Promise<void> {
  const other = await findSharing(db, workspaceId, installation, digest)
  if (!other) return
  const place =
    other.botId === installation.botId
      ? `This bot uses the same account under the alias "${other.alias}"`
      : 'Another bot of this workspace uses the same account'
  throw new ChannelError(
    'rejected',
    `${place}, and only one of them receives a message. Disable or remove the channel there, or use ` +
      'another account.',
  )
}

/**
 * Checks as `checkAccount`, and stores the account. If two installations take it at the same time, at least
 * one fails. Throws ChannelError.
 */
export async function takeAccount(
  deps: ChannelDeps,
  opened: OpenChannel,
  workspaceId: string,
): Promise<void> {
  const { installation } = opened.context
  const { digest, ...account } = await checkAccount(deps, opened, workspaceId)
  await storeAccount(deps.db, installation, digest, account)
  await forgetForged(deps.db, installation)
  if (digest === null) return
  try {
    await rejectShared(deps.db, workspaceId, installation, digest)
  } catch (error) {
    await releaseAccount(deps.db, installation)
    throw error
  }
}

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
