// Tries a setting as the server would use it, with a result in words. Stores nothing.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { hmac } from '@botstead/lib'
import type { FastifyInstance } from 'fastify'
import type { MailSettings } from '../../core/config/index.ts'
import type { HttpServices } from '../../core/http/index.ts'
import { nextTick } from '../../core/lib/index.ts'
import { type Outgoing, toUnreachable } from '../../core/outgoing/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'
import { type ChosenModel, probeModel } from '../models/index.ts'
import { type CheckedSettings, toMailSettings } from './check-settings.ts'
import { MailFailed, type NewMail, sendMail } from './mail/sending.ts'
import type { SettingValues } from './setting-store.ts'

interface ProbeResult {
  isGood: boolean
  message: string
}

interface Deps {
  outgoing: Pick<Outgoing, 'for' | 'resolve'>
  secrets: Pick<Secrets, 'derive'>
  workspaceId: string
}

const timeoutMs = 20_000

const good = (message: string): ProbeResult => ({ isGood: true, message })
const bad = (message: string): ProbeResult => ({ isGood: false, message })

/** The setting is the only one. */
export async function probeSetting(
  deps: Deps,
  { address, model, embeddings, backups, mail }: CheckedSettings,
  recipient: string,
): Promise<ProbeResult> {
  if (address) return probeAddress(deps, address.value.url)
  if (model) return askModel(deps, { ...model.value, key: model.secret, kind: 'text' })
  if (embeddings)
    return askModel(deps, {
      ...embeddings.value,
      key: embeddings.secret,
      kind: 'embedding',
    })
  if (backups) return nextBackup(backups.value)
  if (mail) return sendTestMail(deps, toMailSettings(mail), recipient)
  return bad('There is nothing to test')
}

const proofPath = '/installation-proof'
const proof = (secrets: Pick<Secrets, 'derive'>, nonce: string) =>
  hmac(secrets.derive('installation proof'), nonce)

/** By this route, a server finds out whether an address leads to its own installation. */
export function serveProof(server: FastifyInstance, { secrets }: HttpServices): void {
  server.get<{ Params: { nonce: string } }>(
    `${proofPath}/:nonce`,
    async ({ params }, reply) => {
      if (!/^[0-9a-f]{32}$/.test(params.nonce)) return reply.callNotFound()
      return reply.type('text/plain').send(proof(secrets, params.nonce).toString('hex'))
    },
  )
}

async function probeAddress(
  { outgoing, secrets, workspaceId }: Deps,
  url: string,
): Promise<ProbeResult> {
  const nonce = randomBytes(16).toString('hex')
  const target = `${url}${proofPath}/${nonce}`
  try {
    const send = await outgoing.for(workspaceId)
    const signal = AbortSignal.timeout(timeoutMs)
    const { statusCode, body } = await send(target, { method: 'GET', signal })
    const answer = Buffer.from((await readStart(body)).trim(), 'hex')
    const expected = proof(secrets, nonce)
    if (answer.length === expected.length && timingSafeEqual(answer, expected))
      return good(`${url} leads to this server.`)
    return bad(
      `${url} answers with the status ${statusCode}, but it is not this server. Compare the address with ` +
        'that of the proxy in front of the server, and the proxy with this server.',
    )
  } catch (error) {
    const { message, detail } = toUnreachable(error, url)
    return bad(
      `${detail || message}. Check the name at your domain provider, the proxy and its certificate. ` +
        'If people reach the server at this address from outside, you may still save it.',
    )
  }
}

const maxStart = 1_000

async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const chunk of body) {
    text += chunk.toString('latin1')
    if (text.length > maxStart) break
  }
  return text
}

async function askModel(
  { outgoing, workspaceId }: Deps,
  model: Omit<ChosenModel, 'workspaceId'>,
): Promise<ProbeResult> {
  const send = await outgoing.for(workspaceId)
  const chosen = { ...model, workspaceId }
  return probeModel(chosen, send, timeoutMs)
}

function nextBackup({ schedule }: SettingValues['backups']): ProbeResult {
  const [first, second] = [nextTick(schedule, new Date())].flatMap((tick) =>
    tick ? [tick, nextTick(schedule, tick)] : [],
  )
  const texts = [first, second].flatMap((time) => (time ? [toTime(time)] : []))
  return good(`The next backups start at ${texts.join(' and ')}.`)
}

const toTime = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

async function sendTestMail(
  { outgoing }: Deps,
  settings: MailSettings,
  recipient: string,
): Promise<ProbeResult> {
  const mail: NewMail = {
    recipient,
    subject: 'Test e-mail of Botstead',
    text: 'The e-mail server of your installation works: it sends invitations and notices.\n',
  }
  try {
    await sendMail(outgoing, settings, mail, `test-${randomBytes(8).toString('hex')}`)
    return good(
      `The server "${settings.host}" has accepted a test e-mail to ${recipient}.`,
    )
  } catch (error) {
    if (error instanceof MailFailed) return bad(error.message)
    throw error
  }
}
