// Tests the chat page in a browser, with a server and its echo bot. Hostile messages are put into
// the server's responses on their way to the browser.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { UploadableFile } from '@botstead/contract'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, noChromium, openBrowser } from '../support/browser.ts'
import { watchPages } from '../support/browser-pages.ts'
import { type RunningServer, runServer } from '../support/running-server.ts'

let browser: Browser
let server: RunningServer
let plainPage: Page | undefined
const pages = watchPages(() => browser)
const { complaints } = pages

beforeAll(async () => {
  if (!chromiumPath) return
  ;[browser, server] = await Promise.all([openBrowser(), runServer()])
}, 90_000)

afterAll(async () => {
  await browser?.close()
  await server?.remove()
}, 60_000)

afterEach(async () => {
  await pages.close()
})

const chatPage = () => `${server.credentials.url}/talk/${server.credentials.webhookId}`

async function openChat(options?: BrowserContextOptions) {
  const page = await pages.open(options)
  await page.goto(chatPage())
  await ready(page)
  return page
}

/** Opens a page that stays open for several tests, for calls of the page's modules. */
async function openPlain() {
  const page = await browser.newPage()
  await page.goto(chatPage())
  return page
}

/** Without a conversation, the page is not connected, and says nothing about it. */
const ready = async (page: Page) => {
  await page.locator('#words:not(:disabled)').waitFor()
  expect(await page.locator('#connection-text').textContent()).toMatch(
    /^(Online|Connecting…)?$/,
  )
}
const state = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor()
const theirs = (page: Page) => page.locator('.message.theirs .bubble')
const own = (page: Page) => page.locator('.message.own .bubble')

async function say(page: Page, text: string) {
  await page.getByLabel('Your message').fill(text)
  await page.keyboard.press('Enter')
}

/** Creates a user with a conversation, as the page stores it. */
async function createSession() {
  const post = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.credentials.chatUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    })
    return response.json()
  }
  const { user, key } = await post('/users')
  const { conversation } = await post('/conversations', { 'x-user-key': key })
  return { userKey: key, userId: user.id, conversationId: conversation.id }
}

/**
 * Opens the page with these messages in its conversation, newest last, without the server's
 * validation.
 */
async function openWith(payloads: unknown[], options?: BrowserContextOptions) {
  const page = await pages.open(options)
  await page.addInitScript(
    ([key, session]) => localStorage.setItem(key!, session!),
    [
      `botstead:/chat/${server.credentials.webhookId}`,
      JSON.stringify(await createSession()),
    ],
  )
  const messages = payloads.map((payload, index) => ({
    id: `msg_${index}`,
    createdAt: new Date(Date.UTC(2026, 0, 1, 12, 0, index)).toISOString(),
    payload,
    userId: server.credentials.botId,
    conversationId: 'any',
  }))
  await page.route('**/messages*', (route) =>
    route.fulfill({ json: { messages: messages.toReversed(), meta: {} } }),
  )
  await page.goto(chatPage())
  await expect.poll(() => theirs(page).count()).toBe(payloads.length)
  return page
}

const address = 'https://example.com/a%20file.png'
const everyType = [
  {
    type: 'text',
    text: 'Some words that are long enough to need a second line on the screen of any telephone, or a third.',
  },
  { type: 'text', text: 'Averylongwordwithoutanyplacetobreakit'.repeat(5) },
  {
    type: 'markdown',
    markdown: '# Title\n**bold** *slanted* ~~deleted~~ `code`\n\n'.concat(
      '- one\n- two\n  1. inside\n\n> quoted\n\n```\nlong code ',
      'x'.repeat(200),
      '\n```\n[link](https://example.com)\n\n|a|b|\n|-|-|\n|a cell with several words|and another of them|',
    ),
  },
  {
    type: 'image',
    imageUrl: `data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7`,
  },
  {
    type: 'audio',
    audioUrl: `data:audio/wav;base64,UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=`,
  },
  { type: 'video', videoUrl: 'data:video/webm;base64,GkXfow==' },
  { type: 'file', fileUrl: address },
  {
    type: 'location',
    latitude: 1.5,
    longitude: -2,
    title: 'There',
    address: 'Somewhere',
  },
  {
    type: 'card',
    title: 'A card',
    subtitle: 'below',
    actions: [
      { action: 'say', label: 'Say it', value: 'said' },
      { action: 'url', label: 'Go', value: address },
    ],
  },
  {
    type: 'carousel',
    items: ['One', 'Two', 'Three'].map((title) => ({
      type: 'card',
      title,
      actions: [{ action: 'postback', label: `Take ${title}`, value: title }],
    })),
  },
  {
    type: 'choice',
    text: 'Which?',
    options: Array.from({ length: 12 }, (_, index) => ({
      label: `Option ${index}`,
      value: `${index}`,
    })),
  },
  {
    type: 'dropdown',
    text: 'Which one?',
    options: [
      { label: 'A', value: 'a' },
      { label: 'B', value: 'b' },
    ],
  },
  {
    type: 'bloc',
    items: [
      { type: 'text', text: 'first' },
      { type: 'markdown', markdown: '**second**' },
    ],
  },
  { type: 'hologram', depth: 3 },
]

describe.skipIf(!chromiumPath)('embedded in another website', () => {
  /** Opens a page at another origin, with the code from the Admin API. */
  async function openHost(type: string) {
    const { url, token, workspaceId, botId } = server.credentials
    const response = await fetch(`${url}/v1/admin/bots/${botId}/webchat?type=${type}`, {
      headers: { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId! },
    })
    const { code: offered } = (await response.json()) as { code: string }
    const { webhookId } = server.credentials
    // Pages that embedded the chat before the server had the original's snippets.
    const older = `<script src="${url}/webchat.js" data-chat="${webhookId}" defer></script>`
    const code = type === 'sharableUrl' ? older : offered
    const host = createServer((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html><title>Shop</title><body>${code}</body>`),
    )
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    const page = await pages.open()
    await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`)
    return { page, close: () => host.close() }
  }

  test.each(['preconfigured', 'configurable', 'fullscreen', 'sharableUrl'])(
    'shows the chat: %s',
    async (type) => {
      const { page, close } = await openHost(type)
      try {
        if (type !== 'fullscreen') {
          expect(page.frames()).toHaveLength(1)
          await page.getByRole('button', { name: /^Open / }).click()
        }
        const chat = page.frameLocator('iframe')
        await chat.getByLabel('Your message').fill('from a shop')
        await chat.getByLabel('Your message').press('Enter')
        await chat.locator('.message.theirs .bubble').getByText('from a shop').waitFor()
        await chat.getByRole('status').getByText('Online', { exact: true }).waitFor()
        if (type !== 'fullscreen') {
          await page.getByRole('button', { name: /^Close / }).click()
          expect(await page.locator('iframe').isVisible()).toBe(false)
        }
        expect(complaints).toEqual([])
      } finally {
        close()
      }
    },
  )
})

test.skipIf(!chromiumPath)(
  'a file runs no code on our origin, whatever its content type: opened, framed or embedded',
  async () => {
    const { url, token, botId } = server.credentials
    const evil = "<script>document.title = 'ran'; alert(1); fetch('/ran')</script>"
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${evil}</svg>`
    const xhtml = `<html xmlns="http://www.w3.org/1999/xhtml"><body onload="alert(1)">${evil}</body></html>`
    const active = {
      'text/html': `<!doctype html>${evil}`,
      'text/html; charset=utf-8': evil,
      'image/svg+xml': svg,
      'application/xhtml+xml': xhtml,
      'text/xml': svg,
    }
    const disguised = Object.fromEntries(
      [
        'application/octet-stream',
        'text/plain',
        'image/png',
        'application/json',
        'video/mp4',
      ].map((type) => [type, evil]),
    )
    const headers = {
      authorization: `Bearer ${token}`,
      'x-bot-id': botId,
      'content-type': 'application/json',
    }
    const addresses: string[] = []
    for (const [contentType, content] of Object.entries({ ...active, ...disguised })) {
      const announced = JSON.stringify({
        key: contentType,
        size: content.length,
        contentType,
        accessPolicies: ['public_content'],
      })
      const { file } = (await (
        await fetch(`${url}/v1/files`, { method: 'PUT', headers, body: announced })
      ).json()) as { file: UploadableFile }
      expect(
        (
          await fetch(file.uploadUrl, {
            method: 'PUT',
            headers: { 'content-type': contentType },
            body: content,
          })
        ).status,
      ).toBe(200)
      addresses.push(file.url)
    }
    const embedded = addresses.map((address) =>
      [
        `<iframe src="${address}"></iframe>`,
        `<object data="${address}"></object>`,
        `<embed src="${address}">`,
        `<img src="${address}">`,
      ].join(''),
    )
    const host = createServer((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html>${embedded.join('')}`),
    )
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    try {
      const page = await pages.open()
      const requested: string[] = []
      page.on('request', (request) => requested.push(new URL(request.url()).pathname))
      await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`, {
        waitUntil: 'load',
      })
      expect(requested.length).toBeGreaterThan(addresses.length)
      // A download aborts the navigation.
      for (const address of addresses) await page.goto(address).catch(() => {})
      expect(requested).not.toContain('/ran')
      expect(complaints.filter((complaint) => complaint.startsWith('dialog'))).toEqual([])
    } finally {
      host.close()
    }
  },
)

describe.skipIf(!chromiumPath)('the chat page', () => {
  test('shows the answer of the bot, without browser errors', async () => {
    const page = await openChat()
    await say(page, 'Good morning')
    await theirs(page).getByText('Hi! You said: "Good morning"').waitFor()
    expect(await own(page).allInnerTexts()).toEqual([
      expect.stringContaining('Good morning'),
    ])
    expect(await page.locator('.typing').isVisible()).toBe(false)
    expect(complaints).toEqual([])
  })

  test('shows all message types of the echo bot', async () => {
    const page = await openChat()
    for (const [word, shown] of Object.entries({
      image: '.picture img',
      audio: 'audio',
      video: 'video',
      carousel: '.carousel .card',
      choice: '.options button',
      bloc: '.bloc .picture',
    })) {
      await say(page, word)
      await page.locator(`.message.theirs ${shown}`).first().waitFor()
    }
    await page.getByRole('button', { name: 'Option 2', exact: true }).click()
    await theirs(page).getByText('Hi! You said: "Option 2"').waitFor()
    expect(complaints).toEqual([])
  })

  test('continues after a reload, and starts a new conversation on request', async () => {
    const page = await openChat()
    await say(page, 'first')
    await theirs(page).getByText('You said: "first"').waitFor()
    await page.reload()
    // The stream may deliver the answer before the history is loaded.
    await theirs(page).getByText('You said: "first"').waitFor()
    await own(page).getByText('first').waitFor()
    expect(await own(page).count()).toBe(1)
    await page.getByRole('button', { name: 'New conversation' }).click()
    await page.getByText('Say hello to').waitFor()
    expect(await own(page).count()).toBe(0)
    await say(page, 'second')
    await theirs(page).getByText('You said: "second"').waitFor()
    expect(await theirs(page).count()).toBe(1)
    expect(complaints).toEqual([])
  })

  test('starts a new session if the server does not have the user or the conversation', async () => {
    const page = await openChat()
    for (const change of [{ userKey: 'nonsense' }, { conversationId: 'conv_nowhere' }]) {
      await page.evaluate((change) => {
        const storageKey = Object.keys(localStorage).find((key) =>
          key.startsWith('botstead:'),
        )!
        localStorage.setItem(
          storageKey,
          JSON.stringify({ ...JSON.parse(localStorage.getItem(storageKey)!), ...change }),
        )
      }, change)
      await page.reload()
      await ready(page)
      await say(page, 'still there?')
      await theirs(page).getByText('still there?').waitFor()
    }
  })

  test('stores nothing before the visitor writes, and a new conversation only then', async () => {
    const created: string[] = []
    const page = await pages.open()
    page.on('request', (request) => {
      const [, made] =
        /\/(users|conversations|messages)$/.exec(new URL(request.url()).pathname) ?? []
      if (request.method() === 'POST' && made) created.push(made)
    })
    await page.goto(chatPage())
    await ready(page)
    await page.getByText('Say hello to').waitFor()
    expect(await page.getByText('Online', { exact: true }).count()).toBe(0)
    await page.getByLabel('Your message').click()
    await page.reload()
    await ready(page)
    // Longer than a new session takes.
    await page.waitForTimeout(1_000)
    expect(created).toEqual([])
    await say(page, 'one')
    await theirs(page).getByText('You said: "one"').waitFor()
    expect(created.splice(0)).toEqual(['users', 'conversations', 'messages'])
    await page.getByRole('button', { name: 'New conversation' }).click()
    await page.getByText('Say hello to').waitFor()
    await page.reload()
    await page.getByText('Say hello to').waitFor()
    expect(created).toEqual([])
    await say(page, 'two')
    await theirs(page).getByText('You said: "two"').waitFor()
    expect(await own(page).count()).toBe(1)
    expect(created).toEqual(['conversations', 'messages'])
    expect(complaints).toEqual([])
  })

  test('creates no new user after an erasure, until the visitor writes again', async () => {
    const page = await openChat()
    await say(page, 'forget me')
    await theirs(page).getByText('You said: "forget me"').waitFor()
    const created: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') created.push(new URL(request.url()).pathname)
    })
    const storedId = () =>
      page.evaluate(() => {
        const key = Object.keys(localStorage).find((key) => key.startsWith('botstead:'))!
        return JSON.parse(localStorage.getItem(key)!).userId as string | undefined
      })
    const { url, token, botId, workspaceId } = server.credentials
    const erased = await storedId()
    const response = await fetch(`${url}/v1/platform/users/${erased}/erasures`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'x-bot-id': botId,
        'x-workspace-id': workspaceId,
        'content-type': 'application/json',
      },
      body: '{}',
    })
    expect(response.ok).toBe(true)
    await expect.poll(storedId, { timeout: 20_000 }).toBeUndefined()
    await page.getByText('Say hello to').waitFor()
    await ready(page)
    expect(await page.getByText('forget me').count()).toBe(0)
    // Longer than a new session takes.
    await page.waitForTimeout(1_000)
    expect(created).toEqual([])
    for (const text of ['first', 'second']) await say(page, text)
    await theirs(page).getByText('You said: "second"').waitFor()
    expect(await own(page).allInnerTexts()).toEqual([
      expect.stringContaining('first'),
      expect.stringContaining('second'),
    ])
    expect(created.filter((path) => path.endsWith('/users'))).toHaveLength(1)
    expect(await storedId()).not.toBe(erased)
  })

  test('two pages of one user show the same conversation, each message once', async () => {
    const page = await openChat()
    const second = await page.context().newPage()
    await second.goto(chatPage())
    await ready(second)
    await say(second, 'from the second')
    await theirs(page).getByText('from the second').waitFor()
    await theirs(second).getByText('from the second').waitFor()
    expect([
      await own(page).count(),
      await own(second).count(),
      await theirs(page).count(),
    ]).toEqual([1, 1, 1])
  })

  test('shows when the server is offline, keeps messages, and sends each once after it is back', async () => {
    const page = await openChat()
    await say(page, 'before')
    await theirs(page).getByText('"before"').waitFor()
    await server.stop()
    await state(page, 'Offline, reconnecting…')
    await page.getByRole('alert').getByText('The server does not respond').waitFor()
    await say(page, 'meanwhile')
    await own(page).getByText('meanwhile').waitFor()
    await page.getByText('Not sent yet, retrying…').waitFor()
    await server.start()
    await page
      .getByRole('button', { name: 'Retry now' })
      .click({ timeout: 2_000 })
      .catch(() => {})
    await state(page, 'Online')
    await theirs(page).getByText('"meanwhile"').waitFor()
    expect(await page.getByRole('alert').isVisible()).toBe(false)
    expect([await own(page).count(), await theirs(page).count()]).toEqual([2, 2])
    expect(
      complaints.filter((text) => !/ERR_|Failed to load resource/.test(text)),
    ).toEqual([])
  }, 60_000)

  test('is offline with the device, and stores an opinion when the connection is back', async () => {
    const page = await openChat()
    await say(page, 'before')
    await theirs(page).getByText('"before"').waitFor()
    await page.context().setOffline(true)
    await state(page, 'Offline, reconnecting…')
    await page.getByRole('button', { name: 'Good answer' }).click()
    await say(page, 'meanwhile')
    await page.getByText('Not sent yet, retrying…').waitFor()
    expect(await page.getByRole('button', { name: 'Stop answer' }).isVisible()).toBe(
      false,
    )
    await page.context().setOffline(false)
    await state(page, 'Online')
    await page.getByRole('button', { name: 'Good answer', pressed: true }).waitFor()
    await theirs(page).getByText('"meanwhile"').waitFor()
    expect(await page.getByRole('alert').isVisible()).toBe(false)
    complaints.length = 0
  }, 60_000)

  test('disables the buttons of a question that was answered where it was repeated', async () => {
    const page = await openChat()
    for (const count of [1, 2]) {
      await say(page, 'choice')
      await expect.poll(() => page.locator('.choices').count()).toBe(count)
    }
    const first = page.locator('.choices').first().getByRole('button').first()
    expect(await first.isEnabled()).toBe(true)
    await page.locator('.choices').last().getByRole('button').first().click()
    await expect.poll(() => first.isDisabled()).toBe(true)
    await page.reload()
    await expect.poll(() => first.isDisabled()).toBe(true)
  })

  test('opens no other bot for an address without a chat', async () => {
    for (const query of ['clientId=…', 'clientId=', 'chat=a/b', 'clientId=unknown']) {
      const page = await pages.open()
      await page.goto(`${server.credentials.url}/webchat?${query}`)
      await page.getByText('There is no chat at this address').waitFor()
      expect([query, await page.getByLabel('Your message').isEnabled()]).toEqual([
        query,
        false,
      ])
    }
  }, 60_000)

  test('a rejected message shows the reason, and can be retried or discarded', async () => {
    const page = await openChat()
    const path = '**/messages'
    await page.route(path, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 403, json: { message: 'Not today' } })
        : route.continue(),
    )
    await say(page, 'please')
    await page.getByText('Not sent: Not today').waitFor()
    await page.unroute(path)
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await theirs(page).getByText('"please"').waitFor()
    expect(await own(page).count()).toBe(1)
    await page.route(path, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 403, json: { message: 'Not today' } })
        : route.continue(),
    )
    await say(page, 'never mind')
    await page.getByRole('button', { name: 'Discard' }).click()
    expect(await own(page).count()).toBe(1)
  })

  test('a lost response duplicates no message', async () => {
    const page = await openChat()
    let lost = 0
    await page.route('**/messages', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue()
      lost++
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.route('**/listen', (route) => route.abort()) // The stream must not deliver it either.
    await say(page, 'only once')
    await expect.poll(() => lost).toBe(1)
    await page.unroute('**/listen')
    await theirs(page).getByText('"only once"').waitFor()
    await say(page, 'and then')
    await theirs(page).getByText('"and then"').waitFor()
    expect([await own(page).count(), await theirs(page).count()]).toEqual([2, 2])
  })

  test('loads earlier messages in pages, in order', async () => {
    const page = await openChat()
    for (let number = 1; number <= 15; number++) {
      await say(page, `number ${number}`)
      await theirs(page)
        .getByText(`"number ${number}"`, { exact: false })
        .last()
        .waitFor()
    }
    await page.reload()
    await own(page).getByText('number 15', { exact: true }).waitFor()
    const shown = await page.locator('.message').count()
    expect(shown).toBeLessThan(30)
    while (
      await page.getByRole('button', { name: 'Show earlier messages' }).isVisible()
    ) {
      await page.getByRole('button', { name: 'Show earlier messages' }).click()
      await expect.poll(() => page.locator('#earlier:disabled').count()).toBe(0)
    }
    expect(await page.locator('.message').count()).toBe(30)
    const order = await own(page).allInnerTexts()
    expect(order.map((text) => Number(/\d+$/.exec(text)))).toEqual(
      Array.from({ length: 15 }, (_, index) => index + 1),
    )
    expect(complaints).toEqual([])
  }, 60_000)

  test('no message becomes code or a dangerous address', async () => {
    const script = '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>'
    const hostile = 'javascript:window.harmed=1'
    const addresses = [
      hostile,
      ' JaVaScRiPt:window.harmed=1',
      'java\nscript:window.harmed=1',
      'data:text/html,<script>1</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:x',
      '//x',
      '\u0001javascript:x',
    ]
    const page = await openWith([
      { type: 'text', text: script },
      {
        type: 'markdown',
        markdown: `${script}\n# ${script}\n- ${script}\n\n> ${script}\n\n\`${script}\``,
      },
      ...addresses.flatMap((url) => [
        {
          type: 'markdown',
          markdown: `[click](${url}) ![picture](${url}) <${url}> [a]: ${url}`,
        },
        { type: 'file', fileUrl: url, title: script },
        { type: 'image', imageUrl: url },
        { type: 'audio', audioUrl: url },
        { type: 'video', videoUrl: url },
        {
          type: 'card',
          title: script,
          subtitle: script,
          imageUrl: url,
          actions: [{ action: 'url', label: script, value: url }],
        },
      ]),
      {
        type: 'image',
        imageUrl: `data:image/svg+xml;base64,${btoa(harmfulSvg)}`,
      },
      { type: 'location', latitude: '1" onload="window.harmed=1', longitude: 0 },
      { type: 'choice', text: script, options: [{ label: script, value: script }] },
      { type: 'dropdown', text: script, options: [{ label: script, value: script }] },
      { type: '__proto__', text: script },
      { type: 'constructor' },
      { type: 'text' },
      {
        type: 'bloc',
        items: [{ type: 'bloc', items: [{ type: 'text', text: script }] }, null, 7],
      },
      { type: 'carousel', items: 'none' },
      { type: 'markdown', markdown: '*'.repeat(5000) },
      { type: 'markdown', markdown: '['.repeat(5000) },
      { type: 'markdown', markdown: '> '.repeat(3000) },
      { type: 'markdown', markdown: '**a _b '.repeat(2000) },
      { type: 'markdown', markdown: '*a_ '.repeat(5000) },
      { type: 'markdown', markdown: '1. '.repeat(6000) },
      { type: 'text', text: 'x'.repeat(200_000) },
      null,
    ])
    const found = await page.evaluate(() => ({
      harmed: 'harmed' in window,
      scripts: document.querySelectorAll(
        '#log script, #log iframe, #log object, #log embed, #log form',
      ).length,
      handlers: [...document.querySelectorAll('#log *')].filter((element) =>
        [...element.attributes].some(
          ({ name }) => name.startsWith('on') || name === 'style',
        ),
      ).length,
      addresses: [...document.querySelectorAll('#log [href], #log [src]')]
        .map((element) => (element.getAttribute('href') ?? element.getAttribute('src'))!)
        .filter((value) => !/^(https?:\/\/|data:(image|audio|video)\/)/.test(value)),
    }))
    expect(found).toEqual({ harmed: false, scripts: 0, handlers: 0, addresses: [] })
    expect(await theirs(page).first().textContent()).toContain(
      '<script>window.harmed=1</script>',
    )
    expect(complaints).toEqual([])
  })

  test.each([
    ['a\nb', '<p>a<br>b</p>'],
    [
      '**a** *b* _c_ ~~d~~ `e`',
      '<p><strong>a</strong> <em>b</em> <em>c</em> <s>d</s> <code>e</code></p>',
    ],
    [
      '2 * 3 * 4, snake_case_name, 5*6*7, ** no **',
      '<p>2 * 3 * 4, snake_case_name, 5*6*7, ** no **</p>',
    ],
    ['\\*not\\*', '<p>*not*</p>'],
    ['# a\ntext', '<h2>a</h2><p>text</p>'],
    [
      '- a\n- b\n  - c\n\ntext',
      '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><p>text</p>',
    ],
    ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['> a\n> b', '<blockquote><p>a<br>b</p></blockquote>'],
    ['```js\n<b>\n```\nx', '<pre><code>&lt;b&gt;</code></pre><p>x</p>'],
    ['---', '<hr>'],
    [
      '[a](https://b.c/d_(e))',
      '<p><a href="https://b.c/d_(e)" target="_blank" rel="noopener noreferrer">a</a></p>',
    ],
    [
      'see https://b.c/d_e.',
      '<p>see <a href="https://b.c/d_e" target="_blank" rel="noopener noreferrer">https://b.c/d_e</a>.</p>',
    ],
    ['[a](javascript:b)', '<p>a (javascript:b)</p>'],
    ['<b>a</b>', '<p>&lt;b&gt;a&lt;/b&gt;</p>'],
    ['<b>\na', '<p>&lt;b&gt;<br>a</p>'],
    [
      '**a *b* c** a**b**c',
      '<p><strong>a <em>b</em> c</strong> a<strong>b</strong>c</p>',
    ],
    [
      '[**a**](https://b.c/) ![d](https://b.c/) [e][f]\n\n[f]: https://b.c/',
      '<p>' +
        ['<strong>a</strong>', 'd', 'e']
          .map(
            (label) =>
              `<a href="https://b.c/" target="_blank" rel="noopener noreferrer">${label}</a>`,
          )
          .join(' ') +
        '</p>',
    ],
    [
      '![a](data:b) <d@e.f> <javascript:b> ftp://a.b d@e.f',
      '<p>a (data:b) d@e.f javascript:b ftp://a.b d@e.f</p>',
    ],
    [
      '| a | b |\n|---|---|\n| *c* | d |',
      '<table tabindex="0"><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><em>c</em></td><td>d</td></tr></tbody></table>',
    ],
    ['a\n---\n    b', '<p>a</p><hr><p>b</p>'],
    ['- a\n\n  b\n- c', '<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>'],
    ['[a]: b', '[a]: b'],
  ])('converts Markdown %j', async (text, html) => {
    plainPage ??= await openPlain()
    // As text, because the test runner would transform a function.
    expect(
      await plainPage.evaluate(
        `import('/markdown.js').then(({ markdown }) => markdown(${JSON.stringify(text)}).innerHTML)`,
      ),
    ).toBe(html)
  })

  test.each(['light', 'dark'] as const)(
    'fits a 320-pixel screen with enough contrast, %s',
    async (colorScheme) => {
      const page = await openWith(everyType, {
        viewport: { width: 320, height: 568 },
        isMobile: true,
        hasTouch: true,
        colorScheme,
      })
      expect(
        await page.evaluate(() => [
          document.documentElement.scrollWidth,
          document.querySelector('#scroller')!.scrollWidth,
        ]),
      ).toEqual([320, 320])
      expect(await page.getByLabel('Your message').isVisible()).toBe(true)
      expect(await page.evaluate(contrasts)).toEqual([])
      expect(complaints).toEqual([])
    },
  )

  test('all controls have an accessible name and are reachable by keyboard', async () => {
    const page = await openWith(everyType)
    expect(await page.evaluate(unnamed)).toEqual([])
    expect(await page.getAttribute('html', 'lang')).toBe('en')
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await page.getByRole('log').getAttribute('aria-live')).toBe('polite')
    expect(await page.getByRole('main').count()).toBe(1)
    await page.getByRole('combobox', { name: 'Which one?' }).focus()
    const reached = new Set<string>()
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Shift+Tab')
      reached.add(
        await page.evaluate(
          () => `${document.activeElement?.id || document.activeElement?.textContent}`,
        ),
      )
    }
    expect([...reached]).toEqual(
      expect.arrayContaining([
        'scroller',
        'new-conversation',
        'Say it',
        'Take Three',
        'Option 0',
      ]),
    )
  })

  test('serves the page with security headers, and only files of a fixed list', async () => {
    const { url, webhookId, botId } = server.credentials
    const { headers } = await fetch(chatPage())
    expect(headers.get('content-security-policy')).toContain("default-src 'self'")
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const listSettings = (id: string) => fetch(`${url}/webchat/${id}/settings.json`)
    const settings = { chatUrl: `/chat/${webhookId}`, botId, botName: 'Echo bot' }
    expect(await (await listSettings(webhookId)).json()).toEqual(settings)
    expect(await (await listSettings(botId)).json()).toEqual(settings)
    for (const id of [crypto.randomUUID(), 'bot_00000000000000000000000000', 'bot_'])
      expect((await listSettings(id)).status, id).toBe(404)
    const again = await fetch(chatPage(), {
      headers: { 'if-none-match': headers.get('etag')! },
    })
    expect(again.status).toBe(304)
    for (const path of [
      '/..%2fpackage.json',
      '/%2e%2e/package.json',
      '/page/chat.js',
      '/chat.js/../../package.json',
      '/package.json',
      '/constructor',
    ]) {
      expect((await fetch(`${url}${path}`)).status, path).toBe(404)
    }
  })
})

if (!chromiumPath) test('the chat page', ({ skip }) => skip(noChromium))

const harmfulSvg = [
  '<svg xmlns="http://www.w3.org/2000/svg" onload="parent.harmed=1">',
  '<script>parent.harmed=1</script></svg>',
].join('')

/** Runs in the page. Returns controls and images without an accessible name. */
function unnamed(): string[] {
  const labelled = (element: Element) =>
    element.getAttribute('aria-label') ||
    element.textContent?.trim() ||
    (element as HTMLInputElement).labels?.length ||
    element.querySelector('img[alt]:not([alt=""])')
  const used = [
    ...document.querySelectorAll(
      'button, a, input, select, textarea, audio, video, [role], section',
    ),
  ].filter((element) => !labelled(element))
  const seen = [...document.querySelectorAll('img:not([alt])')]
  return [...used, ...seen].map((element) => element.outerHTML.slice(0, 200))
}

/** Runs in the page. Returns texts with a contrast below 4.5 to 1. */
function contrasts(): string[] {
  const paint = document
    .createElement('canvas')
    .getContext('2d', { willReadFrequently: true })!
  const rgb = (colour: string) => {
    paint.clearRect(0, 0, 1, 1)
    paint.fillStyle = colour
    paint.fillRect(0, 0, 1, 1)
    return [...paint.getImageData(0, 0, 1, 1).data]
  }
  const luminance = (parts: number[]) => {
    const [red, green, blue] = parts.map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    ) as [number, number, number]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const groundOf = (element: Element | null): number[] => {
    if (!element) return [255, 255, 255, 255]
    const [red, green, blue, alpha] = rgb(getComputedStyle(element).backgroundColor) as [
      number,
      number,
      number,
      number,
    ]
    if (alpha === 255) return [red, green, blue]
    const below = groundOf(element.parentElement)
    return [red, green, blue].map(
      (part, index) => (part * alpha + below[index]! * (255 - alpha)) / 255,
    )
  }
  const low: string[] = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement!
    if (
      !text.textContent?.trim() ||
      !element.checkVisibility() ||
      element.closest('button:disabled, svg, select, noscript')
    )
      continue
    const [one, other] = [
      luminance(rgb(getComputedStyle(element).color).slice(0, 3)),
      luminance(groundOf(element).slice(0, 3)),
    ]
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    if (ratio < 4.5)
      low.push(
        `${ratio.toFixed(2)} ${element.className} ${text.textContent.slice(0, 40)}`,
      )
  }
  return low
}
