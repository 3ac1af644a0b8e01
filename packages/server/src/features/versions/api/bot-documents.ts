// Serves bot documents: a stored version by its signed URL, which is the permission, and the JSON
// Schema of documents.
import { ApiError } from '@botstead/contract'
import { documentVersion, schemaOf } from '@botstead/flows'
import { indentedJsonParts } from '@botstead/lib'
import type { FastifyInstance } from 'fastify'
import { botStore } from '../../../core/bots/index.ts'
import { getOrigin, type Services, sendInTurns } from '../../../core/http/index.ts'
import { rejectUnstorableAddress } from '../../../core/lib/index.ts'
import { publicDocument } from '../bot-document.ts'
import { downloadPath, isDownloadSigned } from '../download-urls.ts'
import { openVersion } from '../versions.ts'

export const schemaPath = '/v1/schemas/bot.json'
/** The document that `schemaPath` has now, at a URL that never changes. */
const versionedSchemaPath = `/v1/schemas/bot-${documentVersion}.json`

export function serveBotDocuments(server: FastifyInstance, services: Services) {
  for (const path of [schemaPath, versionedSchemaPath])
    server.get(path, (request, reply) =>
      reply
        .header('access-control-allow-origin', '*')
        .send(schemaOf(getOrigin({ services, request }) + path)),
    )
  server.get<{
    Params: { botId: string; versionId: string }
    Querystring: Record<string, unknown>
  }>(`${downloadPath}/:botId/:versionId`, async (request, reply) => {
    const { botId, versionId } = request.params
    rejectUnstorableAddress({ params: request.params })
    if (!isDownloadSigned(services.secrets, botId, versionId, request.query))
      throw new ApiError(
        'Forbidden',
        'This URL is invalid or has expired: request a new one',
      )
    const bot = await botStore.findById(services.db, botId)
    if (!bot) throw new ApiError('ResourceNotFound', `Bot "${botId}" was not found`)
    const version = await openVersion(services.db, services.secrets, botId, versionId)
    const schema = getOrigin({ services, request }) + schemaPath
    const document = await publicDocument(bot.workspace_id, version, schema)
    reply.header('content-disposition', `attachment; filename="${versionId}.json"`)
    reply.type('application/json; charset=utf-8')
    return reply.send(sendInTurns(fileParts(document)))
  })
}

function* fileParts(document: object): Generator<string> {
  yield* indentedJsonParts(document)
  yield '\n'
}
