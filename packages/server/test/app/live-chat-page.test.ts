// Live answers on the chat page, in a browser: growing text, stops, typing indicators and ratings.
// With the Chat API and with the Webchat API.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { answeringCode } from '../support/answering-bot.ts'
import { chromiumPath, openBrowser } from '../support/browser.ts'
import { watchPages } from '../support/browser-pages.ts'
import {
  type ModelProvider,
  openModelProvider,
  type Reply,
} from '../support/model-provider.ts'
import { keys, toModels } from '../support/model-scene.ts'
import { type RunningServer, runServer } from '../support/running-server.ts'

let browser: Browser
let server: RunningServer
let provider: ModelProvider
let folder: string
const replies: Reply[] = []
const pages = watchPages(() => browser)
const { complaints } = pages

beforeAll(async () => {
  if (!chromiumPath) return
  provider = await openModelProvider(() => replies.shift() ?? {})
  folder = await mkdtemp(join(tmpdir(), 'botstead-live-'))
  const file = join(folder, 'models.json')
  await writeFile(file, JSON.stringify(toModels(provider.url)))
  ;[browser, server] = await Promise.all([
    openBrowser(),
    runServer({ ...keys, BOTSTEAD_MODELS: file }),
  ])
  await asBot('PUT', `/v1/admin/bots/${server.credentials.botId}`, {
    code: answeringCode,
  })
}, 90_000)
afterAll(async () => {
  await browser?.close()
  await server?.remove()
  await provider?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
}, 60_000)

/** Calls an API as a member, for the bot. */
async function asBot(method: string, path: string, body?: unknown) {
  const { url, token, workspaceId, botId } = server.credentials
  const reply = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-workspace-id': workspaceId,
      'x-bot-id': botId,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  return reply.json()
}
afterEach(async () => {
  await pages.close()
})

async function openChat(name: string): Promise<Page> {
  const page = await pages.open()
  await page.goto(
    `${server.credentials.url}/webchat?${name}=${server.credentials.webhookId}`,
  )
  await page.locator('#words:not(:disabled)').waitFor()
  return page
}

/** Stores in the page's session whether the page shows the typing indicator after a reload. */
const watchDots = (page: Page) =>
  page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      const dots = document.getElementById('typing')!
      const note = () => dots.hidden || sessionStorage.setItem('dots', 'shown')
      new MutationObserver(note).observe(dots, { attributes: true })
    }),
  )

async function say(page: Page, text: string) {
  await page.getByLabel('Your message').fill(text)
  await page.keyboard.press('Enter')
}

const pieces = Array.from({ length: 250 }, (_, index) => `word${index} `)
const growing = (page: Page) => page.locator('.message.growing .bubble')
const stored = (page: Page) => page.locator('.message.theirs:not(.growing) .bubble')
const until = { timeout: 15_000, interval: 20 }

describe.skipIf(!chromiumPath).each(['chat', 'clientId'])('with ?%s=', (name) => {
  test('text grows while the model writes it, and the stored message replaces it', async () => {
    replies.push({ text: ['**bold** ', ...pieces], pieceMs: 20 })
    const page = await openChat(name)
    await say(page, 'stream please')
    await growing(page).getByText('word3 ').waitFor()
    expect(await growing(page).locator('strong').textContent()).toBe('bold')
    expect(await page.locator('#typing').isVisible()).toBe(false)
    const lengths = [(await growing(page).textContent())!.length]
    await growing(page).getByText('word200 ').waitFor()
    lengths.push((await growing(page).textContent())!.length)
    expect(lengths[1]).toBeGreaterThan(lengths[0]!)
    await stored(page).getByText('word249').waitFor()
    expect(await growing(page).count()).toBe(0)
    expect(await page.locator('.message.theirs').count()).toBe(1)
    expect(complaints).toEqual([])
  })

  test('shows changes of messages by the bot', async () => {
    const page = await openChat(name)
    await say(page, 'plain text')
    await stored(page).getByText('plain text').waitFor()
    const { messages } = (await asBot('GET', '/v1/chat/messages')) as {
      messages: { id: string; direction: string; payload: { text: string } }[]
    }
    const { id } = messages.find(({ direction }) => direction === 'outgoing')!
    await asBot('PUT', `/v1/chat/messages/${id}`, { payload: { text: 'a **new** text' } })
    await stored(page).getByText('a new text').waitFor()
    expect(await stored(page).locator('strong').textContent()).toBe('new')
    expect(await page.locator('.message.theirs .rating').count()).toBe(1)
    await asBot('DELETE', `/v1/chat/messages/${id}`)
    await vi.waitFor(async () => expect(await stored(page).count()).toBe(0), until)
    expect(complaints).toEqual([])
  })

  test('the user stops an answer', async () => {
    replies.push({ text: Array(1_000).fill('word '), pieceMs: 10 })
    const page = await openChat(name)
    await say(page, 'stream slowly')
    await growing(page).waitFor()
    const call = provider.requests.at(-1)!
    await page.getByRole('button', { name: 'Stop answer' }).click()
    await page.getByText('Answer stopped').waitFor()
    await vi.waitFor(() => expect(call.closedAt).not.toBeNull(), until)
    await vi.waitFor(async () => expect(await growing(page).count()).toBe(0), until)
    expect(await page.locator('#stop').isVisible()).toBe(false)
    expect(await page.locator('#typing').isVisible()).toBe(false)
    await say(page, 'plain next')
    await stored(page).getByText('plain next').waitFor()
    expect(complaints).toEqual([])
  })

  test('awaits no answer of the bot while a person should answer', async () => {
    const page = await openChat(name)
    await say(page, 'plain hello')
    await stored(page).getByText('plain hello').waitFor()
    const { conversations } = (await asBot(
      'GET',
      '/v1/chat/conversations?pageSize=1',
    )) as {
      conversations: { id: string }[]
    }
    const request = { conversationId: conversations[0]!.id }
    await page.getByText('Online', { exact: true }).waitFor()
    const { handoff } = (await asBot('POST', '/v1/platform/handoffs', request)) as {
      handoff: { id: string }
    }
    await page.getByText('A colleague will answer here').waitFor()
    const isQuiet = async () => {
      expect(await page.getByText('Online', { exact: true }).isVisible()).toBe(false)
      expect(await page.locator('#typing').isVisible()).toBe(false)
      expect(await page.locator('#stop').isVisible()).toBe(false)
    }
    // The signal comes before the message, on the same stream.
    await say(page, 'plain is anybody there?')
    await page.locator('.message.own.sent').getByText('is anybody there?').waitFor()
    await isQuiet()
    // Bots that receive the messages, too, may show that they write.
    const typing = { type: 'chat:startTypingIndicator', input: request }
    await asBot('POST', '/v1/chat/actions', typing)
    const { account } = (await asBot('PUT', '/v1/admin/account/me', {
      displayName: 'Grace',
    })) as {
      account: { id: string }
    }
    const assignment = { from: null, to: account.id }
    await asBot('POST', `/v1/platform/handoffs/${handoff.id}/assign`, assignment)
    await page.getByText('Grace answers here').waitFor()
    await isQuiet()
    await watchDots(page)
    await page.reload()
    await page.locator('.message.own.sent').getByText('is anybody there?').waitFor()
    await page.getByText('Grace answers here').waitFor()
    await isQuiet()
    expect(await page.evaluate(() => sessionStorage.getItem('dots'))).toBeNull()
    await asBot('POST', `/v1/platform/handoffs/${handoff.id}/close`, {
      outcome: 'returned',
    })
    await page.getByText('Online', { exact: true }).waitFor()
    await page.getByText('answers here').waitFor({ state: 'hidden' })
    await say(page, 'plain again')
    await stored(page).getByText('plain again').waitFor()
    expect(await page.getByText('answers again').isVisible()).toBe(false)
    expect(complaints).toEqual([])
  })

  test('ratings and their comments are stored, shown after a reload, and removed', async () => {
    const page = await openChat(name)
    await say(page, 'plain answer')
    await stored(page).getByText('plain answer').waitFor()
    await page.getByRole('button', { name: 'Bad answer' }).click()
    await page.getByLabel('Comment').fill('Too short')
    await page.getByRole('button', { name: 'Send comment' }).click()
    await page.getByText('Thank you').waitFor()
    const feedback = async () => (await asBot('GET', '/v1/platform/feedback')).feedback
    expect((await feedback())[0]).toMatchObject({
      rating: 'negative',
      comment: 'Too short',
    })
    await page.reload()
    const pressed = page.getByRole('button', { name: 'Bad answer', pressed: true })
    await pressed.click()
    await page.getByRole('button', { name: 'Bad answer', pressed: false }).waitFor()
    expect(await feedback()).toEqual([])
    expect(complaints).toEqual([])
  })
})

test.skipIf(!chromiumPath)('typing is reported once in a while, and shown', async () => {
  const page = await openChat('chat')
  await say(page, 'plain begin')
  await stored(page).getByText('plain begin').waitFor()
  const sent: boolean[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/typing')) sent.push(request.postDataJSON().isTyping)
  })
  await page.getByLabel('Your message').pressSequentially('plain hello')
  await page.keyboard.press('Enter')
  await stored(page).getByText('plain hello').waitFor()
  expect(sent).toEqual([true, false])
  const { conversations } = await asBot('GET', '/v1/chat/conversations')
  const path = `/v1/platform/conversations/${conversations[0].id}/typing`
  const report = (isTyping: boolean) => asBot('POST', path, { isTyping })
  await report(true)
  await page.locator('#typing').waitFor({ state: 'visible' })
  await report(false)
  await page.locator('#typing').waitFor({ state: 'hidden' })
})
