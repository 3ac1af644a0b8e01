// The official webchat (@botpress/webchat) in a browser, on a website of another origin, with a
// server and its echo bot.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, noChromium, openBrowser } from '../support/browser.ts'
import { watchPages } from '../support/browser-pages.ts'
import { readBlocks } from '../support/documents.ts'
import { type RunningServer, runServer } from '../support/running-server.ts'
import { openOfficialSite, openReactSite, type Site } from '../support/webchat-site.ts'

let browser: Browser
let server: RunningServer
let site: Site
const pages = watchPages(() => browser)
const { complaints } = pages

beforeAll(async () => {
  if (!chromiumPath) return
  ;[browser, server] = await Promise.all([openBrowser(), runServer()])
  site = await openOfficialSite({
    clientId: server.credentials.webhookId,
    apiUrl: server.credentials.url,
    configuration: {
      allowFileUpload: true,
      feedbackEnabled: true,
      conversationHistory: true,
    },
  })
}, 90_000)

afterAll(async () => {
  site?.close()
  await browser?.close()
  await server?.remove()
}, 60_000)

afterEach(async () => {
  await pages.close()
})

async function openWebchat(options: BrowserContextOptions = {}) {
  const page = await pages.open(options)
  await page.goto(site.url)
  await composer(page).waitFor()
  return page
}

const composer = (page: Page) => page.getByRole('textbox', { name: 'Message Input' })
const shown = (page: Page, text: string) => page.getByText(text, { exact: true })

async function say(page: Page, text: string) {
  await composer(page).fill(text)
  await composer(page).press('Enter')
}

interface Stored {
  conversationId: string
  user: { userId: string; userToken: string }
}
const stored = (page: Page) =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.endsWith('-client'))!
    return JSON.parse(localStorage.getItem(key)!).state as Stored
  })

async function asBot(method: string, path: string, body: object) {
  const { url, token, botId } = server.credentials
  const reply = await fetch(`${url}/v1/chat/messages${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'x-bot-id': botId,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  return { status: reply.status, text: await reply.text() }
}

/** Sends a message as the bot, and returns its id. */
async function send(page: Page, type: string, payload: object): Promise<string> {
  const { conversationId } = await stored(page)
  const { botId: userId } = server.credentials
  const { status, text } = await asBot('POST', '', {
    conversationId,
    userId,
    type,
    payload,
    tags: {},
  })
  expect([status, text]).toEqual([201, expect.any(String)])
  return JSON.parse(text).message.id
}

const gif =
  'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

describe.skipIf(!chromiumPath)('the official webchat', () => {
  test('sends messages, shows the answers, and keeps them after a reload', async () => {
    const page = await openWebchat()
    await say(page, 'Good morning')
    await shown(page, 'Hi! You said: "Good morning"').waitFor()
    await page.getByText('Delivered').waitFor()
    expect(await shown(page, 'Good morning').count()).toBe(1)
    const before = await stored(page)
    await page.reload()
    await shown(page, 'Hi! You said: "Good morning"').waitFor()
    expect([await shown(page, 'Good morning').count(), await stored(page)]).toEqual([
      1,
      before,
    ])
    expect(complaints).toEqual([])
  }, 90_000)

  test('the component of docs/webchat.md sends messages', async () => {
    const { webhookId, url } = server.credentials
    const { text } = readBlocks('docs/webchat.md').find(
      ({ language }) => language === 'jsx',
    )!
    const documented = await openReactSite(
      text.replace('…', webhookId).replace('https://bots.example.org', url),
    )
    const page = await pages.open()
    await page.goto(documented.url)
    await composer(page).waitFor()
    await say(page, 'Good evening')
    await shown(page, 'Hi! You said: "Good evening"').waitFor()
    documented.close()
  }, 90_000)

  test('shows every message type, live and after a reload', async () => {
    const page = await openWebchat()
    await say(page, 'hello')
    await shown(page, 'Hi! You said: "hello"').waitFor()
    const card = {
      title: 'A card',
      subtitle: 'with a subtitle',
      imageUrl: gif,
      actions: [{ action: 'postback', label: 'Take it', value: 'taken' }],
    }
    const link = 'https://files.example/a.pdf'
    const options = [{ label: 'First option', value: '1' }]
    const messages: [string, object, string][] = [
      ['text', { text: 'plain words' }, 'text=plain words'],
      ['markdown', { markdown: '**bold words**' }, 'strong:has-text("bold words")'],
      ['image', { imageUrl: gif }, '.bpMessageBlocksImageImage'],
      ['audio', { audioUrl: 'data:audio/wav;base64,AAAA' }, 'audio'],
      ['video', { videoUrl: 'data:video/mp4;base64,AAAA' }, 'video'],
      ['file', { fileUrl: link, title: 'A document' }, '.bpMessageBlocksFileTitle'],
      ['location', { latitude: 1, longitude: 2, title: 'A place' }, 'text=A place'],
      ['card', card, 'text=with a subtitle'],
      [
        'carousel',
        { items: [{ ...card, title: 'In a carousel' }] },
        'text=In a carousel',
      ],
      [
        'bloc',
        { items: [{ type: 'markdown', payload: { markdown: 'in a bloc' } }] },
        'text=in a bloc',
      ],
      ['choice', { text: 'Which one?', options }, 'button:has-text("First option")'],
      ['dropdown', { text: 'Which of many?', options }, 'text=Which of many?'],
    ]
    for (const [type, payload, selector] of messages) {
      await send(page, type, payload)
      await page.locator(selector).first().waitFor()
    }
    await page.reload()
    for (const [, , selector] of messages) await page.locator(selector).first().waitFor()
    expect(
      complaints.filter((text) => !/ERR_|Failed to load resource/.test(text)),
    ).toEqual([])
  }, 90_000)

  test('shows a message that the bot has changed', async () => {
    const page = await openWebchat()
    await say(page, 'hello')
    await shown(page, 'Hi! You said: "hello"').waitFor()
    const id = await send(page, 'text', { text: 'Working' })
    await shown(page, 'Working').waitFor()
    expect((await asBot('PUT', `/${id}`, { payload: { text: 'Done' } })).status).toBe(200)
    await shown(page, 'Done').waitFor()
    expect(await shown(page, 'Working').count()).toBe(0)
    expect(complaints).toEqual([])
  }, 90_000)

  test('answers by buttons', async () => {
    const page = await openWebchat()
    await say(page, 'choice')
    await page.getByRole('button', { name: 'Option 2', exact: true }).click()
    await shown(page, 'Hi! You said: "Option 2"').waitFor()
  }, 90_000)

  test('uploads a file', async () => {
    const page = await openWebchat()
    // The component drops files that it gets before it is connected.
    await say(page, 'hello')
    await shown(page, 'Hi! You said: "hello"').waitFor()
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'photo.gif',
        mimeType: 'image/gif',
        buffer: Buffer.from(gif.split(',')[1]!, 'base64'),
      })
    await page
      .locator('.bpComposerFileAttachement, .bpComposerFilePreviewImage')
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Send Message Button' }).click()
    const image = page.locator('.bpMessageBlocksImageImage')
    await image.first().waitFor()
    await shown(page, 'I only understand text messages').waitFor()
    const source = (await image.first().getAttribute('src'))!
    expect((await fetch(source)).headers.get('content-type')).toBe('image/gif')
    expect(complaints).toEqual([])
  }, 90_000)

  test('rates a message', async () => {
    const page = await openWebchat()
    await say(page, 'rate me')
    await shown(page, 'Hi! You said: "rate me"').waitFor()
    await page.locator('.bpMessageBlocksBubbleFeedbackIcon').first().click()
    const { conversationId, user } = await stored(page)
    const { url, webhookId } = server.credentials
    const feedback = async () => {
      const reply = await fetch(
        `${url}/${webhookId}/conversations/${conversationId}/messages`,
        {
          headers: { 'x-user-key': user.userToken },
        },
      )
      const { messages } = (await reply.json()) as { messages: { feedback?: object }[] }
      return messages[0]!.feedback
    }
    await expect.poll(feedback).toEqual({ value: 'positive' })
  }, 90_000)

  test('two visitors have separate conversations', async () => {
    const [ann, bob] = [await openWebchat(), await openWebchat()]
    await say(ann, 'secret of ann')
    await shown(ann, 'Hi! You said: "secret of ann"').waitFor()
    await say(bob, 'hello from bob')
    await shown(bob, 'Hi! You said: "hello from bob"').waitFor()
    expect(await bob.getByText('secret of ann').count()).toBe(0)
    expect((await stored(ann)).user.userId).not.toBe((await stored(bob)).user.userId)
  }, 90_000)

  test('creates a new visitor after the server has deleted the first', async () => {
    const page = await openWebchat()
    await say(page, 'first')
    await shown(page, 'Hi! You said: "first"').waitFor()
    const { url, webhookId } = server.credentials
    const { user } = await stored(page)
    const headers = { 'x-user-key': user.userToken }
    await fetch(`${url}/${webhookId}/users/me`, { method: 'DELETE', headers })
    await page.reload()
    await composer(page).waitFor()
    await say(page, 'second')
    await shown(page, 'Hi! You said: "second"').waitFor()
    expect(await shown(page, 'first').count()).toBe(0)
  }, 90_000)

  test('reconnects after the server was killed, without losing messages', async () => {
    const page = await openWebchat()
    await say(page, 'before')
    await shown(page, 'Hi! You said: "before"').waitFor()
    await server.stop('SIGKILL')
    await server.start()
    await send(page, 'text', { text: 'while it was away' })
    await shown(page, 'while it was away').waitFor()
    await say(page, 'after')
    await shown(page, 'Hi! You said: "after"').waitFor()
    expect(await shown(page, 'Hi! You said: "before"').count()).toBe(1)
  }, 90_000)
})

if (!chromiumPath) test('the official webchat', ({ skip }) => skip(noChromium))
