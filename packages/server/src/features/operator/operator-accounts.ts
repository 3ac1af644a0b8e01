// Work on an account by its e-mail address, for an operator with access to the database.

import { StartError } from '@botstead/lib'
import { accountStore, workspaceStore } from '../../core/accounts/index.ts'
import { appendAuditRecord } from '../../core/audit/index.ts'
import type { Config } from '../../core/config/index.ts'
import { connections, type Database } from '../../core/db/index.ts'
import type { NewAuditRecord } from '../../core/http/index.ts'
import { installationKeys } from '../../core/installation/index.ts'
import { requireInstallation } from '../archive/index.ts'

interface ForAccount {
  /** In the transaction of the change. */
  inside: Database
  account: { id: string; email: string }
  /** Records the change. Does nothing if the master key, which authenticates records, is absent. */
  record(change: Pick<NewAuditRecord, 'operation' | 'targetId'>): Promise<void>
  isAudited: boolean
}

/**
 * Runs work in a transaction, whether servers run or not. Throws the errors of `startServer`, ArchiveError
 * without an installation, and StartError for an unknown e-mail address.
 */
export async function withAccount<Result>(
  config: Config,
  email: string,
  work: (forAccount: ForAccount) => Promise<Result>,
): Promise<Result> {
  // Otherwise a command in another folder would create a database.
  await requireInstallation(config)
  const master = await installationKeys.findMaster(config)
  return connections.withDatabase(config, async (database) => {
    const account = await accountStore.findByEmail(database.db, email).catch(explain)
    if (!account) throw await unknownAccount(database, email)
    const key =
      master && (await installationKeys.openDatabaseKeys(database, master)).auditKey
    return database.inTransaction((inside) =>
      work({
        inside,
        account,
        isAudited: key !== null,
        async record(change) {
          if (key)
            await appendAuditRecord(
              inside,
              key,
              [account.id],
              toRecord(account.id, change),
            )
        },
      }),
    )
  })
}

const toRecord = (
  accountId: string,
  change: Pick<NewAuditRecord, 'operation' | 'targetId'>,
): NewAuditRecord => ({
  accountId,
  tokenId: null,
  ip: '127.0.0.1',
  action: 'UNKNOWN',
  targetName: null,
  ...change,
  result: 'done',
})

async function unknownAccount({ db }: Database, email: string) {
  const owner = await workspaceStore.findOwnerEmail(db)
  const hint = owner ? `; an owner of this installation is "${owner}"` : ''
  return new StartError(`No account has the e-mail address "${email}"${hint}`)
}

function explain(error: { code?: string }): never {
  throw error.code === '42P01'
    ? new StartError('This database has no installation: start a server on it first')
    : error
}
