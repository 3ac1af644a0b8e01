import { Type as T } from 'typebox'
import { closed, Done, Json } from '../fields.ts'
import { operation } from '../operation.ts'

/** Limited because it is part of a database key. */
const name = T.String({ minLength: 1, maxLength: 200 })
const link = T.Optional(T.String({ maxLength: 200 }))

export const insights = {
  trackAnalytics: operation({
    method: 'POST',
    path: '/v1/chat/analytics',
    access: 'bot',
    summary: 'Increment an analytics counter',
    body: closed({ name, count: T.Integer({ minimum: 1, maximum: 2_147_483_647 }) }),
    response: Done,
  }),
  captureObservation: operation({
    method: 'POST',
    path: '/v1/chat/observations',
    access: 'bot',
    summary: 'Record an observation',
    // The caller chooses the id; several observations may have the same one.
    body: closed({
      name: T.String({ maxLength: 200 }),
      data: Json,

      id: link,
      messageId: link,
      eventId: link,
      conversationId: link,
      userId: link,
      errorId: link,
      traceId: link,
    }),
    response: Done,
  }),
}
