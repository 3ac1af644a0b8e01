import { ApiError, type files as contract, type Handlers } from '@botstead/contract'
import {
  authentication,
  type Caller,
  type Context,
  type Contexts,
  type HttpServices,
  type PageRequest,
  pageInBot,
  toDate,
  toListPage,
} from '../../../http/index.ts'
import { copyFile } from '../../copies.ts'
import { listFileTags, listFileTagValues } from '../../file-tags.ts'
import {
  deleteFile,
  type FileRow,
  filePosition,
  isDocument,
  listFiles,
  updateFile,
} from '../../files.ts'
import type { BlobServices } from '../../services.ts'
import { parseTagFilter } from '../../tag-filter.ts'
import { removeLooseBlobs } from '../../uploads.ts'
import { documentAccess, type FileAccess, fileAccess } from './access.ts'
import { toFile } from './serializers.ts'
import { announceUpload, checkFileLimits } from './uploads.ts'

type Own = BlobServices & HttpServices

export const files: Handlers<(typeof contract)['files'], Contexts<Own>> = {
  async upsertFile(context, { body }) {
    const access = documentAccess(context.caller, context.request.headers)
    const { owner, onlyDocuments } = access.requireWrite()
    if (onlyDocuments && !isDocument(body)) throw noDocument()
    const input = {
      ...body,
      onlyDocuments,
      owner,
      expiresAt: toDate(body.expiresAt),
      metadata: parseMetadata(body.metadata),
    }
    return { file: await announceUpload(context, input) }
  },

  async getFile(context, { params }) {
    const { services, caller, request } = context
    const access = documentAccess(caller, request.headers)
    return { file: toFile(context, await access.find(services.db, params.id)) }
  },

  async listFiles(context, { query }) {
    const { services, caller, request } = context
    const { viewer, onlyDocuments } = documentAccess(caller, request.headers)
    const {
      sortField: sort = 'createdAt',
      sortDirection: direction = 'desc',
      ids,
      indexed,
    } = query
    const page = pageInBot(context, 'files.listFiles', query)
    const listing = {
      viewer,
      onlyDocuments,
      sort,
      direction,
      ids,
      indexed,
      tags: parseTagFilter(query.tags),
      limit: page.limit + 1,
      position: page.position,
    }
    const { items, meta } = toListPage(
      page,
      await listFiles(services.db, caller.botId, listing),
      (row) => filePosition(row, sort),
    )
    return { files: items.map((row) => toFile(context, row)), meta }
  },

  async updateFileMetadata(context, { params, body }) {
    const { services } = context
    const file = await writableFile(context, params.id)
    const expiresAt = toDate(body.expiresAt)
    checkFileLimits(services.limits, { expiresAt, tags: tagsAfter(file, body.tags) })
    const metadata = parseMetadata(body.metadata)
    const row = await updateFile(services.db, file, { ...body, expiresAt, metadata })
    return { file: toFile(context, row) }
  },

  async copyFile(context, { params, headers, body }) {
    const { services, caller, request } = context
    const source = await fileAccess(caller, request.headers).find(
      services.db,
      params.idOrKey,
    )
    const other = headers['x-destination-bot-id'] || caller.botId
    const there =
      other === caller.botId
        ? caller
        : await authentication.findInOtherBot(services, 'files.write', request, other)
    const { owner } = fileAccess(there, request.headers).requireWrite()
    const target = {
      botId: there.botId,
      key: params.destinationKey,
      owner,
      overwrite: body.overwrite ?? false,
    }
    return {
      file: toFile(
        context,
        await copyFile(services.db, services.blobs, services, source, target),
      ),
    }
  },

  async deleteFile(context, { params }) {
    const { services, caller } = context
    const { id } = await writableFile(context, params.id)
    const blob = await deleteFile(services.db, caller.botId, id)
    // The file is deleted; if the disk fails, the next sweep deletes its content.
    if (blob)
      await removeLooseBlobs(services.db, services.blobs, new Date(), blob).catch(
        (error) =>
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
    const { items, meta } = toListPage(page, rows, (tag) => [tag])
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
    const { items, meta } = toListPage(page, rows, (value) => [value])
    return { values: items, meta }
  },
}

const noDocument = () =>
  new ApiError(
    'InvalidPayload',
    'Set `index: true`, or the tag `kbId` of a knowledge base: your role uploads only documents',
  )

const tagListing = (
  { position, limit }: PageRequest<string[]>,
  { viewer }: FileAccess,
) => ({
  viewer,
  position: position?.[0] ?? null,
  limit: limit + 1,
})

/**
 * Throws ResourceNotFound for a file that the caller must not see, Forbidden for one that the
 * caller may only read.
 */
async function writableFile(
  { services, caller, request }: Context<Caller<'bot'>, Own>,
  idOrKey: string,
): Promise<FileRow> {
  const access = documentAccess(caller, request.headers)
  const file = await access.find(services.db, idOrKey)
  if (!access.mayWrite(file))
    throw new ApiError('Forbidden', 'This caller may only read this file')
  return file
}

const tagsAfter = ({ tags }: FileRow, changes: Record<string, string | null> = {}) =>
  Object.fromEntries(
    Object.entries({ ...tags, ...changes }).filter(([, value]) => value !== null),
  )

/** Metadata must be an object, although the contract allows any value. Null counts as absent. */
function parseMetadata(metadata: unknown): Record<string, unknown> | undefined {
  if (metadata === undefined || metadata === null) return undefined
  if (typeof metadata !== 'object' || Array.isArray(metadata))
    throw new ApiError('InvalidPayload', '`metadata` must be an object')
  return metadata as Record<string, unknown>
}
