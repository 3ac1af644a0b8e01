// Idempotency: performs a request with a key once and replays the first response for a day. The
// effects and the response are one transaction, so kill -9 at any moment leaves both or neither. A
// message and its key are one statement, shared with other messages (messaging/message-keys.ts). A
// rejected request stores nothing and can be repeated. Concurrent requests with the same key wait:
// in this process in memory, without a connection; across processes by polling, with a time limit.
// Statements that write the same key wait for each other in the database.
import { timingSafeEqual } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '@botstead/contract'
import { DeferredSteps } from '@botstead/lib'
import { isDeadlock } from '../db/index.ts'
import { fencing } from '../queue/index.ts'
import type { Secrets } from '../sealing/index.ts'
import {
  claimKey,
  findKey,
  giveUpKey,
  type KeyedRequest,
  lookUpKey,
  type StoredKey,
  type StoredResponse,
  settleKey,
  storeResponse,
} from './keys.ts'
import { KeyTaken, type MessageKey } from './message-keys.ts'
import { outsideTransaction } from './outside-transaction.ts'
import {
  type Bind,
  CodeCallAnnounced,
  type TransactionServices,
} from './request-transaction.ts'

/**
 * Performs the request with the given services. Must be repeatable, because the database may roll
 * it back.
 */
type Perform<Services> = (services: Services) => Promise<StoredResponse>

export interface KeyedResponses<Services> {
  /**
   * Returns the response, performed or replayed. Throws what `perform` throws, RelationConflict
   * when the key belongs to a different request, and ResourceLockedConflict while another process
   * performs the request or when the wait takes too long. `operation` is `family.name`.
   */
  respond(
    operation: string,
    keyed: KeyedRequest,
    perform: Perform<Services>,
  ): Promise<StoredResponse & { replayed: boolean }>
}

export type KeyedServices<Services> = TransactionServices<Services> & {
  secrets: Secrets
  /** Of the module messaging, which is above this one. */
  messages: { post(message: { key?: MessageKey }): Promise<unknown> }
}

interface Options<Services> {
  services: () => Services
  bind: Bind<Services>
  workerId: () => string
  /** How long a concurrent request waits, in ms. */
  timeoutMs?: number
}

type Result = StoredResponse & { replayed: boolean }

export function createKeyedResponses<Services extends KeyedServices<Services>>({
  services,
  bind,
  workerId,
  timeoutMs = 30_000,
}: Options<Services>): KeyedResponses<Services> {
  const inProgress = new Map<
    string,
    { request: Buffer; result: Promise<Result | null> }
  >()
  return {
    async respond(operation, keyed, perform) {
      const name = keyed.id.toString('base64')
      const until = performance.now() + timeoutMs
      for (let twin = inProgress.get(name); twin; twin = inProgress.get(name)) {
        const result = await withDeadline(twin.result, until)
        if (result) return replay({ request: twin.request, answer: result }, keyed)!
      }
      const runClaimed = () => claimed(services(), workerId, keyed, perform, until)
      const attempt = () =>
        keyed.message?.isOneStatement
          ? attemptInStatement(services(), keyed, perform)
          : attemptInTransaction(services(), bind, keyed, perform)
      const result =
        operation in outsideTransaction
          ? runClaimed()
          : atomically(attempt, until).catch((error) => {
              if (error instanceof CodeCallAnnounced) return runClaimed()
              throw error
            })
      inProgress.set(name, { request: keyed.request, result: result.catch(() => null) })
      return result.finally(() => inProgress.delete(name))
    },
  }
}

async function withDeadline<T>(twin: Promise<T>, until: number): Promise<T> {
  const abort = new AbortController()
  const end = pause(Math.max(0, until - performance.now()), undefined, {
    signal: abort.signal,
    ref: false,
  }).then(() => {
    throw locked()
  })
  end.catch(() => {})
  return Promise.race([twin, end]).finally(() => abort.abort())
}

const locked = () =>
  new ApiError(
    'ResourceLockedConflict',
    'A request with this `idempotency-key` is in progress: retry later',
  )

/** Returns the stored response. Throws RelationConflict for a different request. */
function replay({ request, answer }: StoredKey, keyed: KeyedRequest): Result | null {
  if (!timingSafeEqual(request, keyed.request))
    throw new ApiError(
      'RelationConflict',
      'This `idempotency-key` was already used for a different request: use a new key',
    )
  return answer && { status: answer.status, body: answer.body, replayed: true }
}

async function atomically(
  attempt: () => Promise<Result | null>,
  until: number,
): Promise<Result> {
  for (;;) {
    const result = await attempt().catch((error) => {
      // Everything was rolled back. The process that it conflicted with is done by now.
      if (error instanceof KeyTaken || isDeadlock(error)) return null
      throw error
    })
    if (result) return result
    await waitBeforeRetry(until)
  }
}

/** Returns null while another process performs the request. */
async function attemptInTransaction<Services extends KeyedServices<Services>>(
  services: Services,
  bind: Bind<Services>,
  keyed: KeyedRequest,
  perform: Perform<Services>,
): Promise<Result | null> {
  const { database, secrets, log } = services
  const afterwards = new DeferredSteps()
  const result = await database.inTransaction(async (inside) => {
    const { free, known } = await lookUpKey(inside, secrets, keyed)
    if (known) return replay(known, keyed)
    if (!free) return null
    const answer = await perform(bind(services, inside, afterwards))
    if (!(await storeResponse(inside, secrets, keyed, answer))) throw new KeyTaken()
    return { ...answer, replayed: false }
  }, keyed.fence)
  for (const error of await afterwards.run())
    log.warn(
      { err: error },
      'a step after the commit of a request with an idempotency-key failed; the request itself succeeded',
    )
  return result
}

/**
 * Performs a request that writes one message, in the statement that also stores the key. Searches
 * the key only after a failure, which a repetition causes as well. Returns null for a key without a
 * response.
 */
async function attemptInStatement<Services extends KeyedServices<Services>>(
  services: Services,
  keyed: KeyedRequest,
  perform: Perform<Services>,
): Promise<Result | null> {
  const { database, secrets, messages } = services
  const key = { id: keyed.id, request: keyed.request, status: keyed.message!.status }
  const post = (message: object) => messages.post({ ...message, key })
  try {
    return { ...(await perform({ ...services, messages: { post } })), replayed: false }
  } catch (error) {
    const known = await findKey(database, secrets, keyed)
    if (!known) throw error
    if (keyed.fence) await fencing.check(database, keyed.fence)
    return replay(known, keyed)
  }
}

/** Performs operations that are listed in outside-transaction.ts. */
async function claimed<Services extends KeyedServices<Services>>(
  services: Services,
  workerId: () => string,
  keyed: KeyedRequest,
  perform: Perform<Services>,
  until: number,
): Promise<Result> {
  const { database, secrets, log } = services
  if (keyed.fence) await fencing.check(database, keyed.fence)
  for (;;) {
    const owner = workerId()
    const { ours, known } = await claimKey(database, secrets, keyed, owner)
    if (ours) {
      const answer = await perform(services).catch(async (error) => {
        await giveUpKey(database, keyed, owner).catch((failure) =>
          log.warn(
            { err: failure },
            'cannot release an idempotency-key; it stays claimed until its next use',
          ),
        )
        throw error
      })
      await settleKey(database, secrets, keyed, owner, answer).catch((error) =>
        log.warn({ err: error }, 'cannot store the response for an idempotency-key'),
      )
      return { ...answer, replayed: false }
    }
    const result = known && replay(known, keyed)
    if (result) return result
    await waitBeforeRetry(until)
  }
}

async function waitBeforeRetry(until: number): Promise<void> {
  if (performance.now() >= until) throw locked()
  await pause(20 + 60 * Math.random())
}
