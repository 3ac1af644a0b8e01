// Names, tags, messages, states, log lines and errors of other people: nothing in them runs, and
// nothing around them changes.
import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import { beforeAll, test } from 'vitest'
import {
  botCode,
  dashboard,
  describeDashboardWith,
  desktop,
  expect,
  findViolations,
  phone,
} from '../../support/dashboard.ts'

const html = '"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
/** Overrides, isolates and embeddings of the direction, without their ends. */
const directions = '\u202e\u2066\u202b\u2067 ابجد \u202egnp.exe'
const hostile = `${html}${directions}`
const word = 'W'.repeat(400)
/** Names of columns have no dots. */
const column = '"><img src=x onerror=alert(1)>'

const code = botCode(`
  console.log(text)
  console.log('x'.repeat(60000))
  return { status: 500, body: JSON.stringify({ message: text }) }`)

let user: string
let conversation: string
/** Pages of things with hostile content. */
const ofThings: string[] = []

describeDashboardWith(
  () => ({ BOTSTEAD_RETRY_SECONDS: '0.05' }),
  'hostile content',
  () => {
    beforeAll(async () => {
      const { botId } = dashboard.server.credentials
      const states = { [word.slice(0, 60)]: { type: 'user', schema: { type: 'object' } } }
      await dashboard.call('PUT', `/v1/admin/bots/${botId}`, { code, states })
      await talk()
      const tags = { [`${directions}${html}`]: hostile, [word.slice(0, 100)]: word }
      const pictureUrl = 'http://127.0.0.1:9/broken.png'
      await dashboard.call('PUT', `/v1/chat/users/${user}`, {
        tags,
        pictureUrl,
        properties: tags,
      })
      await dashboard.call('PUT', `/v1/chat/conversations/${conversation}`, { tags })
      for (const payload of messages) {
        const sent = await dashboard.call('POST', '/v1/chat/messages', {
          conversationId: conversation,
          userId: botId,
          tags: {},
          ...payload,
        })
        expect(sent.message, payload.type).toHaveProperty('id')
      }
      await dashboard.call('POST', `/v1/admin/bots/${botId}/versions`, { name: hostile })
      await dashboard.call('PUT', `/v1/admin/bots/${botId}`, {
        name: `${directions}${word}`,
      })
      await expect
        .poll(
          async () =>
            (await dashboard.call('GET', '/v1/platform/dead-letters/count')).count,
        )
        .toBe(1)
      await handOver()
      await store()
      await fillTable()
      await protect()
      await mend()
      await greet()
    }, 120_000)

    async function handOver() {
      const { conversationId } = await dashboard.converse(
        `${directions}${html}`.slice(0, 200),
      )
      const { handoff } = await dashboard.call('POST', '/v1/platform/handoffs', {
        conversationId,
        reason: hostile,
        summary: `${word}${hostile}`,
        assign: true,
      })
      const tags = { [`${directions}${html}`.slice(0, 100)]: hostile, long: word }
      await dashboard.call('PUT', `/v1/platform/handoffs/${handoff.id}/tags`, { tags })
      const notes = `/v1/platform/conversations/${conversationId}/notes`
      await dashboard.call('POST', notes, { text: `${hostile}${word}` })
      const reply = {
        name: `${directions}${html}`.slice(0, 100),
        text: `${hostile}${word}`,
      }
      await dashboard.call('POST', '/v1/platform/canned-replies', reply)
      const rules = { keywords: [word.slice(0, 100)], message: hostile }
      await dashboard.call('PUT', '/v1/platform/handoff-rules', rules)
      for (const { type, payload } of messages)
        if (type !== 'choice')
          await dashboard.call('POST', `/v1/platform/handoffs/${handoff.id}/messages`, {
            type,
            payload,
          })
      ofThings.push('/inbox', '/inbox?list=open', `/inbox/${handoff.id}`)
    }

    async function store() {
      const { knowledgeBase } = await dashboard.call(
        'POST',
        '/v1/files/knowledge-bases',
        {
          name: `${directions}${word}${html}`,
        },
      )
      const tags = { source: 'knowledge-base', kbId: knowledgeBase.id, [word]: hostile }
      const content = Buffer.from(`${hostile}\n\n${word} strawberries ${html}`)
      const upload = async (
        key: string,
        contentType: string,
        content: Buffer<ArrayBuffer>,
      ) => {
        const { file } = await dashboard.call('PUT', '/v1/files', {
          key,
          contentType,
          size: content.length,
          index: true,
          tags,
        })
        await fetch(file.uploadUrl, {
          method: 'PUT',
          headers: { 'content-type': contentType },
          body: content,
        })
        ofThings.push(`/knowledge/files/${file.id}`)
      }
      await upload(`${directions}${html}${word}.md`, 'text/markdown', content)
      await upload(`${word}.html`, 'text/html', Buffer.from(`<p>strawberries</p>${html}`))
      // No picture.
      await upload(`${hostile}.png`, 'image/png', content)
      const { source } = await dashboard.call('POST', '/v1/platform/knowledge-sources', {
        knowledgeBaseId: knowledgeBase.id,
        type: 'page',
        url: `http://127.0.0.1:9/${word}?q=${encodeURIComponent(hostile)}`,
      })
      const problem = `${hostile}${word}`
      await sql`update knowledge_source set problem = ${problem}`.execute(
        dashboard.database.db,
      )
      ofThings.push(
        '/knowledge',
        '/knowledge/websites',
        `/knowledge/websites/${source.id}`,
      )
    }

    /** Answers to questions, missed ones and checks. */
    async function mend() {
      const line = `${directions}${html}`.replaceAll(/[\r\n]/g, ' ').slice(0, 300)
      await dashboard.call('POST', '/v1/platform/curated-answers', {
        questions: [line, `${word.slice(0, 300)}`],
        text: `${hostile}${word}`,
        buttons: [{ label: line.slice(0, 100) }],
      })
      const { conversationId } = await dashboard.converse('Eve')
      await dashboard.call('POST', '/v1/chat/messages', {
        conversationId,
        userId: dashboard.server.credentials.botId,
        type: 'text',
        payload: {
          text: 'x',
          metadata: { unanswered: true, question: `${hostile}${word}` },
        },
        tags: {},
      })
      const check = { question: `${hostile}${word}`.slice(0, 1_000), expectedText: html }
      await dashboard.call('POST', '/v1/platform/knowledge-checks', check)
      await dashboard.call('POST', '/v1/platform/knowledge-checks/run', {})
      ofThings.push('/knowledge/answers', '/knowledge/unanswered', '/knowledge/checks')
    }

    async function fillTable() {
      const properties = { [column]: { type: 'string' }, data: { type: 'object' } }
      const { table } = await dashboard.call('POST', '/v1/tables', {
        name: 'HostileTable',
        schema: { type: 'object', properties },
        tags: { [hostile.slice(0, 50)]: hostile },
      })
      const rows = [hostile, word, 'long text '.repeat(2_000)].map((text) => ({
        [column]: text,
        data: { [html]: text },
      }))
      await dashboard.call('POST', `/v1/tables/${table.id}/rows`, { rows })
      const sort = JSON.stringify([[column, 'asc']])
      const group = JSON.stringify({ [column]: ['key', 'count'] })
      const page = `/tables/${table.id}`
      ofThings.push('/tables', page)
      const views: Record<string, string>[] = [{ sort }, { group }, { filter: hostile }]
      for (const view of views) ofThings.push(`${page}?${new URLSearchParams(view)}`)
    }

    async function protect() {
      const rules = [
        { kind: 'custom', pattern: `never${word}`, replacement: hostile.slice(0, 100) },
      ].map((rule) => ({ ...rule, where: ['logs'] }))
      await dashboard.call('PUT', '/v1/platform/redaction', { rules })
      const { userId } = await dashboard.converse(`${directions}${html}`.slice(0, 200))
      await dashboard.call('POST', `/v1/platform/users/${userId}/erasures`, {})
      ofThings.push('/privacy')
    }

    async function greet() {
      const { botId } = dashboard.server.credentials
      const appearance = {
        name: html,
        greeting: `${hostile} [x](javascript:window.hacked=1)`,
        suggestions: [hostile.slice(0, 150), word.slice(0, 150)],
        avatarUrl: 'http://127.0.0.1:9/broken.png',
      }
      await dashboard.call('PUT', `/v1/admin/bots/${botId}`, {
        integrations: { chat: { configuration: { appearance } } },
      })
      ofThings.push('/chat')
    }

    const messages = [
      { type: 'text', payload: { text: 'long text '.repeat(100_000) } },
      { type: 'choice', payload: { text: 'long choice '.repeat(80_000), options: [] } },
      {
        type: 'carousel',
        payload: {
          items: [{ title: 'Card', subtitle: 'long card '.repeat(90_000), actions: [] }],
        },
      },
      { type: 'other', payload: { anything: 'long value '.repeat(90_000) } },
      { type: 'text', payload: { text: `${word}${hostile}` } },
      {
        type: 'image',
        payload: { imageUrl: 'http://127.0.0.1:9/broken.png', title: hostile },
      },
      { type: 'image', payload: { imageUrl: 'javascript:window.hacked=1' } },
      {
        type: 'markdown',
        payload: { markdown: `[x](javascript:window.hacked=1) ${html}` },
      },
      {
        type: 'choice',
        payload: {
          text: hostile,
          options: [{ label: `${hostile}${word}`, value: hostile }],
        },
      },
    ]

    async function talk() {
      const talker = await dashboard.converse(`${directions}${html}`.slice(0, 200))
      user = talker.userId
      conversation = talker.conversationId
      await talker.say(`${hostile}${word}`)
    }

    const paths = () => [
      '/conversations',
      `/conversations/${conversation}`,
      '/users',
      `/users/${user}`,
      '/deliveries',
      '/issues',
      '/logs',
      '/versions',
      '/settings',
      '',
      ...ofThings,
    ]

    /** The frame of the page: its header and what it contains. */
    const readFrame = (page: Page) =>
      page.locator('header button:visible, header img:visible').evaluateAll((elements) =>
        elements.map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect()
          return { x, y, width, height }
        }),
      )

    const shown = /onerror|W{50}/
    /** The texts of the page and of its fields. */
    const shownIn = (page: Page) =>
      page
        .getByRole('main')
        .evaluate((main) =>
          [main, ...main.querySelectorAll<HTMLInputElement>('input, textarea')]
            .map((element) => ('value' in element ? element.value : element.textContent))
            .join(),
        )

    async function expectUnharmed(page: Page, frame: unknown, path: string) {
      await expect(page.getByLabel('Loading …')).toHaveCount(0)
      expect(await readFrame(page), path).toEqual(frame)
      expect(
        await page.evaluate(() => (globalThis as { hacked?: number }).hacked),
        path,
      ).toBe(undefined)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width, path).toBeLessThanOrEqual(page.viewportSize()!.width)
      expect(await page.evaluate(() => document.title), path).not.toMatch(
        /[\u202a-\u202e\u2066-\u2069]/,
      )
    }

    test.for([desktop, phone])(
      'changes no page around it: %o',
      { timeout: 240_000 },
      async (size) => {
        const page = await dashboard.open('developer', { size })
        page.on('dialog', () => dashboard.complaints.push('a dialog'))
        await page.goto(dashboard.botPage('/access-that-does-not-exist'))
        await expect(page.getByRole('button', { name: 'Try the bot' })).toBeVisible()
        const frame = await readFrame(page)
        for (const path of paths()) {
          await page.goto(dashboard.botPage(path))
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          if (ofThings.includes(path))
            await expect.poll(() => shownIn(page), path).toMatch(shown)
          await expectUnharmed(page, frame, path)
        }
      },
    )

    test('runs nothing in the search for passages, nor on the chat page', async () => {
      const page = await dashboard.open('developer')
      await page.goto(dashboard.botPage('/knowledge/search'))
      await expect(async () => {
        await page.getByLabel('Question').fill(`strawberries ${html}`)
        await page.keyboard.press('Enter')
        await expect(page.getByText(/onerror/).first()).toBeVisible({ timeout: 2_000 })
      }).toPass()
      const isHacked = () => page.evaluate(() => 'hacked' in globalThis)
      expect(await isHacked()).toBe(false)
      const { url, botId } = dashboard.server.credentials
      await page.goto(`${url}/talk/${botId}`)
      await expect(page.getByRole('heading', { name: html })).toBeVisible()
      await page.getByRole('button', { name: /onerror/ }).click()
      await expect(page.locator('.message.own')).toContainText('onerror')
      expect(await isHacked()).toBe(false)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width).toBeLessThanOrEqual(page.viewportSize()!.width)
    })

    test('shows the beginning of a long message, and on demand all', async () => {
      const page = await dashboard.open('viewer')
      await page.goto(dashboard.botPage(`/conversations/${conversation}`))
      const all = page.getByRole('button', { name: 'Show all 1,000,000 characters' })
      await expect(all).toBeVisible()
      await expect(page.getByRole('button', { name: /^Show all/ })).toHaveCount(4)
      const transcript = page.getByRole('region', { name: 'Transcript' })
      expect((await transcript.textContent())!.length).toBeLessThan(30_000)
      await all.click()
      await expect(all).toHaveCount(0)
      await expect
        .poll(async () => (await transcript.textContent())!.length)
        .toBeGreaterThan(900_000)
    })

    test('dialogs show errors and log lines as text', async () => {
      const page = await dashboard.open('viewer', { size: phone })
      for (const path of ['/deliveries', '/issues', '/logs']) {
        await page.goto(dashboard.botPage(path))
        await page
          .getByRole('button', { name: /onerror/ })
          .first()
          .click()
        const dialog = page.getByRole('dialog')
        await expect(dialog.getByText(/onerror/).first()).toBeVisible()
        expect(await findViolations(page), path).toEqual([])
        expect(
          await page.evaluate(() => (globalThis as { hacked?: number }).hacked),
        ).toBe(undefined)
        const [box, { width }] = [(await dialog.boundingBox())!, phone]
        expect(box.x + box.width, path).toBeLessThanOrEqual(width)
      }
    })
  },
)
