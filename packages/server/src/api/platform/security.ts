import { ApiError, type Handlers, type platform } from '@botstead/contract'
import type { FastifyRequest } from 'fastify'
import type { Contexts, Services } from '../../http/services.ts'
import { addressOf } from '../../http/session.ts'
import { findAccount } from '../../modules/accounts/accounts.ts'
import { asOneOfFew } from '../../modules/accounts/credentials/attempts.ts'
import { hashPassword } from '../../modules/accounts/credentials/password-hash.ts'
import {
  findAccountByPassword,
  findPasswordHash,
  storePasswordHash,
} from '../../modules/accounts/credentials/passwords.ts'
import {
  confirmSecondFactor,
  createSecondFactor,
  findSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  useSecondFactor,
} from '../../modules/accounts/credentials/second-factor.ts'
import { endOtherSessions, findSessionRow } from '../../modules/accounts/sessions.ts'
import { withAttempt } from './attempts.ts'

export const security: Handlers<typeof platform.security, Contexts> = {
  async getSecurity({ services: { db }, caller: { accountId } }) {
    return {
      hasPassword: (await findPasswordHash(db, accountId)) !== null,
      secondFactor: await findSecondFactor(db, accountId),
    }
  },

  async setPassword({ services, caller: { accountId }, request }, { body }) {
    const { currentPassword } = body
    // Also where it is optional: a wrong one means that the person is mistaken.
    if (currentPassword !== undefined || (await needsPassword(services, request, accountId)))
      await checkPassword(services, request, accountId, currentPassword ?? '')
    const { email } = await findAccount(services.db, accountId)
    const hash = await asOneOfFew(email, async () =>
      body.password === null ? null : hashPassword(body.password, addressOf(services, request)),
    )
    await storePasswordHash(services.db, accountId, hash)
    if (hash === null) return {}
    await endOtherSessions(services.db, accountId, request.sessionId)
    await services.invalidate({ accountId })
    return {}
  },

  async createSecondFactor({ services: { db, secrets }, caller }) {
    return createSecondFactor(db, secrets, await findAccount(db, caller.accountId))
  },

  async confirmSecondFactor({ services, caller: { accountId }, request }, { body }) {
    return withCode(services, request, accountId, async (inside) => {
      const codes = await confirmSecondFactor(inside, accountId, body.code)
      return codes && { recoveryCodes: codes }
    })
  },

  async replaceRecoveryCodes({ services, caller: { accountId }, request }, { body }) {
    return withCode(services, request, accountId, async (inside) => {
      if (!(await useSecondFactor(inside, accountId, body.code))) return null
      return { recoveryCodes: await replaceRecoveryCodes(inside.db, accountId) }
    })
  },

  async removeSecondFactor({ services, caller: { accountId }, request }, { body }) {
    return withCode(services, request, accountId, async (inside) => {
      if (!(await useSecondFactor(inside, accountId, body.code))) return null
      await removeSecondFactor(inside.db, accountId)
      return {}
    })
  },
}

/** How long the session of a one-time link replaces a forgotten password. */
const linkMs = 900_000

async function needsPassword({ db }: Services, { sessionId }: FastifyRequest, accountId: string) {
  if ((await findPasswordHash(db, accountId)) === null) return false
  const session = sessionId === null ? null : await findSessionRow(db, sessionId)
  return session?.method !== 'link' || Date.now() - session.created_at.getTime() > linkMs
}

async function checkPassword(
  services: Services,
  request: FastifyRequest,
  accountId: string,
  password: string,
) {
  const { email } = await findAccount(services.db, accountId)
  const check = (address: string) =>
    findAccountByPassword(services.db, { id: accountId }, password, address)
  if (!(await withAttempt(services, request, email, check)))
    throw new ApiError('Forbidden', 'The current password (`currentPassword`) is wrong')
}

/** Null means a wrong code, which counts as a failed attempt. */
async function withCode<Result>(
  services: Services,
  request: FastifyRequest,
  accountId: string,
  work: (inside: Services) => Promise<Result | null>,
): Promise<Result> {
  const { email } = await findAccount(services.db, accountId)
  const result = await withAttempt(services, request, email, () => services.inTransaction(work))
  if (result) return result
  throw new ApiError('Forbidden', 'The code is wrong, or was used: enter the next one of the app')
}
