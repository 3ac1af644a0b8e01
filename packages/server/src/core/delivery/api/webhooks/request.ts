// A request of a third party, with its resources.

import { ApiError } from '@botstead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Installation, installationStore } from '../../../catalog/index.ts'
import {
  readAll,
  rejectEncodings,
  type Services,
  type Timeouts,
} from '../../../http/index.ts'
import type { Reservation } from './body-capacity.ts'
import { addressIn, parseRawHeaders, type ReceivedRequest } from './received.ts'

/** `Own` are services of modules and features. */
export interface WebhookRequest<Own = unknown> {
  services: Services & Own
  request: FastifyRequest
  reply: FastifyReply
  /** Counts the bytes in memory of the request and its response. */
  reservation: Reservation
  timeouts: Timeouts | undefined
}

/** Larger bodies occupy the shared capacity. */
const pacedFromBytes = 65_536

/**
 * Reads the request. The first `segments` of its path belong to the route. Throws the errors of
 * `readAll`.
 */
export async function readWebhook(
  { request, reservation, timeouts }: WebhookRequest,
  segments: number,
  limit: number,
): Promise<ReceivedRequest> {
  const body = await readAll(request.raw, limit, {
    timeouts,
    reserve: reservation.add,
    pacedFrom: pacedFromBytes,
  })
  rejectEncodings(request)
  return {
    method: request.method,
    ...addressIn(request.url, segments),
    headers: parseRawHeaders(request.raw.rawHeaders),
    body,
  }
}

/**
 * Throws ResourceNotFound if the id is unknown, the installation is disabled, or the integration is
 * built in.
 */
export async function installationAt(
  { db }: Services,
  webhookId: string,
): Promise<Installation> {
  const installation = await installationStore.findByWebhook(db, webhookId)
  if (!installation?.enabled || installation.builtIn) throw noIntegrationAtAddress()
  return installation
}

export const noIntegrationAtAddress = () =>
  new ApiError('ResourceNotFound', 'There is no integration at this address')

/** Requests to addresses of integrations. */
export const webhooks = {
  findInstallation: installationAt,
  notFound: noIntegrationAtAddress,
  read: readWebhook,
}
