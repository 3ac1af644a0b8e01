// `botstead tokens create --account`: creates a token for an account without one, for an operator
// with access to the database.

import type { Config } from '../infra/config/config.ts'
import type { Database } from '../infra/db/open.ts'
import { StartError } from '../infra/lib/start-error.ts'
import { findAccountByEmail } from '../modules/accounts/accounts.ts'
import { appendAuditRecord } from '../modules/accounts/audit/audit-log.ts'
import { createToken, type Token } from '../modules/accounts/tokens.ts'
import { findOwnerEmail } from '../modules/accounts/workspaces.ts'
import { findMasterKey, openKeysOf } from './keys.ts'
import { withDatabase } from './start.ts'

export interface OperatorToken extends Token {
  value: string
  email: string
  /** False if the master key, which authenticates audit entries, is not available. */
  isAudited: boolean
}

/**
 * Works whether servers run or not. Throws what `startServer` throws, and StartError for an unknown
 * e-mail address.
 */
export async function createTokenFor(
  config: Config,
  email: string,
  note: string,
): Promise<OperatorToken> {
  const master = await findMasterKey(config)
  return withDatabase(config, async (database) => {
    const account = await findAccountByEmail(database.db, email).catch(explain)
    if (!account) throw await unknownAccount(database, email)
    const auditKey = master && (await openKeysOf(database, master)).auditKey
    return database.inTransaction(async (inside) => {
      const token = await createToken(inside.db, { kind: 'pat', accountId: account.id }, note)
      if (auditKey) await recordCreation(inside, auditKey, account.id, token)
      return { ...token, email: account.email, isAudited: auditKey !== null }
    })
  })
}

const recordCreation = (inside: Database, auditKey: Buffer, accountId: string, { id }: Token) =>
  appendAuditRecord(inside, auditKey, [accountId], {
    ...{ accountId, tokenId: null, ip: '127.0.0.1', operation: 'admin.createPersonalAccessToken' },
    ...{ action: 'UNKNOWN', targetId: id, targetName: null, result: 'done' },
  })

async function unknownAccount({ db }: Database, email: string) {
  const owner = await findOwnerEmail(db)
  const hint = owner ? `; an owner of this installation is "${owner}"` : ''
  return new StartError(`No account has the e-mail address "${email}"${hint}`)
}

function explain(error: { code?: string }): never {
  throw error.code === '42P01'
    ? new StartError('This database has no installation: start a server on it first')
    : error
}
