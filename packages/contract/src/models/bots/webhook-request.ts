import { type Static, Type as T } from 'typebox'
import { closed, dictionary, Timestamp } from '../../fields.ts'

/**
 * A request of a third party to an installed integration. Without `status`, the integration did not
 * respond. Requests with a body of more than 16 kB cannot be repeated.
 * @component
 */
export const WebhookRequest = closed({
  id: T.String(),
  at: Timestamp,
  method: T.String(),
  path: T.String(),
  status: T.Optional(T.Integer()),
  error: T.Optional(T.String()),
  ms: T.Integer(),
  isRepeatable: T.Boolean(),
  /** Id of the request that this one repeats. */
  replayOf: T.Optional(T.String()),
})
export type WebhookRequest = Static<typeof WebhookRequest>

const Headers = dictionary(T.String())

/** The first 16 kB. `text` is absent for binary content. */
const Body = closed({
  text: T.Optional(T.String()),
  bytes: T.Integer(),
  isComplete: T.Boolean(),
})

/** Request and response without secrets: their values are `[redacted]`. @component */
export const WebhookContent = closed({
  query: T.String(),
  headers: Headers,
  body: Body,
  response: T.Optional(closed({ headers: Headers, body: Body })),
})
export type WebhookContent = Static<typeof WebhookContent>
