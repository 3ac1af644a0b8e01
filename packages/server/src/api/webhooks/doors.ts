// Routes for third parties that call integrations: an installation's own address (/webhooks/{webhookId}/*),
// sign-in (/oauth), and the address that all bots of an integration share (/integration/global/{name}).
// Integrations build the last two from a URL that begins with /webhooks, command lines from the API's URL, so
// both exist with and without the prefix.
import { webhookBodyLimit } from '@botstead/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inRequest } from '../../http/observe.ts'
import { type Patience, usualPatience } from '../../http/patience.ts'
import { countWebhook } from '../../http/rate-limits.ts'
import { openRoom } from '../../http/room.ts'
import type { Services } from '../../http/services.ts'
import { askIntegration, sendAnswer } from './hand-on.ts'
import { serveInterstitial } from './interstitial.ts'
import { installationAt, type Knock, receive } from './knock.ts'
import { answerSignIn, stateOf } from './oauth.ts'
import { answerShared } from './shared.ts'

export function answerWebhooks(
  server: FastifyInstance,
  services: Services,
  patience: Patience = usualPatience,
) {
  const room = openRoom(services.limits.webhookBytes)
  serveInterstitial(server)
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const answer = (urls: string[], handler: (knock: Knock) => Promise<unknown>) => {
      const enter = (request: FastifyRequest, reply: FastifyReply) => {
        const place = room.enter()
        reply.raw.once('close', place.leave)
        return inRequest(request, () => handler({ services, request, reply, place, patience }))
      }
      for (const url of urls) scope.all(url, { config: { rawQuery: true } }, enter)
    }
    answer(['/webhooks/:webhookId', '/webhooks/:webhookId/*'], handleOwn)
    answer(['/oauth', '/oauth/*'], (knock) => handleOauth(knock, 0))
    answer(['/webhooks/oauth', '/webhooks/oauth/*'], (knock) => handleOauth(knock, 1))
    answer(['/integration/global/*'], (knock) => answerShared(knock, 2))
    answer(['/webhooks/integration/global/*'], (knock) => answerShared(knock, 3))
  })
}

async function handleOwn(knock: Knock) {
  const { services, request, reply, place } = knock
  const { webhookId } = request.params as { webhookId: string }
  const installation = await installationAt(services, webhookId)
  countWebhook(services, installation.bot_id, reply)
  const received = await receive(knock, 2, webhookBodyLimit)
  return sendAnswer(reply, await askIntegration(services, installation, received, place))
}

/** The integration receives the whole path from /oauth on. */
async function handleOauth(knock: Knock, segments: number) {
  const { services, request, reply } = knock
  const installation = await installationAt(services, stateOf(request))
  countWebhook(services, installation.bot_id, reply)
  return answerSignIn(knock, installation, await receive(knock, segments, webhookBodyLimit))
}
