import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, Moment, nullable, paging, sorting } from '../fields.ts'
import { AccessPolicy, File, FileTagChanges, FileTags, UploadableFile } from '../models/file.ts'
import { Indexing } from '../models/indexing.ts'
import { operation } from '../operation.ts'

/** On whose behalf: an integration of the bot, or one of its users. */
const behalf = {
  'x-integration-id': T.Optional(T.String()),
  'x-integration-alias': T.Optional(T.String()),
  'x-integration-name': T.Optional(T.String()),
  'x-user-id': T.Optional(T.String()),
  'x-user-role': T.Optional(T.String()),
}
export const headers = T.Object(behalf)

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
    errors: ['Forbidden', 'LimitExceeded'],
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
  updateFileMetadata: operation({
    method: 'PUT',
    path: '/v1/files/{id}',
    access: 'bot',
    summary: 'Change what is known of a file: metadata and tags are merged into those that are there',
    params: byId,
    headers,
    body: closed({
      /** Null removes one. */
      metadata: T.Optional(T.Unknown()),
      tags: T.Optional(FileTagChanges),
      accessPolicies: T.Optional(T.Array(AccessPolicy)),
      expiresAt: T.Optional(nullable(Moment)),
    }),
    response: closed({ file: File }),
    errors: ['ResourceNotFound', 'Forbidden', 'LimitExceeded'],
  }),
  copyFile: operation({
    method: 'POST',
    path: '/v1/files/{idOrKey}/{destinationKey}',
    access: 'bot',
    permission: 'files.write',
    summary: 'Copy a file and its content under another key, or into another bot',
    params: T.Object({ idOrKey: T.String(), destinationKey: T.String() }),
    headers: T.Object({ 'x-destination-bot-id': T.Optional(T.String()), ...behalf }),
    body: closed({ overwrite: T.Optional(T.Boolean()) }),
    response: closed({ file: File }),
    errors: ['ResourceNotFound', 'Forbidden', 'AlreadyExists'],
  }),
  listFileTags: operation({
    method: 'GET',
    path: '/v1/files/tags',
    access: 'bot',
    summary: 'List the names of the tags that files have, each once',
    headers,
    query: T.Object(paging),
    response: closed({ tags: T.Array(T.String()), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  listFileTagValues: operation({
    method: 'GET',
    path: '/v1/files/tags/{tag}/values',
    access: 'bot',
    summary: 'List the values that a tag of files has, each once',
    params: T.Object({ tag: T.String() }),
    headers,
    query: T.Object(paging),
    response: closed({ values: T.Array(T.String()), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
}
