// A request of a third party, with its resources.
import { ApiError } from '@botstead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readAll, refuseEncodings } from '../../http/body.ts'
import type { Patience } from '../../http/patience.ts'
import type { Place } from '../../http/room.ts'
import type { Services } from '../../http/services.ts'
import {
  findInstallationByWebhook,
  type Installation,
} from '../../modules/catalog/integrations/installations.ts'
import { addressIn, headersOf, type Received } from './received.ts'

export interface Knock {
  services: Services
  request: FastifyRequest
  reply: FastifyReply
  /** Counts the bytes in memory of the request and its response. */
  place: Place
  patience: Patience
}

/**
 * Reads the request. The first `segments` of its path belong to the route. Throws the errors of `readAll`.
 */
export async function receive(
  { request, place, patience }: Knock,
  segments: number,
  limit: number,
): Promise<Received> {
  const body = await readAll(request.raw, limit, patience, place.take)
  refuseEncodings(request)
  return {
    method: request.method,
    ...addressIn(request.url, segments),
    headers: headersOf(request.raw.rawHeaders),
    body,
  }
}

/**
 * Throws ResourceNotFound if the id is unknown, the installation is disabled, or the integration is built in.
 */
export async function installationAt({ db }: Services, webhookId: string): Promise<Installation> {
  const installation = await findInstallationByWebhook(db, webhookId)
  if (!installation?.enabled || installation.builtIn) throw noIntegration()
  return installation
}

export const noIntegration = () => new ApiError('ResourceNotFound', 'There is no integration at this address')
