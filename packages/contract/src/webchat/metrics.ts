import { Type as T } from 'typebox'
import { Done, Json } from '../fields.ts'
import { operation } from '../operation.ts'

export const metrics = {
  sendPerfMetrics: operation({
    method: 'POST',
    path: '/p',
    access: 'chat',
    summary: 'Send a performance figure of the webchat',
    description: 'For the official webchat. The server does not store it.',
    body: T.Object({
      duration: T.Number(),
      event: T.String({ maxLength: 200 }),
      properties: Json,
    }),
    response: Done,
    errors: ['Forbidden'],
  }),
}
