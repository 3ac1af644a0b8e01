// A stable identity of requests: the same for every order of properties, and without what does not
// change the response (ids, time-outs, the caller).
import { createHash } from 'node:crypto'
import type { TextCall } from './call.ts'

/** The parts of a call that determine its response, as JSON with sorted properties. */
export function toHashedRequest(call: TextCall): object {
  const { models, options, reasoningEffort, searches, excludedDomains } = call
  return sorted({ models, options, reasoningEffort, searches, excludedDomains }) as object
}

export const hashRequest = (request: object) =>
  createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 40)

function sorted(value: unknown): unknown {
  if (value instanceof Uint8Array)
    return { sha256: createHash('sha256').update(value).digest('hex') }
  if (value instanceof URL) return String(value)
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(
    entries
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  )
}
