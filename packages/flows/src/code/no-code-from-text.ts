// Closes the shortest way out of a realm: `URL.constructor('return process')()` would compile code
// outside of it. This keeps honest code inside its limits, and is no security boundary: host objects
// have other ways. The isolation of the bot's process is the boundary.

/** Of all kinds of functions; each prototype names the constructor that compiles text. */
const prototypes = [() => {}, async () => {}, function* () {}, async function* () {}].map(
  (one) => Object.getPrototypeOf(one) as { constructor: { name: string } },
)

/** Looks like the constructor, for code that reads its name or prototype, and compiles nothing. */
export function barred(prototype: { constructor: { name: string } }) {
  const { name } = prototype.constructor
  const made = () => {
    throw new EvalError(`${name} cannot compile text here: write the code itself`)
  }
  return Object.defineProperties(made, {
    name: { value: name },
    prototype: { value: prototype },
  })
}

let isClosed = false

/** Functions of this process no longer lead to the constructors that compile text. `Function` itself stays. */
export function closeConstructors(): void {
  if (isClosed) return
  isClosed = true
  for (const prototype of prototypes)
    Object.defineProperty(prototype, 'constructor', { value: barred(prototype) })
}
