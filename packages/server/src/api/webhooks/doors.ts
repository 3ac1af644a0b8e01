// Where third parties reach integrations: one's own address (/webhooks/{webhookId}/*), the sign-in (/oauth), and the address that all bots of an
// integration share (/integration/global/{name}). What integrations build from the address that they are told begins with /webhooks, what command
// lines build from the API's address does not: the last two answer at both.
import { webhookBodyLimit } from '@botstead/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readAll, refuseEncodings } from '../../http/body.ts'
import { inRequest } from '../../http/observe.ts'
import { type Patience, usualPatience } from '../../http/patience.ts'
import { countWebhook } from '../../http/rate-limits.ts'
import { openRoom, type Place } from '../../http/room.ts'
import { findInstallationByWebhook, type Installation } from '../../integrations/installations.ts'
import type { Services } from '../../services.ts'
import { askIntegration, noIntegration, sendAnswer } from './hand-on.ts'
import { serveInterstitial } from './interstitial.ts'
import { answerSignIn, stateOf } from './oauth.ts'
import { addressIn, headersOf, type Received } from './received.ts'

export interface Knock {
  services: Services
  request: FastifyRequest
  reply: FastifyReply
  /** For what is held of the request and its answer. */
  place: Place
  patience: Patience
}

export function answerWebhooks(server: FastifyInstance, services: Services, patience: Patience = usualPatience) {
  const room = openRoom(services.limits.webhookBytes)
  serveInterstitial(server)
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const answer = (path: string, handler: (knock: Knock) => Promise<unknown>) => {
      const enter = (request: FastifyRequest, reply: FastifyReply) => {
        const place = room.enter()
        reply.raw.once('close', place.leave)
        return inRequest(request, () => handler({ services, request, reply, place, patience }))
      }
      for (const url of [path, `${path}/*`]) scope.all(url, { config: { rawQuery: true } }, enter)
    }
    answer('/webhooks/:webhookId', answerOwn)
    answer('/oauth', (knock) => answerOauth(knock, 0))
    answer('/webhooks/oauth', (knock) => answerOauth(knock, 1))
  })
}

async function answerOwn(knock: Knock) {
  const { webhookId } = knock.request.params as { webhookId: string }
  const installation = await installationAt(knock.services, webhookId)
  const received = await receive(knock, installation, 2)
  return sendAnswer(knock.reply, await askIntegration(knock.services, installation, received, knock.place))
}

/** The integration is told the whole path from /oauth on. */
async function answerOauth(knock: Knock, segments: number) {
  const state = stateOf(knock.request)
  const installation = await installationAt(knock.services, state)
  const received = await receive(knock, installation, segments)
  return answerSignIn(knock, installation, received)
}

async function installationAt({ db }: Services, webhookId: string): Promise<Installation> {
  const installation = await findInstallationByWebhook(db, webhookId)
  if (!installation?.enabled || installation.builtIn) throw noIntegration()
  return installation
}

/** `segments` of the path are ours. */
async function receive(knock: Knock, installation: Installation, segments: number): Promise<Received> {
  countWebhook(knock.services, installation.bot_id, knock.reply)
  return read(knock, segments, webhookBodyLimit)
}

export async function read({ request, place, patience }: Knock, segments: number, limit: number): Promise<Received> {
  const body = await readAll(request.raw, limit, patience, place.take)
  refuseEncodings(request)
  return { method: request.method, ...addressIn(request.url, segments), headers: headersOf(request.raw.rawHeaders), body }
}
