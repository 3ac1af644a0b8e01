// `botstead tokens`: lists, creates and deletes personal access tokens.
import { createTokenFor } from '@botstead/server'
import { openAdmin } from '../admin.ts'
import type { Connecting } from '../credentials.ts'
import { UsageError } from '../failure.ts'
import { onThisMachine } from '../on-this-machine.ts'

type Printing = Connecting & { json?: boolean | undefined }

export async function runListTokens({ json, ...options }: Printing): Promise<void> {
  const { pats } = await openAdmin(options).client.admin.listPersonalAccessTokens()
  if (json) return console.log(JSON.stringify(pats, null, 2))
  for (const { id, createdAt, note } of pats)
    console.log(`${id}  ${createdAt.slice(0, 16).replace('T', ' ')}  ${note}`)
}

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
  const { pat } = await openAdmin(options).client.admin.createPersonalAccessToken({
    body: { note },
  })
  if (json) return console.log(JSON.stringify(pat, null, 2))
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
  if (!isAudited) console.error('Not recorded in the audit log: there is no master key here.')
  if (json)
    return console.log(JSON.stringify({ id, createdAt: token.created_at, note, value }, null, 2))
  console.error(`Created ${id} for ${token.email}. Its value is shown only now:`)
  console.log(value)
}

export async function runDeleteToken(id: string, { json, ...options }: Printing): Promise<void> {
  await openAdmin(options).client.admin.deletePersonalAccessToken({ params: { id } })
  console.log(json ? JSON.stringify({ revoked: id }) : `Revoked ${id}`)
}
