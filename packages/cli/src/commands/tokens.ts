// `botstead tokens`: personal access tokens of whoever calls.
import { openAdmin } from '../admin.ts'
import type { Connecting } from '../credentials.ts'

export type Printing = Connecting & { json?: boolean }

interface Token {
  id: string
  createdAt: string
  note: string
  value?: string
}

export async function listTokens({ json, ...options }: Printing): Promise<void> {
  const { pats } = await openAdmin(options).ask<{ pats: Token[] }>('GET', '/v1/admin/account/pats')
  if (json) return console.log(JSON.stringify(pats, null, 2))
  for (const { id, createdAt, note } of pats)
    console.log(`${id}  ${createdAt.slice(0, 16).replace('T', ' ')}  ${note}`)
}

/** The secret alone goes to standard output, so that a script can take it. */
export async function createToken(note: string, { json, ...options }: Printing): Promise<void> {
  const { pat } = await openAdmin(options).ask<{ pat: Token }>('POST', '/v1/admin/account/pats', { note })
  if (json) return console.log(JSON.stringify(pat, null, 2))
  console.error(`Made ${pat.id}. This is shown once:`)
  console.log(pat.value)
}

export async function deleteToken(id: string, { json, ...options }: Printing): Promise<void> {
  await openAdmin(options).ask('DELETE', `/v1/admin/account/pats/${encodeURIComponent(id)}`)
  console.log(json ? JSON.stringify({ revoked: id }) : `Revoked ${id}`)
}
