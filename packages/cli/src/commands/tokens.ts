// `botstead tokens`: creates and deletes personal access tokens.
import { createTokenFor } from '@botstead/server'
import { UsageError } from '../failure.ts'
import { openAdmin } from '../server/admin.ts'
import type { Connecting } from '../server/connection.ts'
import { onThisMachine } from '../server/on-this-machine.ts'
import { confirm } from '../terminal/prompt.ts'

type Printing = Connecting & { json?: boolean | undefined }

/** Prints only the value to standard output, so that a script can capture it. */
export async function runCreateToken(
  note: string | undefined,
  { account, json, ...options }: Printing & { account?: string },
): Promise<void> {
  if (account !== undefined)
    return createTokenOf(account, note ?? 'created by the operator', { json, ...options })
  if (note === undefined)
    throw new UsageError(
      'a note or an account is required: pass "tokens create laptop", or --account <e-mail>',
    )
  const { pat } = await openAdmin(
    options,
    'account',
  ).client.admin.createPersonalAccessToken({
    body: { note },
  })
  if (json) return console.log(JSON.stringify(pat))
  console.error(`Created ${pat.id}. Its value is shown only now:`)
  console.log(pat.value)
}

/** Creates the token directly in the database, for operators without a token. */
async function createTokenOf(
  email: string,
  note: string,
  { json, ...options }: Printing,
): Promise<void> {
  for (const name of ['url', 'token', 'workspace'] as const)
    if (options[name] !== undefined)
      throw new UsageError(
        `--account works on the database of BOTSTEAD_DATA or DATABASE_URL: remove --${name}`,
      )
  const token = await onThisMachine((config) => createTokenFor(config, email, note))
  const { id, value, isAudited } = token
  if (!isAudited)
    console.error('Not recorded in the audit log: there is no master key here.')
  if (json)
    return console.log(JSON.stringify({ id, createdAt: token.createdAt, note, value }))
  console.error(`Created ${id} for ${token.email}. Its value is shown only now:`)
  console.log(value)
}

export async function runDeleteToken(
  id: string,
  { json, yes, ...options }: Printing & { yes?: boolean },
): Promise<void> {
  await confirm(`revokes the token ${id}`, { ...(yes && { yes }) })
  await openAdmin(options, 'account').client.admin.deletePersonalAccessToken({
    params: { id },
  })
  console.log(json ? JSON.stringify({ revoked: id }) : `Revoked ${id}`)
}
