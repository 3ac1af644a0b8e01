import { Type as T } from 'typebox'
import { byId, closed, Meta, paging } from '../../fields.ts'
import {
  Erasure,
  NamedBackup,
  PersonalDataCounts,
  personalDataScopes,
  ReceiptVerification,
} from '../../models/privacy/personal-data.ts'
import { operation } from '../../operation.ts'

const scope = { scope: T.Optional(T.Enum([...personalDataScopes])) }

export const personalData = {
  countPersonalData: operation({
    method: 'GET',
    path: '/v1/platform/users/{id}/personal-data',
    access: 'bot',
    permission: 'data.write',
    summary: "Count a user's data",
    description:
      'The objects that an erasure would erase now, of all users of the person with the default scope, ' +
      'and the backups that contain the user. Changes ' +
      'nothing. `signals` are the events of listeners, which repeat messages.',
    params: byId,
    query: T.Object(scope),
    response: closed({ counts: PersonalDataCounts, backups: T.Array(NamedBackup) }),
    errors: ['ResourceNotFound'],
  }),
  exportPersonalData: operation({
    method: 'GET',
    path: '/v1/platform/users/{id}/personal-data/export',
    access: 'bot',
    permission: 'data.write',
    summary: "Export a user's data as an archive",
    description:
      'A `.tar.gz` with a file of JSON lines for each kind of data, and the contents of files. Other users ' +
      'of the person are in the folder `users`. ' +
      'After an error the connection breaks, so a complete response is a complete export.',
    params: byId,
    query: T.Object(scope),
    response: T.Unsafe<Uint8Array>({ type: 'string', format: 'binary' }),
    stream: true,
    mediaType: 'application/gzip',
    errors: ['ResourceNotFound', 'Unavailable'],
  }),
  erasePersonalData: operation({
    method: 'POST',
    path: '/v1/platform/users/{id}/erasures',
    access: 'bot',
    permission: 'data.write',
    summary: "Erase a user's data",
    description:
      'Erases in the background everything that `countPersonalData` counts, and what arrives ' +
      'meanwhile. A signed receipt follows. Messages of other people stay. Returns the running ' +
      'erasure of the user if there is one. The other users of the person are erased, too, each with a ' +
      'receipt; with the scope `user`, the user is split from them first.',
    params: byId,
    body: closed(scope),
    status: 201,
    /** `others`: of the other users of the person. */
    response: closed({ erasure: Erasure, others: T.Optional(T.Array(Erasure)) }),
    errors: ['ResourceNotFound'],
  }),
  repeatErasure: operation({
    method: 'POST',
    path: '/v1/platform/erasures',
    access: 'bot',
    permission: 'data.write',
    summary: 'Erase again by a receipt',
    description:
      'For a user that a restored backup brought back. The receipt must be one of this installation ' +
      'and of the bot; the user need not exist.',
    body: closed({ receipt: T.Unknown() }),
    status: 201,
    response: closed({ erasure: Erasure }),
    errors: ['InvalidPayload'],
  }),
  listErasures: operation({
    method: 'GET',
    path: '/v1/platform/erasures',
    access: 'bot',
    permission: 'data.write',
    summary: 'List erasures, newest first',
    query: T.Object(paging),
    response: closed({ erasures: T.Array(Erasure), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  getErasure: operation({
    method: 'GET',
    path: '/v1/platform/erasures/{id}',
    access: 'bot',
    permission: 'data.write',
    summary: 'Get an erasure with its receipt',
    params: byId,
    response: closed({ erasure: Erasure }),
    errors: ['ResourceNotFound'],
  }),
  verifyErasureReceipt: operation({
    method: 'POST',
    path: '/v1/platform/erasure-receipts/verify',
    access: 'account',
    audit: false,
    summary: 'Verify the receipt of an erasure',
    body: closed({ receipt: T.Unknown() }),
    response: ReceiptVerification,
  }),
}
