// `inject.js` in a browser: a snippet as the original makes it, with the host of this server, on
// websites of other origins.
import { SignJWT } from 'jose'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, noChromium, openBrowser } from '../support/browser.ts'
import { type RunningServer, runServer } from '../support/running-server.ts'
import { openSite, type Site } from '../support/webchat-site.ts'

let browser: Browser
let server: RunningServer
let page: Page
let sites: Site[] = []
/** Errors and warnings that the browser reported, such as blocked scripts and styles. */
let complaints: string[] = []

beforeAll(async () => {
  if (!chromiumPath) return
  ;[browser, server] = await Promise.all([openBrowser(), runServer()])
}, 90_000)

afterAll(async () => {
  await browser?.close()
  await server?.remove()
}, 60_000)

afterEach(async () => {
  await page?.context().close()
  for (const site of sites) site.close()
  sites = []
  complaints = []
})

// biome-ignore lint/suspicious/noExplicitAny: the script defines it on the page
declare const botpress: any
declare const noted: { type: string; payload: unknown }[]

const snippet = (configuration: object = {}, more: object = {}) => {
  const { url, botId, webhookId: clientId } = server.credentials
  const settings = JSON.stringify({ botId, clientId, configuration, ...more })
  return `<script src="${url}/webchat/v3.6/inject.js"></script>
    <script>
      const noted = []
      window.botpress.on('*', (event) => noted.push(event))
      window.botpress.init(${settings})
    </script>`
}

async function visit(content: string) {
  const site = await openSite(content)
  sites.push(site)
  page ??= await newPage()
  if (page.isClosed()) page = await newPage()
  await page.goto(`${site.url}/`)
  return site
}

async function newPage() {
  const made = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  made.on(
    'console',
    (message) =>
      ['error', 'warning'].includes(message.type()) && complaints.push(message.text()),
  )
  made.on('pageerror', (error) => complaints.push(error.message))
  return made
}

/** Replaces the configuration of the bot's chat. */
function configure(configuration: object) {
  const { url, token, workspaceId, botId } = server.credentials
  return fetch(`${url}/v1/admin/bots/${botId}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'x-workspace-id': workspaceId,
      'x-multiple-integrations': 'true',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ integrations: { chat: { configuration } } }),
  })
}

const chat = () => page.frameLocator('iframe')
const theirs = (text: string) => chat().locator('.message.theirs .bubble').getByText(text)
const types = () => page.evaluate(() => noted.map(({ type }) => type))

describe.skipIf(!chromiumPath)('a snippet with the host of this server', () => {
  test('shows the chat with the settings of the snippet', async () => {
    await visit(
      snippet({
        botName: 'Shop <b>bot',
        composerPlaceholder: 'Ask us',
        color: '#aa0000',
      }),
    )
    const button = page.getByRole('button', { name: 'Open Shop <b>bot' })
    await button.click()
    const composer = chat().getByPlaceholder('Ask us')
    await chat().getByRole('heading', { name: 'Shop <b>bot' }).waitFor()
    await composer.fill('hello')
    await composer.press('Enter')
    await theirs('You said: "hello"').waitFor()
    await page.getByRole('button', { name: 'Close Shop <b>bot' }).click()
    expect(await page.locator('iframe').isVisible()).toBe(false)
    expect(await types()).toEqual([
      'webchat:initialized',
      'webchat:opened',
      'webchat:ready',
      'conversation',
      'message',
      'message',
      'webchat:closed',
    ])
    expect(complaints).toEqual([])
  }, 90_000)

  test('has the methods of the original, also while the chat is closed', async () => {
    await visit(snippet())
    const result = await page.evaluate(async () => {
      const received = (type: string) =>
        new Promise((resolve) => {
          const stop = botpress.on(type, (payload: unknown) => {
            stop()
            resolve(payload)
          })
        })
      const custom = received('customEvent')
      await botpress.updateUser({ name: 'Ann', data: { plan: 'pro' } })
      const user = await botpress.getUser()
      await botpress.sendEvent({ cart: [1, 2] })
      const event = await custom
      const message = received('message')
      await botpress.sendMessage('first words')
      const { payload, authorId } = (await message) as {
        payload: unknown
        authorId: string
      }
      return { user, event, payload, isOwn: authorId === user.id }
    })
    expect(result).toMatchObject({
      user: { name: 'Ann', data: { plan: 'pro' } },
      event: { cart: [1, 2] },
      payload: { type: 'text', text: 'first words' },
      isOwn: true,
    })
    await page.evaluate(() => botpress.open())
    await theirs('Hi, Ann! You said: "first words"').waitFor()
    await page.evaluate(() => botpress.config({ configuration: { botName: 'Renamed' } }))
    await chat().getByRole('heading', { name: 'Renamed' }).waitFor()
    await page.evaluate(() => botpress.restartConversation())
    await expect.poll(() => chat().locator('.message').count()).toBe(0)
    await page.evaluate(() => botpress.toggle())
    expect(await page.locator('iframe').isVisible()).toBe(false)
    expect(complaints).toEqual([])
  }, 90_000)

  test('has the same colour in the button and in the chat', async () => {
    const { url, webhookId } = server.credentials
    for (const color of [null, 'rgb(170, 0, 0)']) {
      const script = `<script src="${url}/webchat/${webhookId}/config.js"></script>`
      const inject = `<script src="${url}/webchat/v3.6/inject.js"></script>`
      await visit(color ? snippet({ color }) : inject + script)
      await page.locator('.bpFab').click()
      const background = (element: Element) => getComputedStyle(element).backgroundColor
      const button = await page.locator('.bpFab').evaluate(background)
      expect(button).toBe(color ?? 'rgb(50, 118, 234)')
      await expect.poll(() => chat().locator('#send').evaluate(background)).toBe(button)
    }
  }, 90_000)

  test('keeps the conversation after a reload, and none between websites', async () => {
    const site = await visit(snippet())
    await page.evaluate(() => botpress.sendMessage('remember me'))
    await page.evaluate(() => botpress.open())
    await theirs('You said: "remember me"').waitFor()
    await page.goto(`${site.url}/other`)
    await page.evaluate(() => botpress.open())
    await theirs('You said: "remember me"').waitFor()
    const user = await page.evaluate(() => botpress.getUser())
    await visit(snippet())
    expect((await page.evaluate(() => botpress.getUser())).id).not.toBe(user.id)
    await page.evaluate(() => botpress.open())
    await chat().getByText('Say hello to').waitFor()
    expect(await theirs('remember me').count()).toBe(0)
  }, 90_000)

  test('embeds the chat in an element, and opens it by a button of the page', async () => {
    await visit(`<div id="bp-embedded-webchat" style="height:400px"></div>${snippet()}`)
    await chat().getByText('Say hello to').waitFor()
    expect(await page.locator('.bpFab').count()).toBe(0)
    await visit(`<button id="bp-toggle-chat">Help</button>${snippet()}`)
    await page.getByRole('button', { name: 'Help' }).click()
    await chat().getByText('Say hello to').waitFor()
    expect(await page.locator('.bpFab').count()).toBe(0)
  }, 90_000)

  test('accepts user keys that the owner signed, and reports others', async () => {
    const encryptionKey = 'an encryption key of at least thirty-two characters'
    expect((await configure({ encryptionKey })).status).toBe(200)
    const visitAs = async (secret: string, id: string) => {
      const userToken = await new SignJWT({ id })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from(secret))
      await visit(snippet({}, { user: { userToken } }))
      return page.evaluate(() =>
        botpress.getUser().catch(({ message }: Error) => message),
      )
    }
    try {
      expect(await visitAs(encryptionKey, 'signed-ann')).toMatchObject({
        id: 'signed-ann',
      })
      expect(await visitAs('another key', 'signed-bob')).toMatch(/user key/)
      expect(await visitAs(encryptionKey, 'x'.repeat(2_000))).toMatch(/\bid\b/)
    } finally {
      await configure({})
    }
  }, 90_000)

  test('shows the chat only on allowed origins', async () => {
    const allow = (allowedOrigins: string[]) => configure({ allowedOrigins })
    expect((await allow(['https://www.example.org'])).status).toBe(200)
    try {
      const site = await visit(snippet())
      await page.evaluate(() => botpress.open())
      await expect.poll(() => complaints.join()).toContain('frame-ancestors')
      const { url, webhookId, botId } = server.credentials
      for (const query of [
        `chat=${botId}`,
        `clientId=&chat=${botId}`,
        `chat=${botId}&chat=${botId}`,
        `clientId=unknown&chat=${webhookId}`,
        `clientId=${webhookId}&chat=unknown`,
        `ch%61t=${botId}`,
      ]) {
        const { headers } = await fetch(`${url}/webchat?${query}`)
        expect([query, headers.get('content-security-policy')]).toEqual([
          query,
          expect.stringMatching(/frame-ancestors 'self'( https:\/\/www\.example\.org)?$/),
        ])
      }
      await allow(['https://www.example.org', site.url])
      await page.reload()
      await page.evaluate(() => botpress.open())
      await chat().getByText('Say hello to').waitFor()
    } finally {
      await allow([])
    }
  }, 90_000)
})

describe.skipIf(!chromiumPath)('served files', () => {
  test('have strict headers, and are cached', async () => {
    const { url, webhookId } = server.credentials
    for (const path of [
      '/webchat/inject.js',
      '/webchat/v2/inject.js',
      '/webchat/v3.6/inject.js',
    ]) {
      const reply = await fetch(url + path)
      expect([
        path,
        reply.status,
        reply.headers.get('cross-origin-resource-policy'),
      ]).toEqual([path, 200, 'cross-origin'])
      expect(reply.headers.get('cache-control')).toMatch(/^public, max-age=3600/)
      const etag = reply.headers.get('etag')!
      expect(
        (await fetch(url + path, { headers: { 'if-none-match': etag } })).status,
      ).toBe(304)
    }
    const config = await fetch(`${url}/webchat/${webhookId}/config.js`)
    expect(await config.text()).toContain(`"clientId": "${webhookId}"`)
    expect((await fetch(`${url}/webchat/${crypto.randomUUID()}/config.js`)).status).toBe(
      404,
    )
    for (const path of [
      '/webchat?clientId=x',
      '/webchat/v3.6/shareable.html?clientId=x',
    ]) {
      const policy = (await fetch(url + path)).headers.get('content-security-policy')!
      expect(policy).toContain("default-src 'self'")
      expect(policy).toContain('frame-ancestors *')
      expect(policy).not.toContain('unsafe')
    }
    for (const path of ['/webchat/3/inject.js', '/webchat/v3/chat.js', '/inject.js'])
      expect([path, (await fetch(url + path)).status]).toEqual([path, 404])
  })
})

if (!chromiumPath) test('inject.js', ({ skip }) => skip(noChromium))
