// Routes for third parties that call integrations: an installation's own address
// (/webhooks/{webhookId}/*), sign-in (/oauth), and the address that all bots of an integration
// share (/integration/global/{name}). Integrations build the last two from a URL that begins with
// /webhooks, command lines from the API's URL, so both exist with and without the prefix.
import { webhookBodyLimit } from '@botstead/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { serveInterstitial } from '../../../features/shared-addresses/api/webhooks/interstitial.ts'
import { serveSignIn, stateOf } from '../../../features/shared-addresses/api/webhooks/oauth.ts'
import { serveShared } from '../../../features/shared-addresses/api/webhooks/shared.ts'
import type { Installation } from '../../catalog/installations/installations.ts'
import { createBodyCapacity } from '../../http/body/body-capacity.ts'
import { countWebhook } from '../../http/limits/rate-limits.ts'
import { defaultTimeouts, type Timeouts } from '../../http/limits/timeouts.ts'
import { inRequest } from '../../http/observe.ts'
import type { Services } from '../../http/services.ts'
import { forwardToIntegration, sendResponse } from './forward.ts'
import { installationAt, readWebhook, type WebhookRequest } from './request.ts'

export function serveWebhooks(
  server: FastifyInstance,
  services: Services,
  timeouts: Timeouts = defaultTimeouts,
) {
  const capacity = createBodyCapacity(services.limits.webhookBytes)
  serveInterstitial(server)
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const answer = (urls: string[], handler: (knock: WebhookRequest) => Promise<unknown>) => {
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
    answer(['/integration/global/*'], (knock) => serveShared(knock, 2))
    answer(['/webhooks/integration/global/*'], (knock) => serveShared(knock, 3))
  })
}

const findTenant = async ({ callers }: Services, { bot_id }: Installation) =>
  (await callers.workspace(bot_id)) ?? bot_id

async function handleOwn(knock: WebhookRequest) {
  const { services, request, reply, reservation } = knock
  const { webhookId } = request.params as { webhookId: string }
  const installation = await installationAt(services, webhookId)
  countWebhook(services, installation.bot_id, reply)
  reservation.assign(await findTenant(services, installation))
  const received = await readWebhook(knock, 2, webhookBodyLimit)
  return sendResponse(
    reply,
    await forwardToIntegration(services, installation, received, reservation),
  )
}

/** The integration receives the whole path from /oauth on. */
async function handleOauth(knock: WebhookRequest, segments: number) {
  const { services, request, reply, reservation } = knock
  const installation = await installationAt(services, stateOf(request))
  countWebhook(services, installation.bot_id, reply)
  reservation.assign(await findTenant(services, installation))
  return serveSignIn(knock, installation, await readWebhook(knock, segments, webhookBodyLimit))
}
