// Registers the routes: combines the contract's families with their handlers. endpoint.ts processes
// the requests.
import {
  ApiError,
  type Family,
  families,
  type Group,
  permissionFor,
} from '@botstead/contract'
import type { FastifyInstance } from 'fastify'
import { recordRejection, recordTokenUse } from './audit.ts'
import { admit } from './callers/authenticate.ts'
import { createRouteHandler, type Extras, type Handler } from './endpoint.ts'
import { addsData, rejectFullDisk } from './limits/full-disk.ts'
import { countRequest } from './limits/rate-limits.ts'
import type { HttpServices } from './services.ts'
import { listTopics } from './streams/changes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    operationId?: string
    family?: string
    /** Bytes of body as received. */
    bodyLimit?: number
    /** Whether it responds with a stream that stays open while the client listens. */
    stream?: boolean
    /** Whether the handler gets the query string unparsed. Such a query is never stored. */
    rawQuery?: boolean
  }
  interface FastifyRequest {
    caller: unknown
  }
}

/** Family → group → operation → handler, of the core or of a feature. */
export type FamilyHandlers = Record<string, Record<string, object>>

export function mountFamilies(
  server: FastifyInstance,
  services: HttpServices,
  parts: FamilyHandlers[],
  extras: Extras,
) {
  server.decorateRequest('caller', null)
  server.decorateRequest('credential', null)
  server.decorateRequest('tokenId', null)
  server.decorateRequest('sessionId', null)
  server.decorateRequest('newCookie', null)
  for (const [name, family] of Object.entries(families) as [string, Family][]) {
    for (const [groupName, group] of Object.entries(family.served))
      mountGroup(server, services, {
        name,
        groupName,
        family,
        group,
        handlers: findHandlers(parts, name, groupName),
        extras,
      })
    for (const [operationId, { method, path }] of Object.entries(family.unserved)) {
      server.route({
        method,
        url: toUrl(family, path),
        config: { operationId, family: name, bodyLimit: family.bodyLimit },
        handler: () => notImplemented(operationId),
      })
    }
  }
}

function findHandlers(parts: FamilyHandlers[], family: string, group: string) {
  const found = parts.flatMap((handlers) => handlers[family]?.[group] ?? [])
  if (found.length !== 1)
    throw new Error(`${found.length} files handle ${family}/${group}`)
  return found[0] as Record<string, unknown>
}

const notImplemented = (operationId: string) => {
  throw new ApiError('NotImplemented', `The operation ${operationId} is not implemented`)
}

const toUrl = (family: Family, path: string) =>
  (family.prefix + path).replaceAll(/\{(\w+)\}/g, ':$1')

interface Mounting {
  name: string
  groupName: string
  family: Family
  group: Group
  handlers: Record<string, unknown>
  extras: Extras
}

function mountGroup(
  server: FastifyInstance,
  services: HttpServices,
  { name, groupName, family, group, handlers, extras }: Mounting,
) {
  for (const [operationId, operation] of Object.entries(group)) {
    const handler = handlers[operationId] as Handler | undefined
    if (!handler) throw new Error(`${name}.${operationId} has no handler`)
    const guarded = {
      ...operation,
      name: `${name}.${operationId}`,
      permission: permissionFor(name, operation),
      topics: listTopics(name, groupName, operation),
    }
    const mayFill = addsData(guarded)
    server.route({
      method: operation.method,
      url: toUrl(family, operation.path),
      config: {
        operationId,
        family: name,
        bodyLimit: operation.bodyLimit ?? family.bodyLimit,
        stream: operation.stream === true,
      },
      onRequest: async (request, reply) => {
        try {
          request.caller = await admit(services, guarded, request)
          if (await services.hooks.relocator?.caller(request, reply)) return reply
          if (mayFill) rejectFullDisk(services)
          const noted = recordTokenUse(services, request)
          if (noted) await noted
        } catch (error) {
          await recordRejection(services, guarded, request, error)
          throw error
        } finally {
          if (request.newCookie !== null) reply.header('set-cookie', request.newCookie)
          countRequest(services, request, reply)
        }
      },
      handler: createRouteHandler(services, guarded, handler, extras),
    })
  }
}
