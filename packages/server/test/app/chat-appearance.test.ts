// The appearance of a bot's chat in a browser: language, brand, suggested questions, files, and the widget on
// pages of other origins.
import { readdirSync } from 'node:fs'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Socket,
} from 'node:net'
import { gzipSync } from 'node:zlib'
import { type Browser, expect as playwrightExpect } from '@playwright/test'
import { SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, noChromium, openBrowser } from '../support/browser.ts'
import { watchPages } from '../support/browser-pages.ts'
import { findViolations } from '../support/dashboard.ts'
import { readBlocks } from '../support/documents.ts'
import { type RunningServer, runServer } from '../support/running-server.ts'
import { openSite } from '../support/webchat-site.ts'

const visible = playwrightExpect.configure({ timeout: 20_000 })
const picture =
  'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

let browser: Browser
let server: RunningServer
const pages = watchPages(() => browser)

beforeAll(async () => {
  if (!chromiumPath) return
  ;[browser, server] = await Promise.all([openBrowser(), runServer()])
}, 90_000)
afterAll(async () => {
  await browser?.close()
  await server?.remove()
}, 60_000)
afterEach(async () => {
  const complaints = [...pages.complaints]
  await pages.close()
  expect(complaints).toEqual([])
})

async function openPage(path: string, options = {}) {
  const page = await pages.open(options)
  await page.goto(new URL(path, server.credentials.url).href)
  return page
}
const talk = () => `/talk/${server.credentials.botId}`

const request = (method: string, path: string, body?: unknown) => {
  const { url, token, workspaceId, botId } = server.credentials
  return fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'x-workspace-id': workspaceId,
      'x-bot-id': botId,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}
// biome-ignore lint/suspicious/noExplicitAny: tests assert on fields
const call = async (...values: Parameters<typeof request>): Promise<any> =>
  (await request(...values)).json()

/** Sets the configuration of the bot's chat. */
const configure = (
  appearance: Record<string, unknown>,
  allowedOrigins: string[] = [],
  more: Record<string, unknown> = {},
) =>
  request('PUT', `/v1/admin/bots/${server.credentials.botId}`, {
    integrations: { chat: { configuration: { appearance, allowedOrigins, ...more } } },
  })

describe.skipIf(!chromiumPath)(
  chromiumPath ? 'the appearance of a chat' : noChromium,
  () => {
    test.each([
      ['de-AT', 'de', 'Neue Unterhaltung'],
      ['fr-FR', 'fr', 'Nouvelle conversation'],
      ['es-MX', 'es', 'Nueva conversación'],
      ['pt-BR', 'pt', 'Nova conversa'],
      ['ja-JP', 'en', 'New conversation'],
    ])('speaks the language of a visitor with %s', async (locale, language, name) => {
      const page = await openPage(talk(), { locale })
      await visible(page.getByRole('button', { name })).toBeEnabled()
      await visible(page.locator('html')).toHaveAttribute('lang', language)
      await visible(page.locator('html')).toHaveAttribute('dir', 'ltr')
    })

    test('is right-to-left in Arabic, at 320 pixels, without violations', async () => {
      const page = await openPage(talk(), {
        locale: 'ar',
        viewport: { width: 320, height: 568 },
      })
      await page.getByLabel('رسالتك').fill('choice')
      await page.keyboard.press('Enter')
      await visible(page.getByText('متصل', { exact: true })).toBeVisible()
      await visible(
        page.getByRole('button', { name: 'Option 1', exact: true }),
      ).toBeVisible()
      await visible(page.locator('html')).toHaveAttribute('dir', 'rtl')
      const side = async (selector: string) =>
        (await page.locator(selector).boundingBox())!.x
      expect(await side('.message.own .bubble')).toBeLessThan(
        await side('.message.theirs .bubble'),
      )
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      expect(await findViolations(page)).toEqual([])
    })

    test('all languages have the same texts', async () => {
      const folder = new URL('../../page/texts/', import.meta.url)
      const readKeys = async (file: string) =>
        Object.keys((await import(new URL(file, folder).href)).default)
      const files = readdirSync(folder)
      expect(files).toHaveLength(6)
      for (const file of files)
        expect(await readKeys(file), file).toEqual(await readKeys('en.js'))
    })

    test('shows what a bot of flows says first, unless the chat has a greeting', async () => {
      const { url, token, workspaceId } = server.credentials
      const headers = {
        authorization: `Bearer ${token}`,
        'x-workspace-id': workspaceId,
        'content-type': 'application/json',
      }
      const post = async (path: string, body: unknown, method = 'POST') =>
        (await fetch(url + path, { method, headers, body: JSON.stringify(body) })).json()
      const { bot } = await post('/v1/admin/bots', { name: 'Greeter' })
      const deployGreeting = (text: string) => {
        const cards = [{ type: 'send', message: text, textKey: 'hi' }]
        const flows = { main: { nodes: { start: { type: 'start', cards } } } }
        const languages = {
          default: 'en',
          translations: { de: { 'hi/message': 'Guten Tag' } },
        }
        const botJson = { kind: 'bot', version: 2, flows, languages }
        return post(`/v1/admin/bots/${bot.id}/publish-from-bot-json`, { botJson })
      }
      const settings = async (language: string) =>
        (
          await fetch(`${url}/webchat/${bot.id}/settings.json`, {
            headers: { 'accept-language': language, cookie: 'botstead_language=de' },
          })
        ).json()
      expect(await deployGreeting('Good **day**')).toHaveProperty('version')
      expect(await settings('en')).toMatchObject({
        greeting: 'Good **day**',
        suggestions: [],
      })
      expect(await settings('de-AT, en;q=0.5')).toMatchObject({ greeting: 'Guten Tag' })
      const page = await openPage(`/talk/${bot.id}`, { locale: 'en' })
      await visible(page.locator('#empty-text strong')).toHaveText('day')
      const listed = await fetch(`${url}/v1/chat/conversations`, {
        headers: { ...headers, 'x-bot-id': bot.id },
      })
      expect((await listed.json()).conversations).toEqual([])
      await deployGreeting('Hello again')
      expect(await settings('en')).toMatchObject({ greeting: 'Hello again' })
      const configuration = { appearance: { greeting: 'Ours' } }
      await post(
        `/v1/admin/bots/${bot.id}`,
        { integrations: { chat: { configuration } } },
        'PUT',
      )
      const own = await settings('en')
      expect(own).toMatchObject({ greeting: 'Ours' })
      expect(own).not.toHaveProperty('suggestions')
      const code = 'exports.handler = async () => ({ status: 200 })'
      const coded = await post('/v1/admin/bots', { name: 'Coded', code })
      const plain = await (
        await fetch(`${url}/webchat/${coded.bot.id}/settings.json`)
      ).json()
      expect(plain).not.toHaveProperty('greeting')
    }, 60_000)

    test('shows name, colour, corners, theme, greeting and suggested questions', async () => {
      const { status } = await configure({
        name: 'Ada <b>',
        color: '#ffd400',
        radius: 4,
        theme: 'dark',
        language: 'en',
        greeting: 'Ask **anything** <img src=x>',
        suggestions: ['Is it open?', 'שלום?'],
      })
      expect(status).toBe(200)
      const page = await openPage(talk(), { colorScheme: 'light', locale: 'de' })
      await visible(page.getByRole('heading', { name: 'Ada <b>' })).toBeVisible()
      await visible(page.locator('#empty-text strong')).toHaveText('anything')
      expect(await page.locator('#empty-text img').count()).toBe(0)
      const dark = await page.evaluate(
        () => getComputedStyle(document.body).backgroundColor,
      )
      expect(dark).toBe('rgb(15, 23, 20)')
      expect(await findViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'Is it open?' }).click()
      const bubble = page.locator('.message.own .bubble')
      await visible(bubble).toContainText('Is it open?')
      // Black on yellow: white would not be legible.
      await visible(bubble).toHaveCSS('color', 'rgb(0, 0, 0)')
      await visible(bubble).toHaveCSS('border-top-left-radius', '4px')
      await visible(page.locator('.message.theirs').first()).toBeVisible()
      await visible(page.getByRole('button', { name: 'Is it open?' })).toBeHidden()
    })

    test.each([
      [{ color: 'red; background: url(x)' }, '/appearance/color'],
      [{ avatarUrl: 'javascript:alert(1)' }, '/appearance/avatarUrl'],
      [{ radius: 999 }, '/appearance/radius'],
      [{ suggestions: Array(7).fill('a') }, '/appearance/suggestions'],
      [{ language: 'xx' }, '/appearance/language'],
      [{ script: 'x' }, 'script'],
    ])('rejects %j', async (appearance, place) => {
      const response = await configure(appearance)
      expect(response.status).toBe(400)
      expect(((await response.json()) as { message: string }).message).toContain(place)
    })

    test('sends files, and marks the chosen answer, also after a reload', async () => {
      await configure({ language: 'en' })
      const page = await openPage(talk())
      await visible(page.getByLabel('Your message')).toBeEnabled()
      const buffer = Buffer.from(picture.split(',')[1]!, 'base64')
      const file = { name: 'a "b" ü.gif', mimeType: 'image/gif', buffer }
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Attach a file' }).click()
      await (await chooser).setFiles(file)
      const image = page.locator('.message.own img')
      await visible(image).toHaveAttribute('alt', file.name)
      await visible
        .poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth))
        .toBe(1)
      await page.getByLabel('Your message').fill('choice')
      await page.keyboard.press('Enter')
      const option = page.getByRole('button', { name: 'Option 2', exact: true })
      await option.click()
      for (const _ of ['now', 'after a reload']) {
        await visible(option).toBeDisabled()
        await visible(option).toHaveAttribute('aria-pressed', 'true')
        const other = page.getByRole('button', { name: 'Option 1', exact: true })
        await visible(other).toBeDisabled()
        await visible(page.getByText('You said: "Option 2"')).toBeVisible()
        await page.reload()
      }
    })

    /** Sends a message of the bot into the newest conversation. */
    async function sendAsBot(type: string, payload: unknown) {
      const { conversations } = await call('GET', '/v1/chat/conversations')
      const { botId } = server.credentials
      const { message } = await call('POST', '/v1/chat/messages', {
        conversationId: conversations[0].id,
        userId: botId,
        type,
        payload,
        tags: {},
      })
      return message.id as string
    }

    test('disables a chosen button of a card, also after a reload, and not its others', async () => {
      await configure({ language: 'en' })
      const page = await openPage(talk())
      await page.getByLabel('Your message').fill('hello')
      await page.keyboard.press('Enter')
      await visible(page.getByText('You said: "hello"')).toBeVisible()
      const toCard = (title: string) => ({
        title,
        actions: [{ action: 'postback', label: 'Buy', value: `buy ${title}` }],
      })
      await sendAsBot('carousel', { items: [toCard('Tea'), toCard('Coffee')] })
      const buttons = page.getByRole('button', { name: 'Buy' })
      await visible(buttons).toHaveCount(2)
      await buttons.nth(1).dblclick()
      await visible(page.getByText('You said: "Buy"')).toBeVisible()
      await page.getByLabel('Your message').fill('more')
      await page.keyboard.press('Enter')
      for (const _ of ['now', 'after a reload']) {
        await visible(page.getByText('You said: "more"')).toBeVisible()
        await visible(page.locator('.message.own')).toHaveCount(3)
        await visible(buttons.nth(1)).toBeDisabled()
        await visible(buttons.nth(1)).toHaveAttribute('aria-pressed', 'true')
        await visible(buttons.nth(0)).toBeEnabled()
        await visible(buttons.nth(0)).toHaveAttribute('aria-pressed', 'false')
        expect(await findViolations(page)).toEqual([])
        await page.reload()
      }
    })

    test('keeps the chosen answer after the bot edits the question', async () => {
      await configure({ language: 'en' })
      const page = await openPage(talk())
      await page.getByLabel('Your message').fill('hello')
      await page.keyboard.press('Enter')
      await visible(page.getByText('You said: "hello"')).toBeVisible()
      const actions = [{ action: 'say', label: 'Details', value: 'Give me details' }]
      const card = await sendAsBot('card', { title: 'Paint', actions })
      const details = page.getByRole('button', { name: 'Details' })
      await details.click()
      await visible(page.getByText('You said: "Give me details"')).toBeVisible()
      const options = ['Red', 'Blue'].map((label) => ({
        label,
        value: label.toLowerCase(),
      }))
      const choice = await sendAsBot('choice', { text: 'Which colour?', options })
      const blue = page.getByRole('button', { name: 'Blue' })
      await blue.click()
      await visible(page.getByText('You said: "Blue"')).toBeVisible()
      await call('PUT', `/v1/chat/messages/${card}`, {
        payload: { title: 'Gloss', actions },
      })
      await call('PUT', `/v1/chat/messages/${choice}`, {
        payload: { text: 'Which shade?', options },
      })
      for (const text of ['Gloss', 'Which shade?'])
        await visible(page.getByText(text)).toBeVisible()
      for (const button of [details, blue]) {
        await visible(button).toBeDisabled()
        await visible(button).toHaveAttribute('aria-pressed', 'true')
      }
    })

    test('shows no button for files where visitors cannot send them', async () => {
      await configure({ uploads: false })
      const page = await openPage(talk())
      await visible(page.getByLabel('Your message')).toBeEnabled()
      await visible(page.getByRole('button', { name: 'Attach a file' })).toBeHidden()
    })

    test.each([
      ['falls silent', false],
      ['ends, and new ones stay silent', true],
    ])('shows within five seconds that the connection %s', async (_, ends) => {
      const silent = await openSilenceable(new URL(server.credentials.url))
      const page = await openPage(`${silent.url}${talk()}`)
      await page.getByLabel('Your message').fill('hello')
      await page.keyboard.press('Enter')
      await visible(page.locator('.message.theirs')).toContainText('hello')
      silent.begin({ ends })
      // Looks at each frame; assertions look once in a second.
      await page.waitForFunction(
        () =>
          document.getElementById('connection-text')!.textContent ===
          'Offline, reconnecting…',
        null,
        { timeout: 5_000 },
      )
      silent.close()
      // Of the lost connection.
      pages.complaints.length = 0
    })

    test('opens from a button on a page of another origin, and sets no cookie', async () => {
      await configure({ name: 'Ada', color: '#7a1fa2', position: 'left' })
      const { url, botId } = server.credentials
      const site = await openSite(
        `<script src="${url}/webchat.js" data-bot="${botId}"></script>`,
      )
      const page = await openPage(site.url)
      const button = page.getByRole('button', { name: 'Open Ada' })
      await visible(button).toHaveCSS('background-color', 'rgb(122, 31, 162)')
      expect((await button.boundingBox())!.x).toBe(20)
      await button.click()
      const chat = page.frameLocator('iframe[title="Ada"]')
      await chat.getByLabel('Your message').fill('hello')
      await page.keyboard.press('Enter')
      await visible(chat.locator('.message.theirs')).toContainText('hello')
      expect(await page.context().cookies()).toEqual([])
      await page.getByRole('button', { name: 'Close Ada' }).click()
      await visible(page.locator('iframe')).toBeHidden()

      // By keyboard: the message field has the focus, and Escape returns it to the button.
      await button.press('Enter')
      await visible(chat.getByLabel('Your message')).toBeFocused()
      await page.keyboard.press('Escape')
      await visible(page.locator('iframe')).toBeHidden()
      await visible(button).toBeFocused()

      // A small screen, also by zoom: the chat covers the website and has its own button.
      await page.setViewportSize({ width: 390, height: 700 })
      await button.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Ada' })
      expect(await dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 700 })
      expect(await dialog.evaluate((box) => box.matches(':modal'))).toBe(true)
      await page.evaluate(() => document.documentElement.setAttribute('lang', 'en'))
      expect(await findViolations(page)).toEqual([])
      await chat.getByRole('button', { name: 'Close chat' }).click()
      await visible(button).toBeFocused()
      site.close()
    })

    test('knows visitors by keys of the website, and no longer after they sign out', async () => {
      const encryptionKey = 'an encryption key of at least thirty-two characters'
      await configure({}, [], { encryptionKey })
      const signKey = (id: string, expiry: string) =>
        new SignJWT({ id })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuedAt()
          .setJti(String(Math.random()))
          .setExpirationTime(expiry)
          .sign(Buffer.from(encryptionKey))
      const { url, botId } = server.credentials
      const expired = await signKey('ann', '-1 minute')
      const site = await openSite(`<script src="${url}/webchat.js"></script>`)
      const page = await openPage(site.url)
      const chat = page.frameLocator('iframe')
      const start = async (...keys: string[]) => {
        await page.goto(site.url)
        await page.evaluate(
          ([bot, keys]) => {
            const userKey = keys.length > 1 ? () => keys.shift() : keys[0]
            const widget = { bot, userKey, title: 'Ada' }
            Object.assign(globalThis, {
              chat: Object(globalThis).botsteadWebchat.init(widget),
            })
          },
          [botId, keys] as const,
        )
        await page.getByRole('button', { name: 'Open Ada' }).click()
      }
      await start(await signKey('ann', '1 hour'))
      await chat.getByLabel('Your message').fill('I am Ann')
      await page.keyboard.press('Enter')
      await visible(chat.locator('.message.theirs')).toContainText('I am Ann')
      const { users } = await call('GET', '/v1/chat/users')
      expect(
        users.flatMap((user: { tags: object }) => Object.values(user.tags)),
      ).toContain('ann')

      // A new key of the same person, after an expired one, also without what the browser stored.
      await page.goto(`${url}/talk/${botId}`)
      await page.evaluate(() => localStorage.clear())
      await start(expired, await signKey('ann', '1 hour'))
      await visible(chat.locator('.message.own')).toContainText('I am Ann')

      await start(await signKey('bob', '1 hour'))
      await visible(chat.getByText('Say hello to Ada')).toBeVisible()
      const stored = await page
        .frames()
        .at(-1)!
        .evaluate(() => JSON.stringify({ ...localStorage }))
      expect(stored).not.toContain('eyJ')

      pages.complaints.length = 0
      await start(expired)
      await visible(chat.getByText('You could not be identified')).toBeVisible()
      await visible.poll(() => pages.complaints.join()).toContain('rejects the user key')
      await page.evaluate(
        (key) => Object(globalThis).chat.setUserKey(key),
        await signKey('ann', '1 h'),
      )
      await visible(chat.locator('.message.own')).toContainText('I am Ann')

      // Signed out: no visitor sees Ann's conversation, and this bot has no anonymous visitors.
      await start()
      await visible(chat.getByRole('alert')).toContainText('Sign in on the website')
      expect(await chat.getByText('I am Ann').count()).toBe(0)
      site.close()
      pages.complaints.length = 0
      await configure({})
    })

    test('the snippets of docs/webchat.md show the chat', async () => {
      const encryptionKey = 'an encryption key of at least thirty-two characters'
      await configure({ name: 'Ada' }, [], { encryptionKey })
      const { url, botId } = server.credentials
      const blocks = readBlocks('docs/webchat.md')
      const snippet = (part: string) =>
        blocks
          .find(({ text }) => text.includes(part))!
          .text.replaceAll('https://bots.example.org', url)
          .replaceAll('bot_…', botId)
      const key = new SignJWT({ id: 'zoe' }).setProtectedHeader({ alg: 'HS256' })
      const files = {
        '/chat-key': await key
          .setExpirationTime('1 hour')
          .sign(Buffer.from(encryptionKey)),
      }
      const withoutBot = snippet('webchat.js').replace(/ data-bot="\w+"/, '')
      const script = (part: string) => `${withoutBot}<script>${snippet(part)}</script>`
      const shows = async (html: string, hasButton: boolean) => {
        const site = await openSite(html, files)
        const page = await openPage(site.url)
        if (hasButton) await page.getByRole('button', { name: 'Open Ada' }).click()
        await visible(
          page.frameLocator('iframe').getByLabel('Your message'),
        ).toBeEnabled()
        await page.close()
        site.close()
      }
      await shows(script('/chat-key'), true)
      // The widget creates the user after this response.
      expect(pages.complaints.splice(0).join()).toMatch(/^[^,]* 401 [^,]*$/)
      await configure({ name: 'Ada' })
      await shows(snippet('webchat.js'), true)
      await shows(`<div id="chat"></div>${script('#chat')}`, false)
    })

    test('a website can change the look of a chat, and not its address', async () => {
      const { url, botId } = server.credentials
      const evil = JSON.stringify({
        chatUrl: '/chat/other',
        botName: 'Evil <b>',
        uploads: true,
      })
      await configure({ uploads: false })
      const site =
        await openSite(`<iframe src="${url}/webchat?chat=${botId}&embedded"></iframe>
      <script>
        addEventListener('message', ({ data, source }) => {
          if (data.type !== 'botstead:loaded') return
          const message = { type: 'botstead:init', configuration: ${evil} }
          source.postMessage(message, '*')
        })
      </script>`)
      const page = await openPage(site.url)
      const chat = page.frameLocator('iframe')
      await visible(chat.getByRole('heading', { name: 'Evil <b>' })).toBeVisible()
      await visible(chat.getByLabel('Your message')).toBeEnabled()
      await visible(chat.getByRole('button', { name: 'Attach a file' })).toBeHidden()
      site.close()
      await configure({})
    })

    test('fits tables and broken pictures, and scrolls in one place', async () => {
      const page = await openPage(talk(), { viewport: { width: 320, height: 480 } })
      await page.getByLabel('Your message').fill('hello')
      await page.keyboard.press('Enter')
      await visible(page.locator('.message.theirs')).toContainText('hello')
      const { botId: userId } = server.credentials
      const [{ conversationId }] = (await call('GET', '/v1/chat/messages')).messages
      const send = (type: string, payload: object) =>
        call('POST', '/v1/chat/messages', {
          type,
          payload,
          conversationId,
          userId,
          tags: {},
        })
      const row = '| Basic | 1 | Notes that are longer than the page is wide |'
      await send('text', { text: `| Plan | Price | Notes |\n|---|---|---|\n${row}` })
      await send('image', { imageUrl: `${server.credentials.url}/none.png` })
      for (let i = 0; i < 8; i++) await send('text', { text: `Message ${i}` })
      await visible(page.getByText('Message 7')).toBeVisible()
      await visible(page.getByText('Image could not be loaded')).toBeAttached()
      const { height, lines } = await page.evaluate(() => {
        const range = document.createRange()
        range.selectNodeContents(document.querySelector('td')!)
        return {
          height: document.documentElement.scrollHeight,
          lines: range.getClientRects().length,
        }
      })
      expect({ height, lines }).toEqual({ height: 480, lines: 1 })
      // In forced colours, icons and chosen buttons stay visible.
      await page.emulateMedia({ forcedColors: 'active' })
      await page.getByRole('button', { name: 'Good answer' }).last().click()
      const good = page.getByRole('button', { name: 'Good answer', pressed: true })
      await visible(good).toHaveCSS('border-top-width', '3px')
      expect(await findViolations(page)).toEqual([])
      pages.complaints.length = 0
    })

    test('shows no button on a website that the bot does not allow', async () => {
      const { botId, url } = server.credentials
      await configure({}, ['https://shop.example.org'])
      const site = await openSite(
        `<script src="${url}/webchat.js" data-bot="${botId}"></script>`,
      )
      const page = await openPage(site.url)
      await visible
        .poll(() => pages.complaints.join())
        .toContain('under "Webchat", "Allowed websites"')
      await visible(page.locator('button')).toBeHidden()
      site.close()
      pages.complaints.length = 0
      await configure({})
    })

    test('shows who answers in place of the bot, also after a reload', async () => {
      const page = await openPage(talk())
      await page.getByLabel('Your message').fill('hello')
      await page.keyboard.press('Enter')
      await visible(page.locator('.message.theirs')).toContainText('hello')
      await visible(page.locator('.sender')).toHaveCount(0)
      const { messages } = await call('GET', '/v1/chat/messages')
      const [{ conversationId }] = messages
      const { account } = await call('PUT', '/v1/admin/account/me', {
        displayName: 'Grace <b>',
      })
      expect(account.displayName).toBe('Grace <b>')
      const requested = { conversationId, assign: true }
      const { handoff } = await call('POST', '/v1/platform/handoffs', requested)
      const answer = { type: 'text', payload: { text: 'I am a person' } }
      await call('POST', `/v1/platform/handoffs/${handoff.id}/messages`, answer)
      for (const _ of ['live', 'after a reload']) {
        const row = page.locator('.message.theirs').filter({ hasText: 'I am a person' })
        await visible(row.locator('.sender')).toHaveText('Grace <b>')
        await visible(page.locator('.sender')).toHaveCount(1)
        // Only the answer of the bot has thumbs.
        await visible(page.locator('.rating')).toHaveCount(1)
        await visible(row.locator('.rating')).toHaveCount(0)
        await page.reload()
      }
      await call('POST', `/v1/platform/handoffs/${handoff.id}/close`, {
        outcome: 'returned',
      })
      // The message of a rule is no answer either.
      const rules = { keywords: ['person'], message: 'A colleague will write' }
      await call('PUT', '/v1/platform/handoff-rules', rules)
      await page.getByLabel('Your message').fill('a person, please')
      await page.keyboard.press('Enter')
      for (const _ of ['live', 'after a reload']) {
        const row = page.locator('.message.theirs').filter({ hasText: rules.message })
        await visible(row).toHaveCount(1)
        await visible(page.locator('.rating')).toHaveCount(1)
        await visible(row.locator('.rating')).toHaveCount(0)
        await page.reload()
      }
      await call('PUT', '/v1/platform/handoff-rules', {})
    })

    test('has at most 60 KB, compressed', async ({ annotate }) => {
      const sizes = new Map<string, Promise<number>>()
      const page = await openPage('about:blank', { locale: 'ar' })
      page.on('response', (response) => {
        const { pathname } = new URL(response.url())
        if (!/\.(js|css|svg)$|^\/talk\//.test(pathname)) return
        sizes.set(
          pathname,
          response.body().then((body) => gzipSync(body).length),
        )
      })
      await page.goto(new URL(talk(), server.credentials.url).href)
      await visible(page.locator('#words')).toBeEnabled()
      const loaded = await Promise.all(sizes.values())
      expect(loaded.length).toBeGreaterThan(5)
      const widget = gzipSync(
        await (await fetch(`${server.credentials.url}/webchat.js`)).bytes(),
      )
      const total = loaded.reduce((sum, size) => sum + size, widget.length)
      await annotate(`${total} bytes in ${loaded.length + 1} files`)
      expect(total).toBeLessThan(60_000)
    })
  },
)

/**
 * Forwards connections to a server until `begin`; then nothing is forwarded. Connections stay open, or
 * end, and new ones stay open.
 */
async function openSilenceable({ hostname, port }: URL) {
  let isSilent = false
  const clients = new Set<Socket>()
  const proxy = createTcpServer((client) => {
    clients.add(client)
    const upstream = connect(Number(port), hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (chunk) => isSilent || to.write(chunk))
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    begin({ ends }: { ends: boolean }) {
      isSilent = true
      if (ends) for (const client of clients) client.destroy()
    },
    close: () => proxy.close(),
  }
}
