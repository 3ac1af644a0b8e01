// Marks calls to our API with the invocation that makes them.
import { subscribe } from 'node:diagnostics_channel'
import http, { type ClientRequest } from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import { invocations } from './invocations.ts'
import { settings } from './settings.ts'

/** Caches the last URL, because most calls of `http` go to the same URL. */
let lastUrl: { text: string; origin: string | null } = { text: '', origin: null }

export function toOrigin(url: unknown): string | null {
  const text = String(url)
  if (text !== lastUrl.text)
    lastUrl = { text, origin: URL.canParse(text) ? new URL(text).origin : null }
  return lastUrl.origin
}

/**
 * Adds the invocation's headers to every call to our API, with any HTTP client; calls to other
 * servers stay unchanged.
 */
export function markCalls(): void {
  for (const module of [http, https]) markRequests(module)
  syncBuiltinESMExports()
  markFetch()
  // Covers bundled copies of undici and clients built on it.
  subscribe('undici:request:create', (message) => {
    const { request } = message as {
      request: {
        origin: unknown
        headers: unknown
        addHeader(name: string, value: string): void
      }
    }
    const present = String(request.headers).toLowerCase()
    mark(request.origin, {
      has: (name) => present.includes(name),
      set: (name, value) => request.addHeader(name, value),
    })
  })
}

/**
 * Adds the headers to a call to our API. Code that does its own tracing keeps its `traceparent` and
 * `tracestate`.
 */
function mark(
  url: unknown,
  headers: { has(name: string): boolean; set(name: string, value: string): void },
): void {
  const ours = invocations.getStore()?.marks ?? []
  if (ours.length === 0 || toOrigin(url) !== settings.apiOrigin) return
  const tracesItself = headers.has('traceparent')
  for (const [name, value] of ours)
    if (name.startsWith('x-botstead-') ? !headers.has(name) : !tracesItself)
      headers.set(name, value)
}

function markRequests(module: typeof http | typeof https): void {
  const plain = module.request as (...parameters: unknown[]) => ClientRequest
  const request = (...parameters: unknown[]) => {
    const made = plain(...parameters)
    const headers = {
      has: (name: string) => made.hasHeader(name),
      set: (name: string, value: string) => void made.setHeader(name, value),
    }
    if (!made.headersSent) mark(`${made.protocol}//${made.getHeader('host')}`, headers)
    return made
  }
  const get = (...parameters: unknown[]) => {
    const made = request(...parameters)
    made.end()
    return made
  }
  Object.assign(module, { request, get })
}

function markFetch(): void {
  const plain = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const original = input instanceof Request ? input : null
    if (
      !invocations.getStore()?.marks.length ||
      toOrigin(original?.url ?? input) !== settings.apiOrigin
    )
      return plain(input, init)
    const headers = new Headers(init?.headers ?? original?.headers)
    mark(original?.url ?? input, headers)
    return plain(input, { ...init, headers })
  }
}
