import { type Static, Type as T } from 'typebox'
import { closed, dictionary, Json, nullable, Timestamp } from '../../fields.ts'

/** Read access besides the bot's: for all its integrations, or for everyone with the URL. */
export const AccessPolicy = T.Enum(['public_content', 'integrations'])

export const fileStatuses = [
  'upload_pending',
  'upload_failed',
  'upload_completed',
  'indexing_pending',
  'indexing_failed',
  'indexing_completed',
] as const
export const FileStatus = T.Enum([...fileStatuses])

const TagValue = T.String({ maxLength: 1000 })
export const FileTags = dictionary(TagValue)
/** Tags to merge into the existing ones; null removes one. */
export const FileTagChanges = dictionary(nullable(TagValue))

const file = {
  id: T.String(),
  botId: T.String(),
  key: T.String(),
  url: T.String(),
  size: nullable(T.Number()),
  contentType: T.String(),
  tags: FileTags,
  metadata: Json,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  accessPolicies: T.Array(AccessPolicy),
  index: T.Boolean(),
  status: FileStatus,
  failedStatusReason: T.Optional(T.String()),
  expiresAt: T.Optional(Timestamp),
  owner: closed({
    type: T.Enum(['bot', 'integration', 'user']),
    id: T.Optional(T.String()),
    name: T.Optional(T.String()),
    alias: T.Optional(T.String()),
  }),
  indexingStack: T.Optional(T.Enum(['v1', 'v2'])),
}

/** A file without its content, which `url` serves. @component */
export const File = closed(file)
export type File = Static<typeof File>

/** A file with the URL for the upload of its content. @component */
export const UploadableFile = closed({ ...file, uploadUrl: T.String() })
export type UploadableFile = Static<typeof UploadableFile>
