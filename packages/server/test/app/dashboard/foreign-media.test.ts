// Pictures, audio and video of visitors and bots: they load after a click, and without cookies.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, test } from 'vitest'
import { dashboard, describeDashboard, expect } from '../../support/dashboard.ts'

/** One pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const dataUrl = `data:image/png;base64,${png.toString('base64')}`

describeDashboard('foreign media in the dashboard', () => {
  /** Of another port of the dashboard's host. */
  let other: Server
  let base: string
  const requests: IncomingMessage[] = []
  let conversationId: string
  let userId: string

  beforeAll(async () => {
    other = createServer((request, response) => {
      requests.push(request)
      response.writeHead(200, { 'content-type': 'image/png' }).end(png)
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    ;({ conversationId, userId } = await dashboard.converse('Visitor'))
    const card = (path: string) => ({
      title: path,
      imageUrl: `${base}/${path}`,
      actions: [],
    })
    for (const [type, payload] of [
      ['text', { text: `![alt](${base}/markdown) ${base}/preview` }],
      ['image', { imageUrl: `${base}/image`, title: 'A picture' }],
      ['image', { imageUrl: dataUrl, title: 'Own picture' }],
      ['audio', { audioUrl: `${base}/audio` }],
      ['video', { videoUrl: `${base}/video` }],
      ['file', { fileUrl: `${base}/file`, title: 'A file' }],
      ['card', card('card')],
      ['carousel', { items: [card('first'), card('second')] }],
      ['bloc', { items: [{ type: 'image', payload: { imageUrl: `${base}/inside` } }] }],
    ] as const) {
      const sent = await dashboard.call('POST', '/v1/chat/messages', {
        conversationId,
        userId: dashboard.server.credentials.botId,
        tags: {},
        type,
        payload,
      })
      expect(sent.message, type).toHaveProperty('id')
    }
    await dashboard.call('PUT', `/v1/chat/users/${userId}`, {
      pictureUrl: `${base}/avatar`,
    })
    const { handoff } = await dashboard.call('POST', '/v1/platform/handoffs', {
      conversationId,
      assign: true,
    })
    handoffId = handoff.id
  })
  let handoffId: string
  afterAll(() => void other?.close())
  beforeEach(() => {
    requests.length = 0
  })
  const paths = () => requests.map(({ url }) => url).sort()

  test.each([
    ['transcript', () => `/conversations/${conversationId}`],
    ['inbox', () => `/inbox/${handoffId}`],
  ])('load in the %s after a click', async (_, path) => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage(path()))
    await expect(page.getByRole('img', { name: 'Own picture' }).first()).toBeVisible()
    const buttons = page.getByRole('button', {
      name: /^(Image|Audio|Video) from 127\.0\.0\.1:\d+: load$/,
    })
    expect(paths()).toEqual([])
    await expect(buttons).toHaveCount(7)
    expect(paths()).toEqual([])
    await page
      .getByRole('figure')
      .filter({ hasText: 'A picture' })
      .getByRole('button')
      .click()
    await expect(page.getByRole('img', { name: 'A picture' })).toBeVisible()
    // The picture is visible, by its title, before its request.
    await expect.poll(paths).toEqual(['/image'])
    // Updates of the page keep the view of a message: a new one would end a click or a playing video.
    const view = await page
      .getByRole('img', { name: 'Own picture' })
      .first()
      .elementHandle()
    for (let left = 6; left > 0; left--) {
      await expect(buttons).toHaveCount(left)
      await buttons.first().click()
    }
    await expect(buttons).toHaveCount(0)
    expect(await view!.evaluate((element) => element.isConnected)).toBe(true)
    await expect.poll(() => new Set(paths()).size).toBe(7)
    for (const { headers, url } of requests)
      expect([url, headers.cookie, headers.referer]).toEqual([url, undefined, undefined])
  })

  test('load on the page of a user after a click', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage(`/users/${userId}`))
    const button = page.getByRole('button', { name: /^Load picture from 127\.0\.0\.1:/ })
    await expect(button).toBeVisible()
    expect(paths()).toEqual([])
    await button.click()
    await expect.poll(paths).toEqual(['/avatar'])
    expect(requests[0]!.headers).not.toHaveProperty('cookie')
  })
})
