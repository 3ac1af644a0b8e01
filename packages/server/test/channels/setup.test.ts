// Connecting channels: the provider is asked before anything is stored, states follow what happens, and the
// errors of providers say what to do.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScene, type Scene } from '../support/scene.ts'
import { openOwnApp } from './api-stand-in.ts'
import { type ChannelScene, installChannel, openChannelScene, until } from './cases.ts'
import { openDiscord } from './discord-stand-in.ts'
import { openMailbox } from './email-stand-in.ts'
import { openGoogleChat } from './googlechat-stand-in.ts'
import { type Line, openLine } from './line-stand-in.ts'
import { openMatrix } from './matrix-stand-in.ts'
import { openInstagram, openMessenger } from './page-stand-in.ts'
import { openSlack } from './slack-stand-in.ts'
import { openGateway } from './sms-stand-in.ts'
import type { Json, StandIn } from './stand-in.ts'
import { openTeams } from './teams-stand-in.ts'
import { openTelegram, type Telegram } from './telegram-stand-in.ts'
import { openTwilio } from './twilio-stand-in.ts'
import { openWhatsApp } from './whatsapp-stand-in.ts'

const onBot = (scene: Scene, botId = scene.botId) => {
  const call = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: Json) => {
    const headers = scene.admin
    return scene.call(method, `/v1/platform/bots/${botId}${path}`, {
      headers,
      ...(body && { body }),
    })
  }
  return {
    call,
    check: (name: string, configuration: Json, alias?: string) =>
      call('POST', `/channel-guides/${name}/check`, {
        configuration,
        ...(alias && { alias }),
      }),
    async state(alias: string): Promise<Json> {
      const { body } = await call('GET', '/channels')
      return body.channels.find((one: Json) => one.alias === alias)
    },
    verify: (alias: string) => call('POST', `/channels/${alias}/verify`, {}),
    send: (alias: string, body: Json = {}) =>
      call('POST', `/channels/${alias}/test`, body),
    async onOwn(method: 'GET' | 'POST', path: string, body?: Json): Promise<Json> {
      const headers = { ...scene.admin, 'x-bot-id': botId }
      return (await scene.call(method, path, { headers, ...(body && { body }) })).body
    },
    /** The open ones. */
    async issues(): Promise<Json[]> {
      const headers = { ...scene.admin, 'x-bot-id': botId }
      return (await scene.call('GET', '/v1/platform/issues?status=open', { headers }))
        .body.issues
    },
  }
}

/** Each with settings that are wrong, in words of the problem that they cause. */
const standIns: [
  name: string,
  open: () => Promise<StandIn>,
  wrong: Json,
  words: string,
][] = [
  ['telegram', openTelegram, { botToken: '1:wrong' }, '@BotFather'],
  ['whatsapp', openWhatsApp, { accessToken: 'wrong' }, 'system user'],
  ['messenger', openMessenger, { accessToken: 'wrong' }, 'access token'],
  ['instagram', openInstagram, { accessToken: 'wrong' }, 'access token'],
  ['slack', openSlack, { botToken: 'xapp-1-A1-2-app' }, 'OAuth & Permissions'],
  ['teams', openTeams, { appPassword: 'wrong' }, 'column "Value"'],
  ['googlechat', openGoogleChat, { serviceAccountKey: '{}' }, 'Service Accounts'],
  ['discord', openDiscord, { botToken: 'public-key' }, '"Reset Token"'],
  ['line', openLine, { channelAccessToken: 'wrong' }, 'channel access token'],
  ['twilio', openTwilio, { authToken: 'wrong' }, 'Account Info'],
  ['matrix', openMatrix, { accessToken: 'wrong' }, 'access token'],
  ['email', openMailbox, { password: 'wrong' }, 'app password'],
  [
    'api',
    openOwnApp,
    { signingSecret: Buffer.alloc(32).toString('base64') },
    'signing secret',
  ],
]

/** Accounts, as their providers name them. */
const names: Record<string, unknown> = {
  telegram: '@stand_in_bot',
  whatsapp: '+1 555-078-3881 (Bakery)',
  messenger: 'Bakery',
  instagram: 'bakery',
  slack: '@bot (Bakery)',
  teams: 'Microsoft App ID 11111111-2222-3333-4444-555555555555',
  googlechat: 'bot@project.iam.gserviceaccount.com',
  discord: 'Stand-in (on Bakery)',
  line: 'Bot (@216ru)',
  twilio: '+15005550006 (Bakery)',
  matrix: '@bot:example.org',
  email: 'bot@shop.example',
  api: expect.stringMatching(/^http:.*bot$/),
}

describe('settings before they are stored', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
    await scene.listen()
  })
  afterAll(() => scene?.close())

  test.each(standIns)(
    '%s: asks the provider, within 3 s',
    async (name, open, wrong, words) => {
      const standIn = await open()
      try {
        const { check, state } = onBot(scene)
        const right = await check(name, standIn.configuration)
        expect(right.body).toMatchObject({
          account: { name: names[name] },
          problem: null,
        })
        const begun = Date.now()
        const { status, body } = await check(name, { ...standIn.configuration, ...wrong })
        expect([status, body.problem]).toEqual([200, expect.stringContaining(words)])
        expect(Date.now() - begun).toBeLessThan(3_000)
        expect(await state(name)).toBeUndefined()
      } finally {
        await standIn.close()
      }
    },
  )

  test('WhatsApp: names the id that Meta does not know', async () => {
    const whatsapp = await openWhatsApp()
    const { configuration } = whatsapp
    const { check } = onBot(scene)
    const wrong = {
      businessAccountId: 'business account ID',
      defaultBotPhoneNumberId: 'phone',
    }
    for (const [setting, words] of Object.entries(wrong)) {
      const { body } = await check('whatsapp', { ...configuration, [setting]: '12345' })
      expect(body.problem).toContain(`Meta does not find the ${words}`)
    }
    await whatsapp.close()
  })

  test('e-mail: names the server and its settings within 3 s, also of silent servers', async () => {
    const mailbox = await openMailbox()
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const { smtpPort, imapPort } = mailbox.configuration
    const cases: [Json, string[]][] = [
      [{ imapPort: port }, ['IMAP server', 'Port of the IMAP server']],
      [{ smtpPort: port }, ['SMTP server', 'Port of the SMTP server']],
      [{ imapPort: smtpPort }, ['IMAP server', 'Port of the IMAP server']],
      [{ smtpPort: imapPort }, ['SMTP server', 'SMTP']],
      [{ imapPort: port, smtpPort: port }, ['The IMAP server', 'The SMTP server']],
      [{ imapSecurity: 'tls' }, ['Encryption of IMAP']],
      [{ smtpSecurity: 'tls' }, ['Encryption of SMTP']],
      [{ smtpSecurity: 'starttls' }, ['Encryption of SMTP']],
      [{ imapHost: 'imap.invalid' }, ['IMAP']],
    ]
    for (const [wrong, words] of cases) {
      const begun = Date.now()
      const { body } = await onBot(scene).check('email', {
        ...mailbox.configuration,
        ...wrong,
      })
      for (const word of words) expect(body.problem).toContain(word)
      expect(Date.now() - begun).toBeLessThan(3_000)
    }
    silent.close()
    await mailbox.close()
  }, 40_000)

  test('Telegram is only asked: its webhook stays', async () => {
    const telegram = await openTelegram()
    await onBot(scene).check('telegram', telegram.configuration)
    expect(telegram.calls.map(({ method }) => method)).toEqual(['getMe'])
    await telegram.close()
  })

  test('names a missing setting, an unknown channel, and an address that is not public', async () => {
    const { check, call } = onBot(scene)
    expect((await check('line', {})).body.problem).toContain('channelAccessToken')
    const address = { channelAccessToken: 'x', channelSecret: 'x', apiUrl: 'localhost' }
    expect((await check('line', address)).body.problem).toBe(
      'The setting "Address of the API" (`apiUrl`) has another form. It begins with `http://` or `https://`.',
    )
    const unknown = await call('GET', '/channel-guides/__proto__')
    expect([unknown.status, unknown.body.message]).toEqual([
      404,
      expect.stringContaining('telegram'),
    ])
    const webhook = { botToken: '1:x', receiveBy: 'webhook' }
    const { problem } = (await check('telegram', webhook)).body
    expect(problem).toMatch(/BOTSTEAD_PUBLIC_URL.*choose "connection"/)
    await expect(installChannel(scene, 'telegram', webhook)).rejects.toThrow(problem)
    const large = await check('api', { appUrl: `http://${'x'.repeat(30_000)}` })
    expect(large.body.type).toBe('LimitExceeded')
  })

  test('guides have the files that the providers take', async () => {
    const { call } = onBot(scene)
    const { guide } = (await call('GET', '/channel-guides/slack')).body
    const { file } = guide.steps[0]
    const manifest = JSON.parse(Buffer.from(file.base64, 'base64').toString())
    expect(manifest.settings.socket_mode_enabled).toBe(true)
    expect(manifest.oauth_config.scopes.bot).toContain('chat:write')
    expect((await call('GET', '/channel-guides/line')).body.guide.steps).toHaveLength(4)
  })
})

describe('a channel by webhook', () => {
  let channel: ChannelScene
  let telegram: Telegram
  let bot: ReturnType<typeof onBot>
  beforeAll(async () => {
    telegram = await openTelegram()
    telegram.configuration.receiveBy = 'webhook'
    channel = await openChannelScene('telegram', async () => telegram)
    bot = onBot(channel.scene)
  })
  afterAll(() => channel?.close())
  const state = () => bot.state('telegram')

  test('waits for the first message, then has its time', async () => {
    expect(await state()).toMatchObject({
      receivesBy: 'webhook',
      status: 'registered',
      account: { name: '@stand_in_bot', link: 'https://t.me/stand_in_bot' },
    })
    expect((await state()).lastReceivedAt).toBeUndefined()
    const early = await bot.send('telegram')
    expect([early.status, early.body.message]).toEqual([
      400,
      expect.stringContaining('write to the bot'),
    ])
    await telegram.say('hello')
    await until(async () => (await state()).lastReceivedAt !== undefined)
  })

  test('sends a test message to a conversation or an address, and stores it there', async () => {
    const { body } = await bot.send('telegram', { text: 'one' })
    await bot.send('telegram', { text: 'two', to: ' 7001 ' })
    await bot.send('telegram', { text: 'three', conversationId: body.conversationId })
    expect(telegram.shown().map(({ text }) => text)).toEqual(['one', 'two', 'three'])
    const stored = (await channel.messages()).map(({ payload }) => payload.text)
    expect(stored).toEqual(['hello', 'one', 'two', 'three'])
    expect((await state()).lastSentAt).toBeDefined()
  })

  test('an address that the provider does not know is an error with its remedy', async () => {
    const { status, body } = await bot.send('telegram', { to: '12345' })
    expect([status, body.type]).toEqual([400, 'Runtime'])
    expect(body.message).toContain('the person must write to the bot first')
    expect((await state()).lastError).toMatchObject({ of: 'sending', isOver: false })
    await bot.send('telegram')
    expect((await state()).lastError.isOver).toBe(true)
    const foreign = await bot.send('telegram', {
      conversationId: 'conv_01KAJ0ZP5S8V3N7Q4XW2R9TDHM',
    })
    expect(foreign.status).toBe(404)
  })

  test('a revoked token is the state of the channel, and its issue is resolved when it works', async () => {
    telegram.revoke()
    await channel.send('text', { text: 'nobody sees this' })
    await until(async () => (await state()).status === 'registration_failed')
    expect((await state()).statusReason).toContain('@BotFather')
    const codes = async () => (await bot.issues()).map(({ code }) => code)
    await until(async () => (await codes()).includes('integration_not_registered'))
    telegram.revoke(false)
    await bot.send('telegram')
    expect((await state()).status).toBe('registered')
    expect(await codes()).not.toContain('integration_not_registered')
  })

  test('another program that takes the messages is found by asking the provider', async () => {
    expect((await bot.verify('telegram')).body.problem).toBeNull()
    const own = telegram.webhook
    telegram.webhook = { url: 'https://elsewhere.example.org/' }
    const { body } = await bot.verify('telegram')
    expect(body.problem).toContain('Another program')
    expect(await state()).toMatchObject({
      status: 'registration_failed',
      statusReason: body.problem,
    })
    telegram.webhook = own
    expect((await bot.verify('telegram')).body.problem).toBeNull()
    expect((await state()).status).toBe('registered')
  })

  test('an answer waits for the right token as a dead letter, which can be sent again', async () => {
    telegram.revoke()
    const { id } = await channel.send('text', { text: 'your order is ready' })
    await channel.send('text', { text: 'good bye' })
    const letters = async () =>
      (await bot.onOwn('GET', '/v1/platform/dead-letters')).deadLetters
    await until(async () => (await letters()).length === 2)
    expect((await letters()).find((one: Json) => one.messageId === id)).toMatchObject({
      kind: 'message',
      reason: expect.stringContaining('@BotFather'),
    })
    telegram.revoke(false)
    await bot.onOwn('POST', '/v1/platform/dead-letters/redeliver', { kind: 'message' })
    await until(() => telegram.shown().at(-1)?.text === 'good bye')
    expect(telegram.shown().at(-2)?.text).toBe('your order is ready')
    expect(await letters()).toEqual([])
  }, 40_000)

  test('another configuration needs another message as its proof', async () => {
    const change = (more: Json) =>
      installChannel(channel.scene, 'telegram', { ...telegram.configuration, ...more })
    await telegram.say('proof')
    await until(async () => (await state()).isProved)
    await change({})
    expect((await state()).isProved).toBe(true)
    await change({ transcribeVoice: 'always' })
    expect(await state()).toMatchObject({
      isProved: false,
      lastReceivedAt: expect.any(String),
    })
    await telegram.say('another proof')
    await until(async () => (await state()).isProved)
  })

  test('a wrong signature is a problem until a message has the right one, also after a check', async () => {
    await fetch(telegram.webhook!.url, { method: 'POST', body: '{}' })
    const problem = { of: 'receiving', isOver: false, isForged: true }
    expect(await state()).toMatchObject({ status: 'registered', lastError: problem })
    const { body } = await bot.verify('telegram')
    expect(body.problem).toBe((await state()).lastError.message)
    await bot.send('telegram')
    expect((await state()).lastError).toMatchObject(problem)
    await telegram.say('again')
    await until(async () => (await state()).lastError.isOver)
    expect((await bot.verify('telegram')).body.problem).toBeNull()
  })
})

test('a gateway that cannot be asked stays wrong until it takes a message', async () => {
  const channel = await openChannelScene('sms', openGateway)
  const bot = onBot(channel.scene)
  const status = async () => (await bot.state('sms')).status
  try {
    await channel.standIn.say('hello')
    await until(async () => (await channel.messages()).length > 0)
    channel.standIn.failNext('credentials')
    await bot.send('sms')
    expect((await bot.verify('sms')).body.problem).toContain('401')
    expect(await status()).toBe('registration_failed')
    // Registering with the same values proves nothing either.
    const again = installChannel(channel.scene, 'sms', channel.standIn.configuration)
    await expect(again).rejects.toThrow('401')
    expect(await status()).toBe('registration_failed')
    expect((await bot.verify('sms')).body.problem).toContain('401')
    expect((await bot.send('sms')).status).toBe(200)
    expect((await bot.verify('sms')).body.problem).toBeNull()
    expect(await status()).toBe('registered')
  } finally {
    await channel.close()
  }
})

test('a right verify token ends the problem of a wrong one', async () => {
  const channel = await openChannelScene('whatsapp', openWhatsApp)
  const whatsapp = channel.standIn as Awaited<ReturnType<typeof openWhatsApp>>
  const lastError = async () => (await onBot(channel.scene).state('whatsapp')).lastError
  const ask = (token: string) =>
    whatsapp.ask({
      'hub.mode': 'subscribe',
      'hub.challenge': '1158201444',
      'hub.verify_token': token,
    })
  try {
    expect((await ask('wrong')).status).toBe(401)
    expect(await lastError()).toMatchObject({ isForged: true, isOver: false })
    expect((await ask('stand-in-verify-token')).status).toBe(200)
    expect(await lastError()).toBeUndefined()
  } finally {
    await channel.close()
  }
})

test('a check connects a channel whose registration has failed', async () => {
  const channel = await openChannelScene('telegram', openTelegram)
  const { db } = channel.scene.app.services
  const bot = onBot(channel.scene)
  try {
    await db.deleteFrom('connector').execute()
    const status = 'registration_failed'
    await db
      .updateTable('installation')
      .set({ status, status_reason: 'no way' })
      .where('alias', '=', 'telegram')
      .execute()
    const telegram = channel.standIn as Telegram
    telegram.revoke()
    expect((await bot.verify('telegram')).body.problem).toContain('@BotFather')
    expect((await bot.state('telegram')).status).toBe('registration_failed')
    telegram.revoke(false)
    expect((await bot.verify('telegram')).body.problem).toBeNull()
    await telegram.say('hello')
    await until(async () => (await channel.messages()).length > 0)
    expect((await bot.state('telegram')).status).toBe('registered')
  } finally {
    await channel.close()
  }
})

test('blanks around stored settings do not count', async () => {
  const channel = await openChannelScene('sms', async () => {
    const gateway = await openGateway()
    const { webhookSecret } = gateway.configuration
    gateway.configuration = {
      ...gateway.configuration,
      webhookSecret: ` ${webhookSecret}\n`,
    }
    return gateway
  })
  try {
    await channel.standIn.say('hello')
    await until(async () => (await channel.messages()).length === 1)
  } finally {
    await channel.close()
  }
})

test('blanks around checked settings do not count, and an address that is none is explained', async () => {
  const scene = await openScene()
  const matrix = await openMatrix()
  const check = async (change: Json) =>
    (await onBot(scene).check('matrix', { ...matrix.configuration, ...change })).body
  const { homeserver, accessToken } = matrix.configuration
  try {
    expect((await check({ accessToken: ` ${accessToken}\n` })).problem).toBeNull()
    expect((await check({ homeserver: `${homeserver} ` })).problem).toBeNull()
    for (const wrong of ['@bot:matrix.org', 'my homeserver', 'http://', 'bot@matrix.org'])
      expect((await check({ homeserver: wrong })).problem).toMatch(
        /begins with https|does not find|user name/,
      )
    const plain = homeserver as string
    expect(
      (await check({ homeserver: plain.replace('http', 'https') })).problem,
    ).toContain('does not speak HTTPS')
  } finally {
    await scene.close()
    await matrix.close()
  }
})

describe('an account in use', () => {
  let scene: Scene
  let line: Line
  beforeAll(async () => {
    scene = await openScene()
    await scene.listen()
    line = await openLine()
  })
  afterAll(async () => {
    await scene?.close()
    await line?.close()
  })

  const put = (botId: string, integrations: Json) =>
    scene.call('PUT', `/v1/admin/bots/${botId}`, {
      headers: { ...scene.admin, 'x-multiple-integrations': 'true' },
      body: { integrations },
    })

  test('is rejected under a second alias and in a second bot, until the first is disabled', async () => {
    const { id: integrationId } = await installChannel(scene, 'line', line.configuration)
    const installation = {
      integrationId,
      enabled: true,
      configuration: line.configuration,
    }
    const second = await put(scene.botId, { other: installation })
    expect(second.body.bot.integrations.other).toMatchObject({
      status: 'registration_failed',
      statusReason: expect.stringContaining('under the alias "line"'),
    })
    await put(scene.botId, { other: null })
    const { body } = await scene.call('POST', '/v1/admin/bots', {
      headers: scene.admin,
      body: { name: 'Second' },
    })
    const botId = body.bot.id
    const elsewhere = await put(botId, { line: installation })
    const { statusReason } = elsewhere.body.bot.integrations.line
    expect(statusReason).toContain('Another bot of this workspace')
    const { name } = (
      await scene.call('GET', `/v1/admin/bots/${scene.botId}`, { headers: scene.admin })
    ).body.bot
    expect(
      (await onBot(scene, botId).check('line', line.configuration)).body.problem,
    ).toBe(statusReason.replace('Another bot', `The bot "${name}"`))
    await put(scene.botId, { line: { enabled: false } })
    const moved = await put(botId, {
      line: { enabled: true, configuration: line.configuration },
    })
    expect(moved.body.bot.integrations.line.status).toBe('registered')
    expect(await onBot(scene, botId).issues()).toEqual([])
  })

  /** A bot of another workspace. */
  const openTenant = async () => {
    const { body } = await scene.call('POST', '/v1/admin/workspaces', {
      headers: scene.admin,
      body: { name: 'Other tenant' },
    })
    const admin = { ...scene.admin, 'x-workspace-id': body.id }
    const made = await scene.call('POST', '/v1/admin/bots', {
      headers: admin,
      body: { name: 'B' },
    })
    const botId = made.body.bot.id
    const asBot = { ...scene.asBot, 'x-bot-id': botId }
    return onBot({ ...scene, admin, asBot, botId })
  }

  test('of another workspace is a warning without details, after a proof of the account', async () => {
    const tenant = await openTenant()
    const { body } = await tenant.check('line', line.configuration)
    expect(body.problem).toBeNull()
    expect(body.warning).toMatch(
      /^Another connection of this server uses the same account/,
    )
    expect(body.warning).not.toContain('Second')
    // At a server of the tenant's own, nothing is proved.
    const own = await openLine()
    const forged = await tenant.check('line', {
      ...line.configuration,
      apiUrl: own.configuration.apiUrl,
    })
    expect(forged.body).toMatchObject({ problem: null })
    expect(forged.body.warning).toBeUndefined()
    await own.close()
  })

  test('of a gateway, which may have several receivers, is a warning in the workspace only', async () => {
    const gateway = await openGateway()
    const { configuration } = gateway
    const sender = '+40 712 345 678'
    await installChannel(scene, 'sms', { ...configuration, sender })
    const { body } = await scene.call('POST', '/v1/admin/bots', {
      headers: scene.admin,
      body: { name: 'Third' },
    })
    const third = { ...scene, botId: body.bot.id }
    await installChannel(third, 'sms', {
      ...configuration,
      sender: sender.replaceAll(' ', '-'),
    })
    expect((await onBot(scene).state('sms')).warning).toContain(
      'The bot "Third" of this workspace',
    )
    expect((await onBot(third).state('sms')).warning).toContain('of this workspace')
    expect((await onBot(scene, third.botId).verify('sms')).body.warning).toContain(
      'this workspace',
    )
    const tenant = await openTenant()
    expect(
      (await tenant.check('sms', { ...configuration, sender })).body.warning,
    ).toBeUndefined()
    await gateway.close()
  })
})

test('the state of a connection says since when it fails, and why', async () => {
  const telegram = await openTelegram()
  const channel = await openChannelScene('telegram', async () => telegram)
  try {
    const { state } = onBot(channel.scene)
    await until(async () => (await state('telegram')).receivesBy === 'connection')
    telegram.revoke()
    await until(async () => (await state('telegram')).lastError !== undefined)
    const { since, lastError } = await state('telegram')
    expect(lastError).toMatchObject({ of: 'receiving', isOver: false })
    expect(Date.parse(since)).toBeGreaterThanOrEqual(Date.parse(lastError.at))
  } finally {
    await channel.close()
  }
})
