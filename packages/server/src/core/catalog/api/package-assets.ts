// Serves icons and readmes of packages without a token, because pages that display them send none.
// They are untrusted: browsers must neither run them nor guess their type.

import { ApiError } from '@botstead/contract'
import { isShowable } from '@botstead/lib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../http/index.ts'
import { rejectUnstorableAddress } from '../../lib/index.ts'
import { findAsset } from '../packages/assets.ts'

const path = '/packages/assets'

/** Returns an empty text without an asset: clients expect a string. */
export const assetUrl = (origin: string, id: string | null) =>
  id === null ? '' : `${origin}${path}/${id}`

export function serveAssets(server: FastifyInstance, services: Services) {
  server.get(`${path}/:id`, (request, reply) =>
    serve(services, request as FastifyRequest<{ Params: { id: string } }>, reply),
  )
}

/**
 * Serves an asset. Pages can embed an SVG; opened on its own, it is downloaded. The content at a
 * URL never changes.
 */
async function serve(
  { db }: Services,
  { params }: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
) {
  rejectUnstorableAddress({ params })
  const asset = await findAsset(db, params.id)
  if (!asset) throw new ApiError('ResourceNotFound', 'There is nothing at this address')
  return reply
    .headers({
      'content-type': asset.contentType,
      'content-disposition': isShowable(asset.contentType) ? 'inline' : 'attachment',
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    .send(asset.content)
}
