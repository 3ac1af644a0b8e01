// Wraps host objects for a realm, so that the realm sees the promises they return.

/**
 * Wraps a host object: `hear` receives the name and the promise of each asynchronous call, also of
 * nested objects.
 */
export function watchCalls(
  name: string,
  value: unknown,
  hear: (what: string, calling: Promise<unknown>) => void,
): unknown {
  if (typeof value !== 'function' && (typeof value !== 'object' || value === null))
    return value
  const known = new Map<unknown, unknown>()
  const wrapped = (property: string, found: unknown, owner: object) => {
    if (typeof found === 'function')
      return watchCalls(property, bound(found as Callable, owner), hear)
    return isBare(found) ? watchCalls(property, found, hear) : found
  }
  return new Proxy(value as object, {
    apply(called, self, args) {
      const answer = Reflect.apply(called as Callable, self, args)
      if (answer instanceof Promise) hear(name, answer)
      return answer
    },
    get(owner, property) {
      const found = Reflect.get(owner, property)
      const fixed = Object.getOwnPropertyDescriptor(owner, property)
      if (isClass(found) || (fixed && !fixed.configurable && !fixed.writable))
        return found
      if (!known.has(found))
        known.set(found, wrapped(`${name}.${String(property)}`, found, owner))
      return known.get(found)
    },
  })
}

/**
 * Returns whether a value is a class. Classes are not wrapped, because code calls them with `new`.
 */
const isClass = (value: unknown) =>
  typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))

type Callable = (...args: unknown[]) => unknown

/** Binds a method, so that private fields work, and keeps its properties (`axios.get`). */
const bound = (method: Callable, owner: object) =>
  Object.assign(method.bind(owner), method)

const isBare = (value: unknown) =>
  Object(value) === value && Object.getPrototypeOf(value) === Object.prototype
