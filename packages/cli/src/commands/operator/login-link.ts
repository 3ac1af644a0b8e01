// `botstead login-link`: creates a link that signs in once, directly in the database.
import { createSignInLinkFor } from '@botstead/server'
import { onThisMachine } from '../../server/on-this-machine.ts'

/** Prints only the link to standard output, so that a script can capture it. */
export async function runLoginLink({
  account,
  json,
}: {
  account: string
  json?: boolean
}): Promise<void> {
  const link = await onThisMachine((config) => createSignInLinkFor(config, account))
  const { url, email, minutes, isAudited } = link
  if (!isAudited)
    console.error('Not recorded in the audit log: there is no master key here.')
  if (json) return console.log(JSON.stringify({ url, email, minutes }, null, 2))
  console.error(`Signs ${email} in once, within ${minutes} minutes:`)
  console.log(url)
}
