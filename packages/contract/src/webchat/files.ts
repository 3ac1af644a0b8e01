import { Type as T } from 'typebox'
import { closed, Moment } from '../fields.ts'
import { AccessPolicy, FileTags, UploadableFile } from '../models/knowledge/file.ts'
import { operation } from '../operation.ts'

export const files = {
  createFile: operation({
    method: 'POST',
    path: '/files',
    access: 'chatUser',
    summary: 'Create a file that the caller uploads',
    description:
      'The file belongs to the caller, has at most 100 MB, is never indexed, and expires after at ' +
      'most 30 days. ' +
      'Returns the URL to which the caller uploads the content.',
    status: 201,
    body: T.Object({
      key: T.String({ minLength: 1 }),
      size: T.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      accessPolicies: T.Optional(T.Array(AccessPolicy, { maxItems: 2 })),
      index: T.Optional(T.Boolean()),
      contentType: T.Optional(T.String()),
      tags: T.Optional(FileTags),
      expiresAt: T.Optional(Moment),
    }),
    response: closed({ file: UploadableFile }),
    errors: ['Forbidden', 'LimitExceeded', 'QuotaExceeded'],
  }),
}
