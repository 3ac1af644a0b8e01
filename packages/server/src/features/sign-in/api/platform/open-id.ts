// Signing in at an OpenID Connect provider. The provider returns the browser to the page `/sign-in`,
// which sends the response here. Until then a cookie has the encrypted secrets of the attempt, so
// only the browser that started a sign-in can finish it.
import { ApiError, type Role, roles } from '@botstead/contract'
import { decrypt, encrypt } from '@botstead/lib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  browserSessions,
  memberStore,
  workspaceStore,
} from '../../../../core/accounts/index.ts'
import {
  cookieIn,
  type HttpServices,
  type Services,
  toCookie,
} from '../../../../core/http/index.ts'
import { findOrCreateAccount } from '../../credentials/identities.ts'
import type { OpenId, OpenIdPerson, PendingSignIn } from '../../open-id.ts'
import { announceProof } from '../../proofs.ts'
import type { SignInServices } from '../../services.ts'

type Own = HttpServices & SignInServices

const cookie = 'botstead-open-id'
const maxSeconds = 600
const bound = 'pending sign-in'

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

/** Sets the cookie. Returns the provider's address for the browser. */
export async function startOpenId(
  services: Own,
  { request, reply }: Exchange,
): Promise<string> {
  const openId = requireOpenId(services)
  const { url, pending } = await openId.start(redirectUri(services)).catch((error) => {
    throw new ApiError(
      'Unavailable',
      `${openId.settings.name} cannot be reached: retry later`,
      {
        cause: error,
      },
    )
  })
  const text = JSON.stringify({ ...pending, until: Date.now() + maxSeconds * 1_000 })
  const sealed = encrypt(services.openIdKey, Buffer.from(text), bound).toString(
    'base64url',
  )
  reply.header('set-cookie', toCookie(services, request, cookie, sealed, maxSeconds))
  return url
}

/** Signs in with the query of the provider's response. Throws Unauthorized and Forbidden. */
export async function finishOpenId(
  services: Own,
  exchange: Exchange,
  query: string,
): Promise<void> {
  const openId = requireOpenId(services)
  const pending = readPending(services, exchange.request)
  const url = new URL(redirectUri(services))
  url.search = query
  const person = await openId.finish(url, pending).catch((error) => {
    services.log.warn({ err: error }, 'a sign-in at the OpenID Connect provider failed')
    throw new ApiError(
      'Unauthorized',
      `Signing in with ${openId.settings.name} failed: try again`,
    )
  })
  await services.inTransaction((inside) => signIn(inside, exchange, openId, person))
  exchange.reply.header('set-cookie', toCookie(services, exchange.request, cookie, '', 0))
}

async function signIn(
  inside: Own,
  exchange: Exchange,
  { settings }: OpenId,
  person: OpenIdPerson,
) {
  const role = toRole(settings.roles, person)
  if (settings.roles.length > 0 && !role)
    throw new ApiError(
      'Forbidden',
      'None of your groups may sign in here: ask an administrator',
    )
  const { accountId, isProof } = await findOrCreateAccount(inside.db, person, {
    mayCreate: role !== null,
  })
  if (isProof) await announceProof(inside, exchange.request, accountId)
  const workspaceId =
    settings.workspaceId ?? (await workspaceStore.findFirstId(inside.db))
  if (role && workspaceId !== null) {
    await memberStore.setRole(inside.db, workspaceId, accountId, role)
    await inside.invalidate({ accountId })
  }
  await browserSessions.start(inside, exchange, { accountId, method: 'openId' })
}

function toRole(mapping: [string, string][], { groups }: OpenIdPerson): Role | null {
  const name = mapping.find(([group]) => groups.includes(group))?.[1]
  return roles.find((role) => role === name) ?? null
}

/** Throws Unauthorized without a started sign-in. */
function readPending(services: Own, request: FastifyRequest): PendingSignIn {
  try {
    const sealed = Buffer.from(cookieIn(services, request, cookie) ?? '', 'base64url')
    const { until, ...pending } = JSON.parse(
      decrypt(services.openIdKey, sealed, bound).toString(),
    ) as PendingSignIn & { until: number }
    if (until > Date.now()) return pending
  } catch {
    // A cookie that this installation did not encrypt.
  }
  throw new ApiError(
    'Unauthorized',
    'This sign-in was not started here, or it expired: try again',
  )
}

function requireOpenId({ openId }: SignInServices): OpenId {
  if (openId) return openId
  throw new ApiError(
    'ResourceNotFound',
    'OpenID Connect is not configured: see BOTSTEAD_OIDC_ISSUER',
  )
}

const redirectUri = ({ publicUrl }: Services) => `${publicUrl()}/sign-in`
