import { ApiError, type files as contract, type File, type Handlers } from '@botstead/contract'
import { contentTypeOf } from '../../files/content-type.ts'
import { contentUrl, uploadUrl } from '../../files/content-urls.ts'
import { deleteFile, type FileRow, findFile, listFiles, positionOf, upsertFile } from '../../files/files.ts'
import { parseTagFilter } from '../../files/tag-filter.ts'
import { removeLooseBlobs } from '../../files/uploads.ts'
import type { BotCaller, Context, Contexts } from '../../services.ts'
import { originOf } from '../origin.ts'
import { fileAccess } from './access.ts'

export const files: Handlers<(typeof contract)['files'], Contexts> = {
  async upsertFile(context, { body }) {
    const { services, caller, request } = context
    const { owner, mayWrite } = fileAccess(caller, request.headers)
    if (!mayWrite()) throw new ApiError('Forbidden', 'This role may only read files')
    const expiresAt = body.expiresAt === undefined ? undefined : new Date(body.expiresAt)
    const row = await upsertFile(services.db, caller.botId, { ...body, owner, expiresAt, metadata: metadataOf(body.metadata) })
    const contentType = body.contentType ?? contentTypeOf(body.key)
    const upload = { botId: caller.botId, fileId: row.id, uploadId: row.upload_id, size: body.size, contentType }
    return { file: { ...fileOf(context, row), contentType, uploadUrl: uploadUrl(services.secrets, originOf(context), upload) } }
  },

  async getFile(context, { params }) {
    const { viewer } = fileAccess(context.caller, context.request.headers)
    return { file: fileOf(context, await findFile(context.services.db, context.caller.botId, params.id, viewer)) }
  },

  async listFiles(context, { query }) {
    const { services, caller, request } = context
    const { viewer } = fileAccess(caller, request.headers)
    const { nextToken, sortField: sort = 'createdAt', sortDirection: direction = 'desc', ids, indexed, pageSize = 20 } = query
    const listing = JSON.stringify(['listFiles', caller.botId, viewer, sort, direction, query.tags, ids, indexed])
    const rows = await listFiles(services.db, caller.botId, {
      ...{ viewer, sort, direction, ids, indexed, limit: pageSize },
      tags: parseTagFilter(query.tags),
      after: services.pageTokens.read(listing, nextToken),
    })
    const shown = rows.slice(0, pageSize)
    const more = rows.length > pageSize && { nextToken: services.pageTokens.make(listing, positionOf(shown.at(-1)!, sort)) }
    return { files: shown.map((row) => fileOf(context, row)), meta: { ...more } }
  },

  async deleteFile(context, { params }) {
    const { services, caller, request } = context
    const { viewer, mayWrite } = fileAccess(caller, request.headers)
    const file = await findFile(services.db, caller.botId, params.id, viewer)
    if (!mayWrite(file)) throw new ApiError('Forbidden', 'This file is for reading only here')
    await deleteFile(services.db, caller.botId, file.id)
    // The file is gone already; where the disk fails, the next sweep takes its content.
    await removeLooseBlobs(services.db, services.blobs, new Date()).catch((error) =>
      services.log.warn({ err: error }, 'content of a deleted file is left for the next sweep'),
    )
    return {}
  },
}

function fileOf(context: Context<BotCaller>, row: FileRow): File {
  const { services } = context
  const isPublic = row.access_policies.includes('public_content')
  return {
    id: row.id,
    botId: row.bot_id,
    key: row.key,
    url: contentUrl(services.secrets, originOf(context), { botId: row.bot_id, fileId: row.id, isPublic }),
    size: row.size === null ? null : Number(row.size),
    contentType: row.content_type,
    tags: row.tags,
    metadata: row.metadata,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    accessPolicies: row.access_policies as File['accessPolicies'],
    index: row.index,
    status: row.status as File['status'],
    ...(row.status_reason !== null && { failedStatusReason: row.status_reason }),
    ...(row.expires_at !== null && { expiresAt: row.expires_at.toISOString() }),
    owner: row.owner as File['owner'],
  }
}

/** Where no public URL is set, the one by which the caller reached us: it goes back to nobody else. */

function metadataOf(metadata: unknown): Record<string, unknown> | undefined {
  if (metadata === undefined || metadata === null) return undefined
  if (typeof metadata !== 'object' || Array.isArray(metadata)) throw new ApiError('InvalidPayload', 'metadata must be an object')
  return metadata as Record<string, unknown>
}
