// Callers that work of this server lends for its own calls of operations: it continues after the
// request of the person who wanted it, whose token it does not have. Only this process knows the
// values. Each call checks the membership and the role of the person again.
import { randomBytes } from 'node:crypto'
import type { CallerToken } from './callers.ts'

const lent = new Map<string, CallerToken>()

interface LentCaller {
  /** The value of the header `authorization`. */
  authorization: string
  /** Must be called at the end of the work. */
  end(): void
}

export function lendCaller(accountId: string): LentCaller {
  const value = `lent_${randomBytes(32).toString('base64url')}`
  const hash = `lent ${accountId}`
  lent.set(value, {
    id: '',
    accountId,
    botId: null,
    integrationId: null,
    workspaceId: null,
    hash,
  })
  return { authorization: `Bearer ${value}`, end: () => void lent.delete(value) }
}

export const findLentCaller = (value: string): CallerToken | undefined => lent.get(value)
