// Answers a request with a key once, however often it comes: the first answer is given again for a day. What the request does, and its answer,
// are one transaction; kill -9 at any moment leaves both or neither. A request that is refused leaves nothing: repeated, it is done anew.
// Twins wait for each other: in this process in memory, without a connection; in another by asking again, up to a point.
import { timingSafeEqual } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '@botstead/contract'
import { isDeadlock } from '../db/conflicts.ts'
import { checkFence } from '../queue/fencing.ts'
import type { Services } from '../services.ts'
import {
  type Answer,
  type Asked,
  claimKey,
  giveUpKey,
  type Known,
  keepAnswer,
  lookUpKey,
  settleKey,
} from './keys.ts'
import { outside } from './outside.ts'
import { Afterwards, CallsCode, servicesInside } from './unit.ts'

/** Does what is asked, with the services given; more than once when the database had to undo it. */
export type Perform = (services: Services) => Promise<Answer>

export interface KeyedAnswers {
  /**
   * Throws what `perform` throws, RelationConflict when the key belongs to another request, ResourceLockedConflict while another
   * process, or an attempt that takes too long, is at it. `operation` is `family.name`.
   */
  answer(operation: string, asked: Asked, perform: Perform): Promise<Answer & { replayed: boolean }>
}

interface Options {
  services: () => Services
  workerId: () => string
  /** How long a twin waits. */
  patienceMs?: number
}

type Given = Answer & { replayed: boolean }

export function keyedAnswers({ services, workerId, patienceMs = 30_000 }: Options): KeyedAnswers {
  const underWay = new Map<string, { request: Buffer; given: Promise<Given | null> }>()
  return {
    async answer(operation, asked, perform) {
      const name = asked.id.toString('base64')
      const until = performance.now() + patienceMs
      for (let twin = underWay.get(name); twin; twin = underWay.get(name)) {
        const given = await inTime(twin.given, until)
        if (given) return replay({ request: twin.request, answer: given }, asked)!
      }
      const outsideOfIt = () => claimed(services(), workerId, asked, perform, until)
      const given =
        operation in outside
          ? outsideOfIt()
          : atomically(services(), asked, perform, until).catch((error) => {
              if (error instanceof CallsCode) return outsideOfIt()
              throw error
            })
      underWay.set(name, { request: asked.request, given: given.catch(() => null) })
      return given.finally(() => underWay.delete(name))
    },
  }
}

async function inTime<T>(twin: Promise<T>, until: number): Promise<T> {
  const tooLong = new AbortController()
  const end = pause(Math.max(0, until - performance.now()), undefined, {
    signal: tooLong.signal,
    ref: false,
  }).then(() => {
    throw locked()
  })
  end.catch(() => {})
  return Promise.race([twin, end]).finally(() => tooLong.abort())
}

const locked = () =>
  new ApiError('ResourceLockedConflict', 'A request with this idempotency-key is being answered: try again')

/** The first answer, for the same request. */
function replay({ request, answer }: Known, asked: Asked): Given | null {
  if (!timingSafeEqual(request, asked.request))
    throw new ApiError('RelationConflict', 'This idempotency-key was used for a request with another content')
  return answer && { status: answer.status, body: answer.body, replayed: true }
}

/** Another process was quicker, and has committed: what was done here goes, and its answer is given. */
class Overtaken extends Error {}

async function atomically(services: Services, asked: Asked, perform: Perform, until: number): Promise<Given> {
  for (;;) {
    const given = await attempt(services, asked, perform).catch((error) => {
      // Nothing of it is left; whom it was in the way of is through by then.
      if (error instanceof Overtaken || isDeadlock(error)) return null
      throw error
    })
    if (given) return given
    await rest(until)
  }
}

/** Null while another process is at it. */
async function attempt(services: Services, asked: Asked, perform: Perform): Promise<Given | null> {
  const { database, secrets, log } = services
  const afterwards = new Afterwards()
  const given = await database.inOneTransaction(async (inside) => {
    const { free, known } = await lookUpKey(inside, secrets, asked)
    if (known) return replay(known, asked)
    if (!free) return null
    const answer = await perform(servicesInside(services, inside, afterwards))
    if (!(await keepAnswer(inside, secrets, asked, answer))) throw new Overtaken()
    return { ...answer, replayed: false }
  }, asked.fence)
  for (const error of await afterwards.happen())
    log.warn(
      { err: error },
      'what follows a request with an idempotency-key failed; the request itself is done',
    )
  return given
}

/** For what is listed in outside.ts. */
async function claimed(
  services: Services,
  workerId: () => string,
  asked: Asked,
  perform: Perform,
  until: number,
): Promise<Given> {
  const { database, secrets, log } = services
  if (asked.fence) await checkFence(database, asked.fence)
  for (;;) {
    const owner = workerId()
    const { ours, known } = await claimKey(database, secrets, asked, owner)
    if (ours) {
      const answer = await perform(services).catch(async (error) => {
        await giveUpKey(database, asked, owner).catch((failure) =>
          log.warn({ err: failure }, 'an idempotency-key stays claimed until it is used again'),
        )
        throw error
      })
      await settleKey(database, secrets, asked, owner, answer).catch((error) =>
        log.warn({ err: error }, 'an answer could not be kept for its idempotency-key'),
      )
      return { ...answer, replayed: false }
    }
    const given = known && replay(known, asked)
    if (given) return given
    await rest(until)
  }
}

async function rest(until: number): Promise<void> {
  if (performance.now() >= until) throw locked()
  await pause(20 + 60 * Math.random())
}
