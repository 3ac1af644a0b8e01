// One person in several channels: a flow bot that knows in the second channel what it learned in the first,
// and addresses that mail servers have verified or not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAuthenticated } from '../../../channels/src/email/authentication.ts'
import { openScene, type Scene } from '../support/scene.ts'
import { installChannel, until } from './cases.ts'
import { type Mailbox, openMailbox } from './email-stand-in.ts'
import type { Json, StandIn } from './stand-in.ts'
import { openTwilio, type Twilio } from './twilio-stand-in.ts'
import { openWhatsApp, person, type WhatsApp } from './whatsapp-stand-in.ts'

const botJson = {
  kind: 'bot',
  version: 2,
  variables: { user: { name: { type: 'string', default: 'stranger' } } },
  flows: {
    main: {
      nodes: {
        start: {
          type: 'start',
          cards: [
            { type: 'send', message: 'Hello {{ user.name }}' },
            { type: 'capture', kind: 'text', question: 'Your name?', into: 'user.name' },
            { type: 'send', message: 'Thanks, {{ user.name }}' },
          ],
        },
      },
    },
  },
}

let scene: Scene
let twilio: Twilio
let whatsapp: WhatsApp
let mailbox: Mailbox
const server = 'mx.shop.example'

beforeAll(async () => {
  scene = await openScene()
  await scene.listen()
  ;[twilio, whatsapp, mailbox] = await Promise.all([
    openTwilio(),
    openWhatsApp(),
    openMailbox(),
  ])
  await publish()
  await install('twilio', twilio)
  await install('whatsapp', whatsapp)
  await install('email', mailbox, { authenticationServer: server })
}, 120_000)
afterAll(async () => {
  await scene?.close()
  for (const standIn of [twilio, whatsapp, mailbox]) await standIn?.close()
})

async function publish() {
  const path = `/v1/admin/bots/${scene.botId}/publish-from-bot-json`
  const { body } = await scene.call('POST', path, {
    headers: scene.admin,
    body: { botJson },
  })
  expect(body).not.toHaveProperty('message')
}

async function install(name: string, standIn: StandIn, more: Json = {}) {
  const installed = await installChannel(scene, name, {
    ...standIn.configuration,
    ...more,
  })
  const { pathname } = new URL(installed.webhookUrl)
  standIn.setWebhook?.(new URL(pathname, scene.app.address.api).href)
}

const call = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: Json) => {
  const reply = await scene.call(method, `/v1/platform/${path}`, {
    headers: scene.asBot,
    ...(body && { body }),
  })
  if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`)
  return reply.body
}
const findUser = async (integration: string, name = ''): Promise<string | undefined> => {
  const { users } = await call('GET', `users?integration=${integration}`)
  return users.find((one: Json) => JSON.stringify(one.user.tags).includes(name))?.user.id
}
const listPerson = async (id: string): Promise<string[]> =>
  (await call('GET', `users/${id}/person`)).person.users.map((one: Json) => one.user.id)

const shows = (standIn: StandIn, text: string) =>
  until(() => standIn.shown().some((one) => one.text?.includes(text)))

test('the bot knows in the second channel what it learned in the first', async () => {
  await call('PUT', 'person-rules', { mergeBy: ['phone'] })
  twilio.person = `+${person.wa_id}`
  await twilio.say('Hi')
  await shows(twilio, 'Your name?')
  expect(twilio.shown()[0]!.text).toBe('Hello stranger')
  await twilio.say('Ana')
  await shows(twilio, 'Thanks, Ana')
  // The turn stores the variables after its messages.
  await until(
    async () =>
      (await scene.app.services.db.selectFrom('delivery').select('id').execute())
        .length === 0,
  )
  await whatsapp.say('Hi')
  await shows(whatsapp, 'Hello')
  // The first turn of the new channel has the variables already.
  expect(whatsapp.shown()[0]!.text).toBe('Hello Ana')
  const [sms, chat] = [(await findUser('twilio'))!, (await findUser('whatsapp'))!]
  expect(await listPerson(chat)).toEqual([sms, chat])
  await whatsapp.say('Ann')
  await shows(whatsapp, 'Thanks, Ann')
  await twilio.say('Hi again')
  await shows(twilio, 'Hello Ann')
  await call('POST', `users/${chat}/split`, {})
  const path = `/v1/chat/states/user/${sms}`
  const { states } = await call('GET', `users/${sms}`)
  const reply = await scene.call('GET', `${path}/${states[0]}`, { headers: scene.asBot })
  expect(reply.body.state.payload).toEqual({ name: 'Ana' })
})

const passed = `${server}; dkim=pass header.d=example.org; dmarc=pass header.from=example.org`

describe('e-mail', () => {
  const listAddresses = async (address: string): Promise<Json[]> => {
    const id = await findUser('email', address)
    if (!id) return []
    const { person } = await call('GET', `users/${id}/person`)
    return person.users[0].addresses
  }
  const write = async (address: string, headers: Record<string, string>) => {
    await mailbox.write('Hello', {
      From: address,
      'In-Reply-To': '',
      References: '',
      ...headers,
    })
    await until(async () => (await listAddresses(address)).length > 0)
  }

  test('a sender that the mail server has verified', async () => {
    await write('ana@example.org', { 'Authentication-Results': passed })
    expect(await listAddresses('ana@example.org')).toMatchObject([
      { kind: 'email', address: 'ana@example.org', verifiedBy: 'mail-server' },
    ])
  })

  test.each<[string, string, Record<string, string>]>([
    [
      'a result of another server',
      'eva@example.org',
      { 'Authentication-Results': passed.replace(server, 'mx.evil') },
    ],
    ['no result', 'ben@example.org', {}],
    [
      'a result for another domain',
      'leo@example.com',
      { 'Authentication-Results': passed },
    ],
  ])('%s verifies nothing', async (_, address, headers) => {
    await write(address, headers)
    const [found] = await listAddresses(address)
    expect(found).toMatchObject({ address, claimedAt: expect.any(String) })
    expect(found).not.toHaveProperty('verifiedBy')
  })

  test('Reply-To verifies nothing, although the sender is verified', async () => {
    await mailbox.write('Hello', {
      From: 'attacker@example.org',
      'Reply-To': 'victim@example.org',
      'In-Reply-To': '',
      References: '',
      'Authentication-Results': passed,
    })
    await until(async () => (await listAddresses('victim@example.org')).length > 0)
    expect((await listAddresses('victim@example.org'))[0]).not.toHaveProperty(
      'verifiedBy',
    )
  })
})

const from = [{ address: 'ana@example.org' }]
const sender: [string, string] = ['from', 'Ana <ana@example.org>']
const results = (value: string): [string, string] => [
  'authentication-results',
  `${server}; ${value}`,
]

test.each<[string, boolean, [string, string][]]>([
  ['DMARC passed', true, [results('dmarc=pass (p=NONE) header.from=example.org')]],
  ['DKIM of the domain passed', true, [results('dkim=pass header.d=example.org')]],
  ['SPF alone', false, [results('spf=pass smtp.mailfrom=example.org')]],
  ['DKIM of another domain', false, [results('dkim=pass header.d=mail.example')]],
  [
    'DMARC failed, DKIM passed',
    false,
    [results('dkim=pass header.d=example.org; dmarc=fail header.from=example.org')],
  ],
  [
    'two results that differ',
    false,
    [
      results('dmarc=pass header.from=example.org'),
      results('dmarc=fail header.from=example.org'),
    ],
  ],
  [
    'a result in a comment',
    false,
    [results('spf=fail (dmarc=pass header.from=example.org)')],
  ],
  ['an open comment', false, [results('dmarc=pass header.from=example.org; x=y (')]],
  [
    'quoted text',
    false,
    [results('dmarc=pass header.from=example.org reason="x; dkim=pass"')],
  ],
  [
    'two domains',
    false,
    [results('dmarc=pass header.from=example.org header.from=evil.example')],
  ],
  ['two senders', false, [sender, results('dmarc=pass header.from=example.org')]],
  [
    'another server with a similar name',
    false,
    [['authentication-results', `${server}.evil; dmarc=pass header.from=example.org`]],
  ],
])('%s: %s', (_, isVerified, headers) => {
  expect(isAuthenticated([sender, ...headers], from, server)).toBe(isVerified)
  expect(isAuthenticated([sender, ...headers], from, undefined)).toBe(false)
})
