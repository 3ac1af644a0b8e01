// Attempts to sign in or to confirm one's identity: limited, and recorded if they fail.
import type { FastifyRequest } from 'fastify'
import { accountStore } from '../../../../core/accounts/index.ts'
import { recordAccountEvent } from '../../../../core/audit/index.ts'
import {
  getAddress,
  type HttpServices,
  RateLimited,
} from '../../../../core/http/index.ts'
import {
  type Attempt,
  asOneOfFew,
  forgiveAttempts,
  returnAttempt,
  takeAttempt,
} from '../../credentials/attempts.ts'

/**
 * Runs a check that returns null for a wrong password or code, unless too many failed before. Throws
 * RateLimited. A partial result is neither a success nor a failure.
 */
export async function withAttempt<Result>(
  services: HttpServices,
  request: FastifyRequest,
  email: string,
  check: (address: string) => Promise<Result | null>,
  isPartial: (result: Result) => boolean = () => false,
): Promise<Result | null> {
  const attempt = { email, address: getAddress(services, request) }
  return asOneOfFew(email, () => countAttempt(services, attempt, check, isPartial))
}

async function countAttempt<Result>(
  services: HttpServices,
  attempt: Attempt,
  check: (address: string) => Promise<Result | null>,
  isPartial: (result: Result) => boolean,
): Promise<Result | null> {
  const { database, log } = services
  const msUntilFree = await takeAttempt(database, attempt)
  if (msUntilFree !== null) throw tooManyAttempts(msUntilFree)
  const result = await check(attempt.address).catch(async (error) => {
    await returnAttempt(database, attempt)
    throw error
  })
  if (result === null) {
    // not awaited, because it takes longer for addresses of accounts
    recordFailure(services, attempt).catch((error) =>
      log.error({ err: error }, 'writing an audit entry failed'),
    )
  } else await (isPartial(result) ? returnAttempt : forgiveAttempts)(database, attempt)
  return result
}

const tooManyAttempts = (msUntilFree: number) =>
  new RateLimited(
    { passed: false, limit: 1, remaining: 0, msUntilFree },
    `Too many failed attempts: retry in ${Math.ceil(msUntilFree / 1_000)} s, or sign in with a ` +
      'one-time link',
  )

async function recordFailure(services: HttpServices, { email, address }: Attempt) {
  const account = await accountStore.findByEmail(services.db, email)
  if (account)
    await recordAccountEvent(services, services.database, account.id, {
      operation: 'session.failed',
      targetId: account.id,
      ip: address,
      result: 'refused',
    })
}
