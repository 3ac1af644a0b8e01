// Downloads of backups and archives by signed links, streamed, with ranges so that they can resume.
import { ApiError } from '@botstead/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { byteRange, type Services } from '../../../../core/http/index.ts'
import { findArchiveJob } from '../../archive-jobs.ts'
import { archiveFilePath, readFileLink } from '../../file-links.ts'
import type { ArchiveServices } from '../../services.ts'

type FileRequest = FastifyRequest<{
  Params: { kind: string; id: string }
  Querystring: Record<string, unknown>
}>

export function serveArchiveFiles(
  server: FastifyInstance,
  services: Services & ArchiveServices,
) {
  // Handles HEAD itself: Fastify's own handler would report a length of zero.
  server.route({
    method: ['GET', 'HEAD'],
    url: `${archiveFilePath}/:kind/:id`,
    exposeHeadRoute: false,
    handler: (request, reply) => serve(services, request as FileRequest, reply),
  })
}

async function serve(
  { secrets, database, archives }: Services & ArchiveServices,
  { params, query, headers, method }: FileRequest,
  reply: FastifyReply,
) {
  const file = readFileLink(secrets, { ...query, ...params })
  if (!file)
    throw new ApiError(
      'Forbidden',
      'This link is invalid or has expired: create a new one',
    )
  const job = await findArchiveJob(database, file, file.id)
  const size = await archives.sizeOf(job)
  reply.headers({
    etag: `"${job.id}"`,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${job.file_name}"`,
    'x-content-type-options': 'nosniff',
  })
  const range = byteRange(headers.range, size)
  if (range === 'unsatisfiable')
    return reply.code(416).header('content-range', `bytes */${size}`).send()
  if (range)
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  reply.header('content-length', range ? range.end - range.start + 1 : size)
  return method === 'HEAD'
    ? reply.send()
    : reply.send(archives.read(job, range ?? undefined))
}
