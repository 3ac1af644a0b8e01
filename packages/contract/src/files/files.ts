import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, Moment, nullable, paging, sorting } from '../fields.ts'
import {
  AccessPolicy,
  File,
  FileTagChanges,
  FileTags,
  UploadableFile,
} from '../models/knowledge/file.ts'
import { Indexing } from '../models/knowledge/indexing.ts'
import { operation } from '../operation.ts'

/** Identifies the integration or user on behalf of which the bot calls. */
const identityHeaders = {
  'x-integration-id': T.Optional(T.String()),
  'x-integration-alias': T.Optional(T.String()),
  'x-integration-name': T.Optional(T.String()),
  'x-user-id': T.Optional(T.String()),
  'x-user-role': T.Optional(T.String()),
}
export const headers = T.Object(identityHeaders)

export const files = {
  upsertFile: operation({
    method: 'PUT',
    path: '/v1/files',
    access: 'bot',
    permission: 'knowledge.write',
    summary: 'Create or replace a file by key',
    description: 'Returns the URL to which the caller uploads the content.',
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
    permission: 'knowledge.read',
    summary: 'Get a file by id or key',
    params: byId,
    headers,
    response: closed({ file: File }),
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  listFiles: operation({
    method: 'GET',
    path: '/v1/files',
    access: 'bot',
    permission: 'knowledge.read',
    summary: 'List files, newest first',
    headers,
    query: T.Object({
      ...paging,
      ...sorting('key', 'size', 'createdAt', 'updatedAt', 'status'),
      // JSON text, or parameters with dots in their names: the official client's serialization of
      // an object.
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
    permission: 'knowledge.write',
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
    summary: 'Update the metadata of a file',
    description: 'Merges metadata and tags into the existing ones; null removes a value.',
    params: byId,
    headers,
    body: closed({
      /** Merged into the existing metadata; a null value removes a key. */
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
    summary: 'Copy a file',
    description:
      'Copies the content as well. `x-destination-bot-id` copies into another bot.',
    params: T.Object({ idOrKey: T.String(), destinationKey: T.String() }),
    headers: T.Object({
      'x-destination-bot-id': T.Optional(T.String()),
      ...identityHeaders,
    }),
    body: closed({ overwrite: T.Optional(T.Boolean()) }),
    response: closed({ file: File }),
    errors: ['ResourceNotFound', 'Forbidden', 'AlreadyExists'],
  }),
  listFileTags: operation({
    method: 'GET',
    path: '/v1/files/tags',
    access: 'bot',
    summary: 'List the tag names of files',
    headers,
    query: T.Object(paging),
    response: closed({ tags: T.Array(T.String()), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  listFileTagValues: operation({
    method: 'GET',
    path: '/v1/files/tags/{tag}/values',
    access: 'bot',
    summary: 'List the values of a file tag',
    params: T.Object({ tag: T.String() }),
    headers,
    query: T.Object(paging),
    response: closed({ values: T.Array(T.String()), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
}
