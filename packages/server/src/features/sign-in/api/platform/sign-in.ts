import { ApiError, type Handlers, type platform } from '@botstead/contract'
import type { FastifyRequest } from 'fastify'
import {
  type AccountServices,
  accountStore,
  browserSessions,
  claimAccount,
  describeRequestSession,
} from '../../../../core/accounts/index.ts'
import {
  type Contexts,
  getAddress,
  type HttpServices,
  rateLimits,
} from '../../../../core/http/index.ts'
import type { RealtimeServices } from '../../../../core/realtime/index.ts'
import { asOneOfFew } from '../../credentials/attempts.ts'
import { rejectKnownPassword } from '../../credentials/known-passwords.ts'
import { hashPassword } from '../../credentials/password-hash.ts'
import {
  findMatchingHash,
  findPasswordHash,
  hasPasswords,
  storePasswordHash,
} from '../../credentials/passwords.ts'
import { findSecondFactor, useSecondFactor } from '../../credentials/second-factor.ts'
import { addressInUse, findInvitation, invitationGone } from '../../invitation-links.ts'
import { announceProof, proveAddress } from '../../proofs.ts'
import type { SignInServices } from '../../services.ts'
import { takeSignInLink } from '../../sign-in-links.ts'
import { withAttempt } from './attempts.ts'
import { join } from './invitations.ts'
import { finishOpenId, startOpenId } from './open-id.ts'

type Own = AccountServices & HttpServices & RealtimeServices & SignInServices

export const signIn: Handlers<typeof platform.signIn, Contexts<Own>> = {
  async getSignIn({ services, request }) {
    const session = await describeRequestSession(services, request)
    const password = await hasPasswords(services.db)
    const name = services.openId?.settings.name
    return {
      hasSession: session !== null,
      session,
      password,
      openId: name ? { name } : null,
      talk: services.firstChat(),
    }
  },

  async signInWithLink({ services, request, reply }, { body }) {
    const signIn = () =>
      services.inTransaction(async (inside) => {
        const accountId = await takeSignInLink(inside.db, body.code)
        if (accountId === null) return null
        // The operator created the link for the holder of the address.
        if (await proveAddress(inside.db, accountId))
          await announceProof(inside, request, accountId)
        await browserSessions.start(
          inside,
          { request, reply },
          { accountId, method: 'link' },
        )
        return accountId
      })
    if (await rateLimits.lookUpGuarded(services, request, signIn)) return {}
    throw new ApiError(
      'Unauthorized',
      'The link is invalid: it works once, and expires. Create another one with `botstead login-link`',
    )
  },

  async signInWithPassword({ services, request, reply }, { body }) {
    const check = (address: string) => findByPassword(services, body, address)
    const found = await withAttempt(services, request, body.email, check, isIncomplete)
    if (!found)
      throw new ApiError('Unauthorized', 'The e-mail address, password or code is wrong')
    if (found.needsCode) return { needsCode: true }
    const { accountId, hash } = found
    await services.inTransaction(async (inside) => {
      await requirePassword(inside.db, accountId, hash)
      await browserSessions.start(
        inside,
        { request, reply },
        { accountId, method: 'password' },
      )
    })
    return { needsCode: false }
  },

  async startOpenId({ services, request, reply }) {
    return { url: await startOpenId(services, { request, reply }) }
  },

  async signInWithOpenId({ services, request, reply }, { body }) {
    await finishOpenId(services, { request, reply }, body.query)
    return {}
  },

  async previewInvitation({ services, request }, { body }) {
    const found = await findGuarded(services, request, body.code)
    const { workspace, email, role } = found
    return { workspace, email, role, mayClaim: true }
  },

  async signInWithInvitation({ services, request, reply }, { body }) {
    const { email, workspace } = await findGuarded(services, request, body.code)
    await rejectKnownPassword(body.password, [email, body.displayName, workspace])
    const address = getAddress(services, request)
    const hash = await asOneOfFew(email, () => hashPassword(body.password, address))
    const claim = () =>
      services.inTransaction(async (inside) => {
        const invitation = await findInvitation(inside.db, body.code, { lock: true })
        if (!invitation) throw invitationGone()
        const { workspace_id: workspaceId } = invitation
        const claimed = { workspaceId, email: invitation.email }
        const accountId = await claimAccount(inside.db, claimed, body.displayName)
        if (accountId === null) return null
        await storePasswordHash(inside.db, accountId, hash)
        await join(inside, request, invitation, accountId)
        await browserSessions.start(
          inside,
          { request, reply },
          { accountId, method: 'invitation' },
        )
        return workspaceId
      })
    // The error says that there is an account, so it counts like a guess.
    const workspaceId = await rateLimits.lookUpGuarded(services, request, claim)
    if (workspaceId === null) throw addressInUse(email)
    services.changeFeed.publish({ topic: 'members', workspaceId })
    return {}
  },
}

interface FoundByPassword {
  accountId: string
  hash: string
  needsCode: boolean
}

const isIncomplete = ({ needsCode }: FoundByPassword) => needsCode

/** Returns null for a wrong address, password or code. */
async function findByPassword(
  services: Own,
  { email, password, code }: { email: string; password: string; code?: string },
  address: string,
): Promise<FoundByPassword | null> {
  const { db } = services
  const account = await accountStore.findByEmail(db, email)
  const hash = await findMatchingHash(db, account, password, address)
  if (!account || hash === null) return null
  const found = { accountId: account.id, hash }
  const { isEnabled } = await findSecondFactor(db, account.id)
  if (!isEnabled || code === undefined) return { ...found, needsCode: isEnabled }
  return (await useSecondFactor(services, account.id, code))
    ? { ...found, needsCode: false }
    : null
}

/** Throws Unauthorized if the password was changed or removed since it was checked. */
async function requirePassword(db: Own['db'], accountId: string, hash: string) {
  await accountStore.lock(db, accountId)
  if ((await findPasswordHash(db, accountId)) !== hash)
    throw new ApiError('Unauthorized', 'The e-mail address, password or code is wrong')
}

/** Throws ResourceGone, and counts it like an invalid credential. */
async function findGuarded(services: Own, request: FastifyRequest, code: string) {
  const found = await rateLimits.lookUpGuarded(services, request, () =>
    findInvitation(services.db, code),
  )
  if (found) return found
  throw invitationGone()
}
