// Copies the changes of a run of code to the objects that the engine saves.
import type { BotEvent } from '../engine/event-types.ts'
import { preview } from '../tracing/preview.ts'
import type { ScopeName, Surroundings } from './surroundings.ts'

type Json = Record<string, unknown>

/**
 * Copies the changes. Returns false if the text has another shape, as code may change how its
 * values become JSON.
 */
export function saveChanges(
  { event, outgoingEvent, scopes }: Surroundings,
  text: unknown,
): boolean {
  const result = typeof text === 'string' ? JSON.parse(text) : null
  if (
    !isObject(result) ||
    !isObject(result.scopes) ||
    !Object.values(result.scopes).every(isObject) ||
    !isObject(result.event)
  )
    return false
  for (const name of Object.keys(scopes))
    if (name !== 'env')
      replace(scopes[name as ScopeName], (result.scopes[name] ?? {}) as Json)
  keepEvent(event, result.event)
  if (outgoingEvent && isObject(result.outgoingEvent))
    keepEvent(outgoingEvent, result.outgoingEvent)
  return true
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Copies `type`, `payload`, `preview` and `tags`. Id, time and conversation of an event never
 * change.
 */
function keepEvent(event: BotEvent, result: Json): void {
  const { type, payload, preview: was } = event
  if (typeof result.type === 'string') event.type = result.type
  if (isObject(result.payload)) event.payload = result.payload
  if (isObject(result.tags)) event.tags = result.tags
  const changed =
    event.type !== type || JSON.stringify(event.payload) !== JSON.stringify(payload)
  // Code that redacts the payload expects the preview to change, too.
  if (typeof result.preview === 'string' && result.preview !== was)
    event.preview = result.preview
  else if (changed && isMessage(event)) event.preview = preview(event.type, event.payload)
}

const isMessage = ({ messageId, direction }: BotEvent) =>
  messageId !== undefined || direction === 'outgoing'

function replace(values: Json, by: Json): void {
  for (const name of Object.keys(values))
    if (!Object.hasOwn(by, name)) delete values[name]
  // An assignment to __proto__ would change the prototype.
  for (const [name, value] of Object.entries(by))
    Object.defineProperty(values, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    })
}
