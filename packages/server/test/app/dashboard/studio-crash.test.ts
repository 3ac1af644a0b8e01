// Two browsers edit one draft while the server is killed again and again: no edit is lost or doubled.
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { dashboard, describeDashboard, expect } from '../../support/dashboard.ts'
import { begin, field, openFlows, readDraft, saved } from '../../support/studio.ts'

const kills = 10
const cardCount = 40
const send = (message: string) => ({ type: 'send', message })
const toCards = (who: string) =>
  Array.from({ length: cardCount }, (_, index) => send(`${who} ${index}`))
const document = {
  kind: 'bot',
  version: 2,
  flows: {
    main: {
      nodes: {
        start: { type: 'start', cards: toCards('Ana'), next: 'bo' },
        bo: { type: 'standard', cards: toCards('Bo') },
      },
    },
  },
}

const addTo = (page: Page, step: string) =>
  page.getByRole('button', { name: `Add a card to ${step}` })

let killed = 0

/** Changes one card after the other, and adds a card after each fifth. The kills go along with it. */
async function editAll(page: Page, step: string, who: string) {
  for (let index = 0; index < cardCount; index++) {
    const card = page.locator(`[data-node="${step}"] [data-card="${index}"]`)
    await card.click()
    await field(page, 'Message').fill(`${who} changed ${index}`)
    if (index % 5 === 4) {
      await addTo(page, step).click()
      await page.getByRole('dialog').getByLabel('Search').fill('message')
      await page.keyboard.press('Enter')
      await field(page, 'Message').fill(`${who} added ${index}`)
    }
    await pause(300)
    while (killed < Math.floor((index * kills) / cardCount)) await pause(50)
  }
}

describeDashboard('edits of flows while the server is killed', () => {
  test('reach the draft, each once', { timeout: 400_000 }, async () => {
    await begin(document)
    const pages = [
      await dashboard.open('owner'),
      await dashboard.open('developer'),
    ] as const
    for (const page of pages) await openFlows(page, '/flows?view=list')
    const edits = Promise.all([
      editAll(pages[0], 'start', 'Ana'),
      editAll(pages[1], 'bo', 'Bo'),
    ])
    edits.catch(() => {})
    for (; killed < kills; killed++) {
      await pause(200 + Math.random() * 1_500)
      await dashboard.server.stop('SIGKILL')
      await dashboard.server.start()
    }
    await edits
    for (const page of pages) await saved(page)
    const { nodes } = JSON.parse((await readDraft()).text).flows.main
    for (const [step, who] of [
      ['start', 'Ana'],
      ['bo', 'Bo'],
    ] as const) {
      const messages: string[] = nodes[step].cards.map(
        ({ message }: { message: string }) => message,
      )
      const changed = Array.from(
        { length: cardCount },
        (_, index) => `${who} changed ${index}`,
      )
      const added = changed.flatMap((_, index) =>
        index % 5 === 4 ? [`${who} added ${index}`] : [],
      )
      expect(messages).toEqual([...changed, ...added])
    }
    dashboard.complaints.length = 0
  })
})
