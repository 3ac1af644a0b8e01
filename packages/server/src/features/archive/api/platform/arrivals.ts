// Endpoints with which another installation moves a workspace here (moves/). For owners of
// this installation's first workspace. Not part of the contract: only Botstead calls them.

import type { Readable } from 'node:stream'
import { ApiError } from '@botstead/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { operators } from '../../../../core/accounts/index.ts'
import type { AuditServices } from '../../../../core/audit/index.ts'
import type { BlobServices } from '../../../../core/files/index.ts'
import type { HttpServices } from '../../../../core/http/index.ts'
import type { TableRuleServices } from '../../../../core/table-rules/index.ts'
import {
  type Arrival,
  type ArrivalRequest,
  activate,
  beginArrival,
  cancelArrival,
  checkSource,
  findArrival,
  listMissingBlobs,
  receiveChanges,
  receiveCopy,
} from '../../moves/arrivals.ts'

type Own = AuditServices & BlobServices & HttpServices & TableRuleServices

type ArrivalCall = FastifyRequest<{
  Params: { workspaceId: string }
  Querystring: Record<string, unknown>
}>

const base = '/v1/platform/arrivals'
const route = `${base}/:workspaceId`

export function serveArrivals(server: FastifyInstance, services: Own) {
  server.register(async (scope) => {
    scope.addHook('onRequest', (request) => operators.admit(services, request, 'Moves'))
    addJsonRoutes(scope, services)
    scope.register(async (streams) => addStreamRoutes(streams, services))
  })
}

function addJsonRoutes(scope: FastifyInstance, services: Own) {
  scope.post(base, async (request) => {
    await checkSource(services.database, arrivalRequest(request))
    return {}
  })
  scope.get(route, (request) =>
    findArrival(services, parseArrival(request as ArrivalCall)),
  )
  scope.post(route, (request) =>
    beginArrival(services, parseArrival(request as ArrivalCall), arrivalRequest(request)),
  )
  scope.post(`${route}/blobs`, async (request) => {
    const { blobs } = (request.body ?? {}) as { blobs?: unknown }
    if (!Array.isArray(blobs) || !blobs.every((name) => typeof name === 'string'))
      throw new ApiError('InvalidPayload', '`blobs` must be a list of names')
    return {
      missing: await listMissingBlobs(
        services,
        parseArrival(request as ArrivalCall),
        blobs,
      ),
    }
  })
  scope.post(`${route}/live`, (request) =>
    activate(
      services,
      parseArrival(request as ArrivalCall),
      parsePass(request as ArrivalCall),
    ),
  )
  scope.delete(route, async (request, reply) => {
    await cancelArrival(services, parseArrival(request as ArrivalCall))
    return reply.send({})
  })
}

/** Archives are read as they arrive. */
function addStreamRoutes(scope: FastifyInstance, services: Own) {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const receive =
    (take: (request: ArrivalCall, input: Readable) => Promise<void>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      try {
        await take(request as ArrivalCall, request.raw)
        return reply.send({})
      } catch (error) {
        reply.header('connection', 'close')
        throw error
      }
    }
  scope.put(
    `${route}/copy`,
    receive((request, input) =>
      receiveCopy(services, parseArrival(request), input, requirePassphrase(request)),
    ),
  )
  scope.put(
    `${route}/changes`,
    receive((request, input) =>
      receiveChanges(services, parseArrival(request), input, {
        pass: parsePass(request),
        passphrase: requirePassphrase(request),
      }),
    ),
  )
}

function parseArrival({ params, query }: ArrivalCall): Arrival {
  if (typeof query.move !== 'string' || !/^move_[0-9A-Z]{26}$/.test(query.move))
    throw new ApiError('InvalidQuery', '`move` must be the id of a move')
  return { workspaceId: params.workspaceId, moveId: query.move }
}

function parsePass({ query }: ArrivalCall): number {
  if (typeof query.pass !== 'string' || !/^\d{1,9}$/.test(query.pass))
    throw new ApiError('InvalidQuery', '`pass` must be a number')
  return Number(query.pass)
}

function requirePassphrase({ headers }: FastifyRequest): string {
  const passphrase = headers['x-botstead-passphrase']
  if (typeof passphrase === 'string' && passphrase.length > 0) return passphrase
  throw new ApiError('InvalidPayload', 'The header `x-botstead-passphrase` is missing')
}

function arrivalRequest({ body }: FastifyRequest): ArrivalRequest {
  const { schema, version, needs } = (body ?? {}) as Partial<ArrivalRequest>
  const isNeed = (need: unknown) =>
    typeof need === 'object' &&
    need !== null &&
    typeof (need as { id?: unknown }).id === 'string'
  if (typeof schema !== 'number' || typeof version !== 'string' || !Array.isArray(needs))
    throw new ApiError('InvalidPayload', 'Send `schema`, `version` and `needs`')
  if (!needs.every(isNeed))
    throw new ApiError('InvalidPayload', '`needs` must be a list of packages')
  return { schema, version, needs }
}
