import { Type as T } from 'typebox'
import { Count, closed, Meta, paging } from '../../fields.ts'
import { deliveryFilter } from '../../models/bots/dead-letter.ts'
import { Failure } from '../../models/bots/failure.ts'
import { operation } from '../../operation.ts'

/** Either `ids`, or filters; without both, all failures that the server does not retry. */
const chosen = closed({
  ids: T.Optional(T.Array(T.String({ maxLength: 36 }), { minItems: 1, maxItems: 200 })),
  ...deliveryFilter,
  /** At most this many in one request; 200 by default. */
  maxCount: T.Optional(T.Integer({ minimum: 1, maximum: 500 })),
  /** Continues after the failures of the previous response. */
  nextToken: T.Optional(T.String()),
})
const changed = closed({ count: Count, nextToken: T.Optional(T.String()) })

export const failures = {
  listFailures: operation({
    method: 'GET',
    path: '/v1/platform/failures',
    access: 'bot',
    summary: 'List everything that failed, newest first',
    description:
      'Returns events that the bot rejected or failed to handle, messages and changes that were not ' +
      'sent, and deliveries that the server retries. With filters, a page may be empty and have a ' +
      'next page.',
    query: T.Object({ ...paging, ...deliveryFilter }),
    response: closed({ failures: T.Array(Failure), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  redeliverFailures: operation({
    method: 'POST',
    path: '/v1/platform/failures/redeliver',
    access: 'bot',
    summary: 'Redeliver failures: chosen or matching ones',
    description:
      'Appends each delivery to the queue of its conversation, oldest first. `count` excludes ids ' +
      'without a failure, and those that another request redelivers. While the response has ' +
      '`nextToken`, repeat the request with it: failures that fail again are then not repeated.',
    body: chosen,
    response: changed,
    errors: ['InvalidPayload'],
  }),
  discardFailures: operation({
    method: 'POST',
    path: '/v1/platform/failures/discard',
    access: 'bot',
    summary: 'Discard failures: chosen or matching ones',
    description:
      'Deletes dead letters, and takes events off the list; they keep the status `failed`. Chooses ' +
      'as `redeliverFailures` does.',
    body: chosen,
    response: changed,
    errors: ['InvalidPayload'],
  }),
}
