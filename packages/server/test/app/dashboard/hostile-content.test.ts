// Names, tags, messages, states, log lines and errors of other people: nothing in them runs, and
// nothing around them changes.
import type { Page } from '@playwright/test'
import { beforeAll, test } from 'vitest'
import {
  botCode,
  dashboard,
  describeDashboardWith,
  desktop,
  expect,
  phone,
  violationsOf,
} from '../../support/dashboard.ts'

const html = '"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
/** Overrides, isolates and embeddings of the direction, without their ends. */
const directions = '\u202e\u2066\u202b\u2067 ابجد \u202egnp.exe'
const hostile = `${html}${directions}`
const word = 'W'.repeat(400)

const code = botCode(`
  console.log(text)
  console.log('x'.repeat(60000))
  return { status: 500, body: JSON.stringify({ message: text }) }`)

let user: string
let conversation: string

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
      await dashboard.call('PUT', `/v1/chat/users/${user}`, { tags, pictureUrl, properties: tags })
      await dashboard.call('PUT', `/v1/chat/conversations/${conversation}`, { tags })
      for (const payload of messages)
        await dashboard.call('POST', '/v1/chat/messages', {
          ...{ conversationId: conversation, userId: botId, tags: {} },
          ...payload,
        })
      await dashboard.call('POST', `/v1/admin/bots/${botId}/versions`, { name: hostile })
      await dashboard.call('PUT', `/v1/admin/bots/${botId}`, { name: `${directions}${word}` })
      await expect
        .poll(async () => (await dashboard.call('GET', '/v1/platform/dead-letters/count')).count)
        .toBe(1)
    }, 90_000)

    const messages = [
      { type: 'text', payload: { text: 'long text '.repeat(100_000) } },
      { type: 'text', payload: { text: `${word}${hostile}` } },
      { type: 'image', payload: { imageUrl: 'http://127.0.0.1:9/broken.png', title: hostile } },
      { type: 'image', payload: { imageUrl: 'javascript:window.hacked=1' } },
      { type: 'markdown', payload: { markdown: `[x](javascript:window.hacked=1) ${html}` } },
      {
        type: 'choice',
        payload: { text: hostile, options: [{ label: `${hostile}${word}`, value: hostile }] },
      },
    ]

    async function talk() {
      const talker = await dashboard.converse(`${directions}${html}`.slice(0, 200))
      user = talker.userId
      conversation = talker.conversationId
      await talker.say(`${hostile}${word}`)
    }

    const paths = () => [
      ...['/conversations', `/conversations/${conversation}`, '/users', `/users/${user}`],
      ...['/deliveries', '/issues', '/logs', '/versions', '/settings', ''],
    ]

    /** The frame of the page: its header and what it contains. */
    const frameOf = (page: Page) =>
      page.locator('header button:visible, header img:visible').evaluateAll((elements) =>
        elements.map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect()
          return { x, y, width, height }
        }),
      )

    async function expectUnharmed(page: Page, frame: unknown, path: string) {
      await expect(page.getByLabel('Loading …')).toHaveCount(0)
      expect(await frameOf(page), path).toEqual(frame)
      expect(await page.evaluate(() => (globalThis as { hacked?: number }).hacked), path).toBe(
        undefined,
      )
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width, path).toBeLessThanOrEqual(page.viewportSize()!.width)
      expect(await page.evaluate(() => document.title), path).not.toMatch(
        /[\u202a-\u202e\u2066-\u2069]/,
      )
    }

    test.for([desktop, phone])(
      'changes no page around it: %o',
      { timeout: 120_000 },
      async (size) => {
        const page = await dashboard.open('developer', { size })
        page.on('dialog', () => dashboard.complaints.push('a dialog'))
        await page.goto(dashboard.botPage('/access-that-does-not-exist'))
        await expect(page.getByRole('button', { name: 'Try the bot' })).toBeVisible()
        const frame = await frameOf(page)
        for (const path of paths()) {
          await page.goto(dashboard.botPage(path))
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          await expectUnharmed(page, frame, path)
        }
      },
    )

    test('shows the beginning of a long message, and on demand all', async () => {
      const page = await dashboard.open('viewer')
      await page.goto(dashboard.botPage(`/conversations/${conversation}`))
      const all = page.getByRole('button', { name: 'Show all 1,000,000 characters' })
      await expect(all).toBeVisible()
      const transcript = page.getByRole('region', { name: 'Transcript' })
      expect((await transcript.textContent())!.length).toBeLessThan(20_000)
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
        expect(await violationsOf(page), path).toEqual([])
        expect(await page.evaluate(() => (globalThis as { hacked?: number }).hacked)).toBe(
          undefined,
        )
        const [box, { width }] = [(await dialog.boundingBox())!, phone]
        expect(box.x + box.width, path).toBeLessThanOrEqual(width)
      }
    })
  },
)
