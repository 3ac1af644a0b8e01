// Routes for third parties that call integrations: an installation's own address
// (/webhooks/{webhookId}/*) and sign-in (/oauth), and those of features. Integrations build such URLs
// from one that begins with /webhooks, command lines from the API's URL, so they exist with and without
// the prefix.

import { webhookBodyLimit } from '@botstead/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Installation } from '../../../catalog/index.ts'
import {
  inRequest,
  type RateServices,
  rateLimits,
  type Services,
  type Timeouts,
} from '../../../http/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import type { DeliveryServices } from '../../services.ts'
import { createBodyCapacity } from './body-capacity.ts'
import { forwardToIntegration, sendResponse } from './forward.ts'
import { serveInterstitial } from './interstitial.ts'
import { getState, serveSignIn } from './oauth.ts'
import { installationAt, readWebhook, type WebhookRequest } from './request.ts'

type Own = DeliveryServices & RateServices & RealtimeServices

/** Further addresses of integrations, which a feature serves. */
export interface WebhookRoute<Needed> {
  urls: string[]
  answer: (knock: WebhookRequest<Needed>) => Promise<unknown>
}

export function serveWebhooks(
  server: FastifyInstance,
  services: Services & Own,
  more: WebhookRoute<never>[],
  timeouts: Timeouts | undefined,
) {
  const capacity = createBodyCapacity(services.limits.webhookBytes)
  serveInterstitial(server)
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const answer = (
      urls: string[],
      handler: (knock: WebhookRequest<Own>) => Promise<unknown>,
    ) => {
      const enter = (request: FastifyRequest, reply: FastifyReply) => {
        const reservation = capacity.reserve()
        reply.raw.once('close', reservation.release)
        return inRequest(request, () =>
          handler({ services, request, reply, reservation, timeouts }),
        )
      }
      for (const url of urls) scope.all(url, { config: { rawQuery: true } }, enter)
    }
    answer(['/webhooks/:webhookId', '/webhooks/:webhookId/*'], handleOwn)
    answer(['/oauth', '/oauth/*'], (knock) => handleOauth(knock, 0))
    answer(['/webhooks/oauth', '/webhooks/oauth/*'], (knock) => handleOauth(knock, 1))
    for (const route of more) answer(route.urls, route.answer as typeof handleOwn)
  })
}

const findTenant = async ({ callers }: Services & Own, { bot_id }: Installation) =>
  (await callers.workspace(bot_id)) ?? bot_id

async function handleOwn(knock: WebhookRequest<Own>) {
  const { services, request, reply, reservation } = knock
  const { webhookId } = request.params as { webhookId: string }
  const installation = await installationAt(services, webhookId)
  rateLimits.countWebhook(services, installation.bot_id, reply)
  reservation.assign(await findTenant(services, installation))
  const received = await readWebhook(knock, 2, webhookBodyLimit)
  return sendResponse(
    reply,
    await forwardToIntegration(services, installation, received, reservation),
  )
}

/** The integration receives the whole path from /oauth on. */
async function handleOauth(knock: WebhookRequest<Own>, segments: number) {
  const { services, request, reply, reservation } = knock
  const installation = await installationAt(services, getState(request))
  rateLimits.countWebhook(services, installation.bot_id, reply)
  reservation.assign(await findTenant(services, installation))
  return serveSignIn(
    knock,
    installation,
    await readWebhook(knock, segments, webhookBodyLimit),
  )
}
