// Serves the OpenAPI document of each family to anyone: as OpenAPI 3.1, or as 3.0 for older generators.
import {
  ApiError,
  type FamilyName,
  families,
  toOpenApi,
  toOpenApi30,
} from '@botstead/contract'
import type { FastifyInstance } from 'fastify'
import { hasTag, toEtag } from './pages/entity-tags.ts'

const path = '/v1/openapi'

const versions = {
  '3.1': toOpenApi,
  '3.0': (family: FamilyName) => toOpenApi30(toOpenApi(family)),
}
type Version = keyof typeof versions

export function serveOpenApi(server: FastifyInstance): void {
  for (const family of Object.keys(families) as FamilyName[]) {
    const documents = new Map<Version, { text: string; etag: string }>()
    server.get(`${path}/${family}.json`, (request, reply) => {
      reply.header('access-control-allow-origin', '*')
      const version = parseVersion(request.query as { version?: unknown })
      const document = documents.get(version) ?? toDocument(family, version)
      documents.set(version, document)
      const { text, etag } = document
      reply.headers({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, max-age=300',
        etag,
      })
      return hasTag(request, etag) ? reply.code(304).send() : reply.send(text)
    })
  }
}

function parseVersion({ version = '3.1' }: { version?: unknown }): Version {
  if (version === '3.1' || version === '3.0') return version
  throw new ApiError(
    'InvalidQuery',
    `\`version\` is ${JSON.stringify(version)}: use "3.0", or "3.1" (default)`,
  )
}

function toDocument(family: FamilyName, version: Version) {
  const text = JSON.stringify(versions[version](family))
  return { text, etag: toEtag(text) }
}
