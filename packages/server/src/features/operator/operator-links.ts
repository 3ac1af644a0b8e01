// `botstead login-link`: creates a link that signs in once, for an operator with access to the
// database.

import type { Config } from '../../core/config/index.ts'
import { readCredentials } from '../../core/installation/index.ts'
import { createSignInUrl } from '../sign-in/index.ts'
import { withAccount } from './operator-accounts.ts'

const minutes = 15

interface OperatorLink {
  url: string
  email: string
  minutes: number
  /** False if the master key, which authenticates audit entries, is not available. */
  isAudited: boolean
}

/** Throws the errors of `withAccount`. */
export async function createSignInLinkFor(
  config: Config,
  email: string,
): Promise<OperatorLink> {
  const { dataFolder, publicUrl, port } = config
  const running = (await readCredentials(dataFolder))?.url
  const server = publicUrl ?? running ?? `http://127.0.0.1:${port}`
  return withAccount(config, email, async ({ inside, account, record, isAudited }) => {
    const url = await createSignInUrl(inside.db, account.id, { server, minutes })
    await record({ operation: 'session.createLink', targetId: account.id })
    return { url, email: account.email, minutes, isAudited }
  })
}
