import { Type as T } from 'typebox'
import { closed, Done, Json } from '../fields.ts'
import { operation } from '../operation.ts'

/** Part of a database key, which has a limit. */
const name = T.String({ minLength: 1, maxLength: 200 })
const link = T.Optional(T.String({ maxLength: 200 }))

export const insights = {
  trackAnalytics: operation({
    method: 'POST',
    path: '/v1/chat/analytics',
    access: 'bot',
    summary: 'Count something that the bot has a name for',
    body: closed({ name, count: T.Integer({ minimum: 1, maximum: 2_147_483_647 }) }),
    response: Done,
  }),
  captureObservation: operation({
    method: 'POST',
    path: '/v1/chat/observations',
    access: 'bot',
    summary: 'Keep a fact about what the code did, for those who look into it later',
    // the id is the caller's own word: it may be said twice
    body: closed({
      name: T.String({ maxLength: 200 }),
      data: Json,
      ...{
        id: link,
        messageId: link,
        eventId: link,
        conversationId: link,
        userId: link,
        errorId: link,
        traceId: link,
      },
    }),
    response: Done,
  }),
}
