import { ApiError, type Handlers, type platform } from '@botstead/contract'
import type { FastifyRequest } from 'fastify'
import {
  accountStore,
  browserSessions,
  sessionStore,
} from '../../../../core/accounts/index.ts'
import {
  type Contexts,
  getAddress,
  type HttpServices,
  type Services,
} from '../../../../core/http/index.ts'
import { asOneOfFew } from '../../credentials/attempts.ts'
import { rejectKnownPassword } from '../../credentials/known-passwords.ts'
import { hashPassword } from '../../credentials/password-hash.ts'
import {
  findMatchingHash,
  findPasswordHash,
  storePasswordHash,
} from '../../credentials/passwords.ts'
import {
  confirmSecondFactor,
  createSecondFactor,
  findSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  useSecondFactor,
} from '../../credentials/second-factor.ts'
import { withAttempt } from './attempts.ts'

export const security: Handlers<typeof platform.security, Contexts<HttpServices>> = {
  async getSecurity({ services: { db }, caller: { accountId } }) {
    return {
      hasPassword: (await findPasswordHash(db, accountId)) !== null,
      secondFactor: await findSecondFactor(db, accountId),
    }
  },

  async setPassword({ services, caller: { accountId }, request }, { body }) {
    const { currentPassword } = body
    // Also where it is optional: a wrong one means that the person is mistaken.
    if (
      currentPassword !== undefined ||
      (await needsPassword(services, request, accountId))
    )
      await checkPassword(services, request, accountId, currentPassword ?? '')
    const { password } = body
    const hash =
      password === null ? null : await hashNew(services, request, accountId, password)
    await services.inTransaction(async (inside) => {
      await browserSessions.requireCredential(inside, request, accountId)
      await storePasswordHash(inside.db, accountId, hash)
      if (hash === null) return
      await sessionStore.endOthers(inside.db, accountId, request.sessionId)
      await inside.invalidate({ accountId })
    })
    return {}
  },

  async createSecondFactor({ services: { db, secrets }, caller }) {
    return createSecondFactor(db, secrets, await accountStore.find(db, caller.accountId))
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

async function hashNew(
  services: Services,
  request: FastifyRequest,
  accountId: string,
  password: string,
): Promise<string> {
  const { email, name } = await accountStore.find(services.db, accountId)
  await rejectKnownPassword(password, [email, name ?? ''])
  const address = getAddress(services, request)
  return asOneOfFew(email, () => hashPassword(password, address))
}

/** How long the session of a one-time link replaces a forgotten password. */
const linkMs = 900_000

async function needsPassword(
  { db }: Services,
  { sessionId }: FastifyRequest,
  accountId: string,
) {
  if ((await findPasswordHash(db, accountId)) === null) return false
  const session = sessionId === null ? null : await sessionStore.find(db, sessionId)
  return session?.method !== 'link' || Date.now() - session.created_at.getTime() > linkMs
}

async function checkPassword(
  services: HttpServices,
  request: FastifyRequest,
  accountId: string,
  password: string,
) {
  const { email } = await accountStore.find(services.db, accountId)
  const check = (address: string) =>
    findMatchingHash(services.db, { id: accountId }, password, address)
  if (!(await withAttempt(services, request, email, check)))
    throw new ApiError('Forbidden', 'The current password (`currentPassword`) is wrong')
}

/** Null means a wrong code, which counts as a failed attempt. */
async function withCode<Result>(
  services: HttpServices,
  request: FastifyRequest,
  accountId: string,
  work: (inside: Services) => Promise<Result | null>,
): Promise<Result> {
  const { email } = await accountStore.find(services.db, accountId)
  const check = () =>
    services.inTransaction(async (inside) => {
      await browserSessions.requireCredential(inside, request, accountId)
      return work(inside)
    })
  const result = await withAttempt(services, request, email, check)
  if (result) return result
  throw new ApiError(
    'Forbidden',
    'The code is wrong, or was used: enter the next one of the app',
  )
}
