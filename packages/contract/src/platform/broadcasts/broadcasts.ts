import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, Moment, paging } from '../../fields.ts'
import {
  Broadcast,
  BroadcastPreview,
  BroadcastRecipient,
  BroadcastReport,
  newBroadcast,
  recipientStates,
} from '../../models/broadcasts/broadcast.ts'
import { operation } from '../../operation.ts'

const path = '/v1/platform/broadcasts'
const response = closed({ broadcast: Broadcast })
const state = T.Optional(T.Enum([...recipientStates]))

export const broadcasts = {
  listBroadcasts: operation({
    method: 'GET',
    path,
    access: 'bot',
    summary: 'List broadcasts, newest first',
    query: T.Object(paging),
    response: closed({ broadcasts: T.Array(Broadcast), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  createBroadcast: operation({
    method: 'POST',
    path,
    access: 'bot',
    summary: 'Send one message to many people',
    description:
      'At `startAt` (now by default) the server lists the recipients, and sends each one message, never ' +
      'two. People who opted out are skipped, also if they opt out while it runs. A variable without a ' +
      'value and without a default skips the person.',
    body: closed({
      name: T.String({ minLength: 1, maxLength: 200 }),
      ...newBroadcast,
      /** Messages per minute; 600 by default. */
      perMinute: T.Optional(T.Integer({ minimum: 1, maximum: 30_000 })),
      startAt: T.Optional(Moment),
    }),
    status: 201,
    response,
    errors: ['InvalidPayload', 'ReferenceNotFound', 'InvalidQuery', 'LimitExceeded'],
  }),
  previewBroadcast: operation({
    method: 'POST',
    path: `${path}/preview`,
    access: 'bot',
    audit: false,
    summary: 'Count recipients without sending',
    description:
      'A dry run: counts the people, shows the messages of the first five, and the reasons for which ' +
      'others are skipped. Stores nothing. Ends after 20 seconds.',
    body: closed(newBroadcast),
    response: BroadcastPreview,
    errors: ['InvalidPayload', 'ReferenceNotFound', 'InvalidQuery', 'OperationTimeout'],
  }),
  getBroadcast: operation({
    method: 'GET',
    path: `${path}/{id}`,
    access: 'bot',
    summary: 'Get a broadcast with its report',
    params: byId,
    response: closed({ broadcast: Broadcast, report: BroadcastReport }),
    errors: ['ResourceNotFound'],
  }),
  stopBroadcast: operation({
    method: 'POST',
    path: `${path}/{id}/stop`,
    access: 'bot',
    summary: 'Stop a broadcast',
    description: 'No further message is written after the response.',
    params: byId,
    body: closed({}),
    response,
    errors: ['ResourceNotFound', 'RelationConflict'],
  }),
  resumeBroadcast: operation({
    method: 'POST',
    path: `${path}/{id}/resume`,
    access: 'bot',
    summary: 'Resume a stopped or failed broadcast',
    description: 'It continues with the people who have no message yet.',
    params: byId,
    body: closed({}),
    response,
    errors: ['ResourceNotFound', 'RelationConflict'],
  }),
  deleteBroadcast: operation({
    method: 'DELETE',
    path: `${path}/{id}`,
    access: 'bot',
    summary: 'Delete a broadcast with its report',
    description: 'A running one stops. Messages stay in their conversations.',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
  listBroadcastRecipients: operation({
    method: 'GET',
    path: `${path}/{id}/recipients`,
    access: 'bot',
    summary: 'List the recipients of a broadcast',
    description:
      'By user id. A page with `state` may be shorter or empty although more follow.',
    params: byId,
    query: T.Object({ ...paging, state }),
    response: closed({ recipients: T.Array(BroadcastRecipient), meta: Meta }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
  exportBroadcastRecipients: operation({
    method: 'GET',
    path: `${path}/{id}/recipients/export`,
    access: 'bot',
    summary: 'Export the recipients of a broadcast as CSV',
    description:
      'In pages of 5,000 recipients by default, of which the first has the names of the columns.',
    params: byId,
    query: T.Object({
      nextToken: paging.nextToken,
      pageSize: T.Optional(T.Integer({ minimum: 1, maximum: 5_000 })),
    }),
    response: closed({ csv: T.String(), meta: Meta }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
}
