import type { admin, Handlers } from '@botstead/contract'
import type { Contexts } from '../../../http/index.ts'
import { deleteAccount, findAccount, onlyOwner, updateAccount } from '../../accounts.ts'
import { findPreference, setPreference } from '../../preferences.ts'
import type { AccountServices } from '../../services.ts'
import { listOwnedAlone } from '../../workspaces.ts'
import { toAccount } from './serializers.ts'

export const account: Handlers<(typeof admin)['account'], Contexts<AccountServices>> = {
  async getAccount({ services, caller }) {
    return { account: toAccount(await findAccount(services.db, caller.accountId)) }
  },

  async updateAccount({ services, caller }, { body }) {
    const change = {
      ...(body.displayName !== undefined && { name: body.displayName }),
      ...(body.profilePicture !== undefined && { pictureUrl: body.profilePicture }),
    }
    return {
      account: toAccount(await updateAccount(services.db, caller.accountId, change)),
    }
  },

  /**
   * Fails if a workspace with other members would lose its only owner. Deletes workspaces without
   * other members.
   */
  async deleteAccount({ services, caller }) {
    const alone = await listOwnedAlone(services.db, caller.accountId)
    const ownerless = alone.find(({ others }) => others)
    if (ownerless) throw onlyOwner(ownerless.name)
    for (const { id } of alone) await services.removeWorkspace(id)
    await services.inTransaction((inside) => deleteAccount(inside.db, caller.accountId))
    await services.invalidate({ accountId: caller.accountId })
    return {}
  },

  async getAccountPreference({ services, caller }, { params }) {
    const value = await findPreference(
      services.db,
      { accountId: caller.accountId },
      params.key,
    )
    return value === undefined ? {} : { value }
  },

  async setAccountPreference({ services, caller }, { params, body }) {
    await setPreference(
      services.db,
      { accountId: caller.accountId },
      params.key,
      body.value,
    )
    return {}
  },
}
