// The client that the SDK gives to handlers, with a record of successful calls, so that a test can
// find methods without a call.

/** In the bot's own process, which lives as long as its code is not changed. */
export const performed = new Set<string>()

export function listMethods(client: object): string[] {
  return Object.entries(client).flatMap(([name, value]) =>
    typeof value === 'function' && !name.startsWith('_') ? [name] : [],
  )
}

export function recordCalls<C extends object>(client: C): C {
  return new Proxy(client, {
    get(target, name: string) {
      const value = target[name as keyof C]
      if (typeof value !== 'function' || name.startsWith('_')) return value
      return async (...given: unknown[]) => {
        const answer = await value.apply(target, given)
        performed.add(name)
        return answer
      }
    },
  })
}

/** What a refusal looks like to who catches it. */
export const toRejection = (promise: Promise<unknown>) =>
  promise.then(
    () => 'nothing was refused',
    ({ code, type, message }) => ({ code, type, message }),
  )
