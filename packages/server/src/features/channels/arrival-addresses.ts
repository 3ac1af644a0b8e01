// Notes the addresses under which people write, before their messages are stored: a merge by rule then shows
// the bot the variables of the person in the same turn.
import type {
  AnonymousArrival,
  Arrival,
  ArrivalAddress,
  ArrivalUser,
} from '@botstead/channels'
import { ApiError } from '@botstead/contract'
import { userStore } from '../../core/messaging/index.ts'
import { noteAddresses } from '../persons/index.ts'
import type { ChannelDeps } from './deps.ts'

/** What a rule of the bot rejects is reported when the arrival itself is stored. */
export async function noteArrivalAddresses(
  deps: ChannelDeps,
  { botId, alias }: { botId: string; alias: string },
  { user, message }: Arrival | AnonymousArrival,
): Promise<void> {
  const addresses = user && message ? listAddresses(user) : []
  if (!user || addresses.length === 0) return
  try {
    const { row } = await userStore.getOrCreate(
      deps.db,
      botId,
      alias,
      toNewUser(alias, user),
      user.by,
    )
    await noteAddresses(
      deps,
      { botId, userId: row.id },
      addresses.map(({ kind, address, isVerified }) => ({
        kind,
        address,
        verifiedBy: isVerified ? proofs[kind] : null,
      })),
    )
  } catch (error) {
    if (!(error instanceof ApiError) || error.code >= 500) throw error
  }
}

const proofs = { email: 'mail-server', phone: 'provider' } as const

/** The tag `email` of a profile at the provider proves nothing to this server. */
const listAddresses = ({ addresses = [], tags }: ArrivalUser): ArrivalAddress[] =>
  tags.email === undefined || addresses.some(({ kind }) => kind === 'email')
    ? addresses
    : [...addresses, { kind: 'email', address: tags.email, isVerified: false }]

export const toNewUser = (
  integration: string,
  { tags, name, pictureUrl }: ArrivalUser,
) => ({
  integration,
  tags,
  ...(name && { name }),
  ...(pictureUrl && { pictureUrl }),
})
