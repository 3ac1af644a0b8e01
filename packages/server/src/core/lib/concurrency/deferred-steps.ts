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

/** Returns a proxy of the object that defers calls of the named methods until after the commit. */
export function defer<T extends object>(
  object: T,
  names: (keyof T)[],
  afterwards: DeferredSteps,
): T {
  return new Proxy(object, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (!names.includes(name as keyof T)) return value.bind(target)
      return (...values: unknown[]) => afterwards.add(() => value.apply(target, values))
    },
  })
}
