import type { admin, Handlers } from '@botstead/contract'
import {
  deleteAccount,
  findAccount,
  findPreference,
  listOwnedAlone,
  onlyOwner,
  setPreference,
  updateAccount,
} from '../../accounts/index.ts'
import type { BlobServices } from '../../blobs/index.ts'
import type { BotServices } from '../../bots/index.ts'
import type { DeliveryServices } from '../../delivery/index.ts'
import type { Contexts } from '../../http/index.ts'
import type { OutgoingServices } from '../../outgoing/index.ts'
import type { QueueServices } from '../../queue/index.ts'
import type { RealtimeServices } from '../../realtime/index.ts'
import { toAccount } from './serializers.ts'
import { removeWorkspace } from './workspace-removal.ts'

export const account: Handlers<
  (typeof admin)['account'],
  Contexts<
    BlobServices &
      BotServices &
      DeliveryServices &
      QueueServices &
      RealtimeServices &
      OutgoingServices
  >
> = {
  async getAccount({ services, caller }) {
    return { account: toAccount(await findAccount(services.db, caller.accountId)) }
  },

  async updateAccount({ services, caller }, { body }) {
    const change = {
      ...(body.displayName !== undefined && { name: body.displayName }),
      ...(body.profilePicture !== undefined && { pictureUrl: body.profilePicture }),
    }
    return { account: toAccount(await updateAccount(services.db, caller.accountId, change)) }
  },

  /**
   * Fails if a workspace with other members would lose its only owner. Deletes workspaces without
   * other members.
   */
  async deleteAccount({ services, caller }) {
    const alone = await listOwnedAlone(services.db, caller.accountId)
    const ownerless = alone.find(({ others }) => others)
    if (ownerless) throw onlyOwner(ownerless.name)
    for (const { id } of alone) await removeWorkspace(services, id)
    await services.inTransaction((inside) => deleteAccount(inside.db, caller.accountId))
    await services.invalidate({ accountId: caller.accountId })
    return {}
  },

  async getAccountPreference({ services, caller }, { params }) {
    const value = await findPreference(services.db, { accountId: caller.accountId }, params.key)
    return value === undefined ? {} : { value }
  },

  async setAccountPreference({ services, caller }, { params, body }) {
    await setPreference(services.db, { accountId: caller.accountId }, params.key, body.value)
    return {}
  },
}
