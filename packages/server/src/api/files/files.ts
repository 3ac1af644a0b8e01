import { ApiError, type files as contract, type Handlers } from '@botstead/contract'
import { callerInOtherBot } from '../../http/authenticate.ts'
import type { BotCaller, Context, Contexts } from '../../http/services.ts'
import { type Limits, rejectTooManyTags } from '../../infra/config/limits.ts'
import { contentTypeOf } from '../../modules/files/content-type.ts'
import { uploadUrl } from '../../modules/files/content-urls.ts'
import { copyFile } from '../../modules/files/copies.ts'
import { listFileTags, listFileTagValues } from '../../modules/files/file-tags.ts'
import {
  deleteFile,
  type FileRow,
  filePosition,
  findFile,
  listFiles,
  updateFile,
  upsertFile,
} from '../../modules/files/files.ts'
import { parseTagFilter } from '../../modules/files/tag-filter.ts'
import { removeLooseBlobs } from '../../modules/files/uploads.ts'
import { withinQuota } from '../../modules/reports/usage/quotas.ts'
import { momentOf } from '../moments.ts'
import { originOf } from '../origin.ts'
import { type PageRequest, pageInBot, pageOf } from '../paging.ts'
import { type FileAccess, fileAccess, readOnly } from './access.ts'
import { toFile } from './serializers.ts'

export const files: Handlers<(typeof contract)['files'], Contexts> = {
  async upsertFile(context, { body }) {
    const { services, caller, request } = context
    const { owner, mayWrite } = fileAccess(caller, request.headers)
    if (!mayWrite()) throw readOnly()
    checkFileLimits(services.limits, body)
    const input = {
      ...body,
      owner,
      expiresAt: momentOf(body.expiresAt),
      metadata: metadataOf(body.metadata),
    }
    // checked again when the content has arrived; this check saves a useless upload
    const row = await withinQuota(
      services,
      { botId: caller.botId, type: 'storage_count' },
      ({ db }) => upsertFile(db, caller.botId, input),
      ({ size }) => body.size - Number(size ?? 0),
    )
    const contentType = body.contentType ?? contentTypeOf(body.key)
    const upload = {
      botId: caller.botId,
      fileId: row.id,
      uploadId: row.upload_id,
      size: body.size,
      contentType,
    }
    return {
      file: {
        ...toFile(context, row),
        contentType,
        uploadUrl: uploadUrl(services.secrets, originOf(context), upload),
      },
    }
  },

  async getFile(context, { params }) {
    const { viewer } = fileAccess(context.caller, context.request.headers)
    return {
      file: toFile(
        context,
        await findFile(context.services.db, context.caller.botId, params.id, viewer),
      ),
    }
  },

  async listFiles(context, { query }) {
    const { services, caller, request } = context
    const { viewer } = fileAccess(caller, request.headers)
    const { sortField: sort = 'createdAt', sortDirection: direction = 'desc', ids, indexed } = query
    const page = pageInBot(context, 'files.listFiles', query)
    const listing = {
      viewer,
      sort,
      direction,
      ids,
      indexed,
      tags: parseTagFilter(query.tags),
      limit: page.limit + 1,
      position: page.position,
    }
    const { items, meta } = pageOf(
      page,
      await listFiles(services.db, caller.botId, listing),
      (row) => filePosition(row, sort),
    )
    return { files: items.map((row) => toFile(context, row)), meta }
  },

  async updateFileMetadata(context, { params, body }) {
    const { services } = context
    const file = await writableFile(context, params.id)
    checkFileLimits(services.limits, { ...body, tags: tagsAfter(file, body.tags) })
    const row = await updateFile(services.db, file, {
      ...body,
      expiresAt: momentOf(body.expiresAt),
      metadata: metadataOf(body.metadata),
    })
    return { file: toFile(context, row) }
  },

  async copyFile(context, { params, headers, body }) {
    const { services, caller, request } = context
    const { viewer } = fileAccess(caller, request.headers)
    const source = await findFile(services.db, caller.botId, params.idOrKey, viewer)
    const other = headers['x-destination-bot-id'] || caller.botId
    const there =
      other === caller.botId
        ? caller
        : await callerInOtherBot(services, 'files.write', request, other)
    const { owner, mayWrite } = fileAccess(there, request.headers)
    if (!mayWrite()) throw readOnly()
    const target = {
      botId: there.botId,
      key: params.destinationKey,
      owner,
      overwrite: body.overwrite ?? false,
    }
    return {
      file: toFile(context, await copyFile(services.db, services.blobs, services, source, target)),
    }
  },

  async deleteFile(context, { params }) {
    const { services, caller } = context
    const { id } = await writableFile(context, params.id)
    const blob = await deleteFile(services.db, caller.botId, id)
    // The file is deleted; if the disk fails, the next sweep deletes its content.
    if (blob)
      await removeLooseBlobs(services.db, services.blobs, new Date(), blob).catch((error) =>
        services.log.warn(
          { err: error },
          'deleting the content of a deleted file failed; the next sweep retries',
        ),
      )
    return {}
  },

  async listFileTags(context, { query }) {
    const { services, caller, request } = context
    const page = pageInBot(context, 'files.listFileTags', query)
    const rows = await listFileTags(
      services.db,
      caller.botId,
      tagListing(page, fileAccess(caller, request.headers)),
    )
    const { items, meta } = pageOf(page, rows, (tag) => [tag])
    return { tags: items, meta }
  },

  async listFileTagValues(context, { params: { tag }, query }) {
    const { services, caller, request } = context
    const page = pageInBot(context, 'files.listFileTagValues', { ...query, tag })
    const rows = await listFileTagValues(
      services.db,
      caller.botId,
      tag,
      tagListing(page, fileAccess(caller, request.headers)),
    )
    const { items, meta } = pageOf(page, rows, (value) => [value])
    return { values: items, meta }
  },
}

const tagListing = ({ position, limit }: PageRequest<string[]>, { viewer }: FileAccess) => ({
  viewer,
  position: position?.[0] ?? null,
  limit: limit + 1,
})

/**
 * Throws ResourceNotFound for a file that the caller must not see, Forbidden for one that the
 * caller may only read.
 */
async function writableFile(
  { services, caller, request }: Context<BotCaller>,
  idOrKey: string,
): Promise<FileRow> {
  const { viewer, mayWrite } = fileAccess(caller, request.headers)
  const file = await findFile(services.db, caller.botId, idOrKey, viewer)
  if (!mayWrite(file)) throw new ApiError('Forbidden', 'This caller may only read this file')
  return file
}

const tagsAfter = ({ tags }: FileRow, changes: Record<string, string | null> = {}) =>
  Object.fromEntries(Object.entries({ ...tags, ...changes }).filter(([, value]) => value !== null))

/** Throws LimitExceeded. */
function checkFileLimits(
  limits: Limits,
  { size = 0, tags = {}, expiresAt }: { size?: number; tags?: object; expiresAt?: string | null },
) {
  rejectTooManyTags(limits, tags as Record<string, unknown>)
  if (size > limits.fileBytes)
    throw new ApiError('LimitExceeded', `A file must have at most ${limits.fileBytes} bytes`)
  const days = expiresAt ? (momentOf(expiresAt).getTime() - Date.now()) / 86_400_000 : 0
  if (days > limits.fileDays)
    throw new ApiError(
      'LimitExceeded',
      `\`expiresAt\` must be at most ${limits.fileDays} days from now`,
    )
}

/** Metadata must be an object, although the contract allows any value. Null counts as absent. */
function metadataOf(metadata: unknown): Record<string, unknown> | undefined {
  if (metadata === undefined || metadata === null) return undefined
  if (typeof metadata !== 'object' || Array.isArray(metadata))
    throw new ApiError('InvalidPayload', '`metadata` must be an object')
  return metadata as Record<string, unknown>
}
