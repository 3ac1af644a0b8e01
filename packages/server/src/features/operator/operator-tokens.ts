// `botstead tokens create --account`: creates a token for an account without one, for an operator
// with access to the database.

import type { ApiKey } from '@botstead/contract'
import { tokenStore } from '../../core/accounts/index.ts'
import type { Config } from '../../core/config/index.ts'
import { proveAddress } from '../sign-in/index.ts'
import { withAccount } from './operator-accounts.ts'

interface OperatorToken extends ApiKey {
  value: string
  email: string
  /** False if the master key, which authenticates audit entries, is not available. */
  isAudited: boolean
}

/** Proves the address, like a link of the operator. Throws the errors of `withAccount`. */
export const createTokenFor = (
  config: Config,
  email: string,
  note: string,
): Promise<OperatorToken> =>
  withAccount(config, email, async ({ inside, account, record, isAudited }) => {
    if (await proveAddress(inside.db, account.id))
      await record({ operation: 'account.addressProved', targetId: account.id })
    const token = await tokenStore.create(
      inside.db,
      { kind: 'pat', accountId: account.id },
      note,
    )
    await record({ operation: 'admin.createPersonalAccessToken', targetId: token.id })
    return { ...token, email: account.email, isAudited }
  })
