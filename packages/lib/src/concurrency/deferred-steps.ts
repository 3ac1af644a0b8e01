// Effects of a transaction that other components may see only after its commit.

/** Steps to run after the commit, in order. */
export class DeferredSteps {
  #steps: (() => unknown)[] = []
  #committed = false

  /** Adds a step. After the commit, runs it at once: the message writer adds some that late. */
  add(step: () => unknown) {
    if (this.#committed) step()
    else this.#steps.push(step)
  }

  /** Runs all steps, even when one fails. Returns the failures. */
  async run(): Promise<unknown[]> {
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

/**
 * When a call in a transaction has its effects: after the commit, and never if the transaction fails, or
 * at once, so that they remain if it fails.
 */
export type EffectTime = 'deferred' | 'immediate'

/** Whether `T` is a function without a result: it is called for its effects. */
export type IsEffect<T> = T extends (...values: never[]) => infer Result
  ? [Result] extends [Promise<never> | never]
    ? false
    : [Result] extends [Promise<void> | void]
      ? true
      : false
  : false

/** The names of the methods without a result. */
type EffectNames<T> = {
  [Name in keyof T]-?: IsEffect<T[Name]> extends true ? Name : never
}[keyof T]

/** States each method without a result, so that none is left out. */
export type Effects<T> = { [Name in EffectNames<T>]: EffectTime }

/** Returns a proxy of the object that defers calls of methods until after the commit. */
export function defer<T extends object>(
  object: T,
  effects: Effects<T>,
  afterwards: DeferredSteps,
): T {
  const times = effects as Record<string | symbol, EffectTime | undefined>
  return new Proxy(object, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (!Object.hasOwn(times, name) || times[name] === 'immediate')
        return value.bind(target)
      return (...values: unknown[]) => afterwards.add(() => value.apply(target, values))
    },
  })
}

/** Returns a function that defers calls of `effect` until after the commit. */
export const deferCalls =
  <Values extends unknown[]>(
    effect: (...values: Values) => Promise<void> | void,
    afterwards: DeferredSteps,
  ) =>
  async (...values: Values): Promise<void> =>
    afterwards.add(() => effect(...values))
