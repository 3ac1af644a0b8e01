// How things of the host look in a realm: what they answer later is waited for, and told.

/** What it answers goes on in the realm as soon as it is there. Libraries that only compute are left as they are. */
export function heard(
  name: string,
  value: unknown,
  hear: (what: string, calling: Promise<unknown>) => void,
): unknown {
  if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) return value
  const known = new Map<unknown, unknown>()
  const wrapped = (property: string, found: unknown, owner: object) => {
    if (typeof found === 'function') return heard(property, bound(found as Callable, owner), hear)
    return isBare(found) ? heard(property, found, hear) : found
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
      if (isClass(found) || (fixed && !fixed.configurable && !fixed.writable)) return found
      if (!known.has(found)) known.set(found, wrapped(`${name}.${String(property)}`, found, owner))
      return known.get(found)
    },
  })
}

/** Made with `new`, which what is bound to its owner is not. */
const isClass = (value: unknown) =>
  typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))

type Callable = (...args: unknown[]) => unknown

/** A method finds its object's private parts; what else it has (`axios.get`) it keeps. */
const bound = (method: Callable, owner: object) => Object.assign(method.bind(owner), method)

const isBare = (value: unknown) =>
  Object(value) === value && Object.getPrototypeOf(value) === Object.prototype
