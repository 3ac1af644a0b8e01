import type { admin, Handlers } from '@botstead/contract'
import { findAccount, updateAccount } from '../../accounts/accounts.ts'
import { findPreference, setPreference } from '../../accounts/preferences.ts'
import type { Contexts } from '../../services.ts'
import { accountOf } from './shown.ts'

export const account: Handlers<(typeof admin)['account'], Contexts> = {
  async getAccount({ services, caller }) {
    return { account: accountOf(await findAccount(services.db, caller.accountId)) }
  },

  async updateAccount({ services, caller }, { body }) {
    const change = {
      ...(body.displayName !== undefined && { name: body.displayName }),
      ...(body.profilePicture !== undefined && { pictureUrl: body.profilePicture }),
    }
    return { account: accountOf(await updateAccount(services.db, caller.accountId, change)) }
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
