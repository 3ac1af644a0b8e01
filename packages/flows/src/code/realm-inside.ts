// Prepares a realm before the author's code runs. It is text, because bundlers change functions.
// The realm evaluates it and calls the result with the host objects. The host then enters the realm
// only through scripts that call one of three functions, so that the timeout applies: `finish`
// reports the result of a promise, `fire` runs the callback of a timer, `leave` serializes the
// event and the scopes.
export const bridgeNames = {
  fire: 'botstead:fire',
  leave: 'botstead:leave',
  finish: 'botstead:finish',
} as const

export const insideText = `'use strict';
(host, lent) => {
  const { parse, stringify } = JSON
  const { then } = Promise.prototype
  const { apply } = Reflect
  const { assign, defineProperty, entries, keys } = Object
  const show = (name, value) => defineProperty(globalThis, name, { value, writable: true,
    configurable: true })
  const define = (name, value) => defineProperty(globalThis, name, { value })
  for (const [name, value] of entries(lent)) show(name, value)
  if (host.clock) {
    const { clock } = host
    const Machine = Date
    show('Date', class Date extends Machine {
      constructor(...given) { super(...(given.length ? given : [clock()])) }
      static now() { return clock() }
    })
  }

  const given = parse(host.given)
  const plain = given.scopes
  const guarded = (scope) => new Proxy(plain[scope], {
    set(values, name, value) {
      const refused = typeof name === 'symbol'
        ? 'The name of a variable must be a string'
        : host.refuse(scope, name, stringify(value))
      if (refused) throw new TypeError(refused)
      return Reflect.defineProperty(values, name, { value, writable: true, enumerable: true,
        configurable: true })
    },
    deleteProperty(values, name) {
      const refused = scope === 'env' ? host.refuse(scope, String(name), undefined) : null
      if (refused) throw new TypeError(refused)
      return Reflect.deleteProperty(values, name)
    },
    defineProperty() { throw new TypeError('Set variables with "=", not with defineProperty') },
  })
  const scopes = {}
  for (const scope of keys(plain)) show(scope, (scopes[scope] = guarded(scope)))
  const timely = (event) => {
    if (!event) return
    event.createdOn = new Date(event.createdOn)
    defineProperty(event.state, 'session', {
      enumerable: true,
      get: () => scopes.session,
      set(values) {
        for (const name of keys(plain.session)) delete plain.session[name]
        assign(scopes.session, values)
      },
    })
    return event
  }
  const event = timely(given.event)
  const outgoingEvent = timely(given.outgoingEvent)
  show('event', event)
  if (outgoingEvent) show('outgoingEvent', outgoingEvent)
  for (const [name, value] of entries(given.data)) show(name, value)
  for (const [name, value] of entries(host.globals)) show(name, value)

  let waiting = new Map()
  let due = []
  let count = 0
  show('setTimeout', (what, ms, ...args) => {
    const id = ++count
    const cancel = host.wait(ms, id)
    waiting.set(id, { what, args, cancel })
    return id
  })
  show('clearTimeout', (id) => {
    waiting.get(id)?.cancel()
    waiting.delete(id)
  })
  define('${bridgeNames.fire}', (id) => {
    const timer = waiting.get(id)
    waiting.delete(id)
    if (timer) timer.what(...timer.args)
  })
  define('${bridgeNames.leave}', () => stringify({ event, outgoingEvent, scopes: plain }))

  const describe = (error) => {
    const fields = {}
    for (const name of ['name', 'message', 'stack', 'code']) try {
      if (Object(error) === error && ['string',
        'number'].includes(typeof error[name])) fields[name] = String(error[name])
    } catch { /* A getter of the author threw: omit the field. */ }
    if (fields.message === undefined) try {
      fields.message = typeof error === 'object' ? (stringify(error) ?? String(error)) : String(error)
    } catch { fields.message = 'The code threw a value that cannot be converted to text' }
    return stringify(fields)
  }
  define('${bridgeNames.finish}', (promise) => apply(then, promise, [(value) => {
    let text
    try { text = stringify(value) } catch (error) { return host.finish(describe(error), 'value') }
    host.finish(null, text)
  }, (error) => host.finish(describe(error), 'thrown')]))
}
`
