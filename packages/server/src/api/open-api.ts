// Serves the OpenAPI document of each family to anyone.
import { type FamilyName, families, toOpenApi } from '@botstead/contract'
import type { FastifyInstance } from 'fastify'
import { etagOf, hasTag } from '../http/entity-tags.ts'

const path = '/v1/openapi'

export function serveOpenApi(server: FastifyInstance): void {
  for (const family of Object.keys(families) as FamilyName[]) {
    let document: { text: string; etag: string } | undefined
    server.get(`${path}/${family}.json`, (request, reply) => {
      document ??= toDocument(family)
      const { text, etag } = document
      reply.headers({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, max-age=300',
        'access-control-allow-origin': '*',
        etag,
      })
      return hasTag(request, etag) ? reply.code(304).send() : reply.send(text)
    })
  }
}

function toDocument(family: FamilyName) {
  const text = JSON.stringify(toOpenApi(family))
  return { text, etag: etagOf(text) }
}
