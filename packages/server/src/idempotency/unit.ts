// What handlers do within one transaction: the same services, on that transaction's database. What others must not hear before it is
// committed, and never when it is not, waits until then.
import { isDeadlock } from '../db/conflicts.ts'
import type { Database } from '../db/open.ts'
import { openAnalytics } from '../insights/analytics.ts'
import { messageWriter } from '../messaging/message-writer.ts'
import type { Services } from '../services.ts'

/** All of `work` is one transaction, begun anew when the database undid it because of others. Steps that follow it, and fail, are for the log. */
export async function asOneUnit<T>(
  services: Services,
  work: (inside: Services) => Promise<T>,
  fence: string | null = null,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const afterwards = new Afterwards()
    try {
      const result = await services.database.inOneTransaction(
        (inside) => work(servicesInside(services, inside, afterwards)),
        fence,
      )
      for (const error of await afterwards.happen())
        services.log.warn({ err: error }, 'what follows a request failed; the request itself is done')
      return result
    } catch (error) {
      if (!isDeadlock(error) || tries === 5) throw error
    }
  }
}

/** Steps that follow a commit, in order. */
export class Afterwards {
  #steps: (() => unknown)[] = []
  #committed = false

  /** What comes after the commit (the writer of messages leaves some for later) happens at once. */
  add(step: () => unknown) {
    if (this.#committed) step()
    else this.#steps.push(step)
  }

  /** All of them, even when one fails; the failures. */
  async happen(): Promise<unknown[]> {
    this.#committed = true
    const failures: unknown[] = []
    for (const step of this.#steps) {
      try {
        await step()
      } catch (error) {
        failures.push(error)
      }
    }
    return failures
  }
}

/** Nothing was done yet: the request is done as those are that are listed in outside.ts. */
export class CallsCode extends Error {}

export function servicesInside(services: Services, inside: Database, afterwards: Afterwards): Services {
  const deliveries = putOff(services.deliveries, ['dispatch'], afterwards)
  // `settled` too: it is about what was published.
  const signals = putOff(services.signals, ['publish', 'cut', 'cutEverywhere', 'settled'], afterwards)
  return {
    ...services,
    ...{ db: inside.db, database: inside, deliveries, signals },
    messages: messageWriter(inside, deliveries, signals),
    analytics: openAnalytics(inside),
    invoker: putOff({ ...services.invoker, invoke: refuse }, ['recycle', 'recycleIntegration'], afterwards),
    forget: async (what) => afterwards.add(() => services.forget(what)),
    dueIn: (ms) => afterwards.add(() => services.dueIn(ms)),
    afterCommit: async (step) => afterwards.add(() => step(services)),
    callsCode() {
      throw new CallsCode()
    },
  }
}

/** The same object, but for the methods named, which are called afterwards. */
function putOff<T extends object>(object: T, names: (keyof T)[], afterwards: Afterwards): T {
  return new Proxy(object, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (!names.includes(name as keyof T)) return value.bind(target)
      return (...values: unknown[]) => afterwards.add(() => value.apply(target, values))
    },
  })
}

/** Code that is called may call back, and would wait for this transaction, which waits for it. */
const refuse = () =>
  Promise.reject(
    new Error(
      'Code is called after the commit (services.afterCommit), or by an operation listed in idempotency/outside.ts',
    ),
  )
