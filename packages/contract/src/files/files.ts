import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, Moment, paging, sorting } from '../fields.ts'
import { AccessPolicy, File, FileTags, UploadableFile } from '../models/file.ts'
import { Indexing } from '../models/indexing.ts'
import { operation } from '../operation.ts'

/** On whose behalf: an integration of the bot, or one of its users. */
const headers = T.Object({
  'x-integration-id': T.Optional(T.String()),
  'x-integration-alias': T.Optional(T.String()),
  'x-integration-name': T.Optional(T.String()),
  'x-user-id': T.Optional(T.String()),
  'x-user-role': T.Optional(T.String()),
})

export const files = {
  upsertFile: operation({
    method: 'PUT',
    path: '/v1/files',
    access: 'bot',
    summary: 'Announce a file, new or in place of one with the same key, and learn where to put its content',
    headers,
    body: closed({
      key: T.String(),
      size: T.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      contentType: T.Optional(T.String()),
      tags: T.Optional(FileTags),
      metadata: T.Optional(T.Unknown()),
      accessPolicies: T.Optional(T.Array(AccessPolicy)),
      publicContentImmediatelyAccessible: T.Optional(T.Boolean()),
      expiresAt: T.Optional(Moment),
      index: T.Optional(T.Boolean()),
      indexing: T.Optional(Indexing),
    }),
    response: closed({ file: UploadableFile }),
    errors: ['Forbidden'],
  }),
  getFile: operation({
    method: 'GET',
    path: '/v1/files/{id}',
    access: 'bot',
    summary: 'Look up a file by its id or its key',
    params: byId,
    headers,
    response: closed({ file: File }),
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  listFiles: operation({
    method: 'GET',
    path: '/v1/files',
    access: 'bot',
    summary: 'List files, newest first, with such tags or all',
    headers,
    query: T.Object({
      ...paging,
      ...sorting('key', 'size', 'createdAt', 'updatedAt', 'status'),
      // JSON text, or parts with dots in their names, as the official client writes an object
      tags: T.Optional(T.Unknown()),
      ids: T.Optional(T.Array(T.String(), { maxItems: 50 })),
      indexed: T.Optional(T.Boolean()),
    }),
    response: closed({ files: T.Array(File), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  deleteFile: operation({
    method: 'DELETE',
    path: '/v1/files/{id}',
    access: 'bot',
    summary: 'Delete a file and its content',
    params: byId,
    headers,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
}
