// The page Flows shows how many conversations passed the steps of the published bot.
import { sql } from 'kysely'
import { beforeAll, test } from 'vitest'
import { countFlowNodes } from '../../../src/features/insights/flow-counts.ts'
import {
  dashboard,
  describeDashboard,
  expect,
  expectAccessibleLooks,
} from '../../support/dashboard.ts'
import { deploy, node, openFlows } from '../../support/studio.ts'

const capture = (question: string) => ({
  type: 'capture',
  kind: 'text',
  question,
  into: 'workflow.answer',
})
const document = {
  kind: 'bot',
  version: 2,
  flows: {
    main: {
      variables: { answer: { type: 'string' } },
      nodes: {
        start: { type: 'start', cards: [capture('Who are you?')], next: 'order' },
        order: {
          type: 'standard',
          cards: [{ type: 'callFlow', flow: 'help' }, capture('What?')],
        },
        unused: { type: 'standard', cards: [{ type: 'send', message: 'Never' }] },
      },
    },
    help: {
      nodes: {
        entry: { type: 'entry', cards: [{ type: 'send', message: 'I can help' }] },
      },
    },
  },
}

/** Counts the traces that the bot has written, as if a minute had passed. */
async function count(traces: number) {
  const { db } = dashboard.database
  await expect
    .poll(async () => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from observation
        where name = 'flows.turn'`.execute(db)
      return rows[0]!.n
    })
    .toBe(traces)
  await sql`update observation set created_at = created_at - interval '90 seconds'`.execute(
    db,
  )
  await countFlowNodes(db)
}

describeDashboard('counts of steps', () => {
  beforeAll(async () => {
    await deploy(document)
    const [ana, ben] = [await dashboard.converse('Ana'), await dashboard.converse('Ben')]
    await ben.say('Hi')
    await ana.say('Hi')
    await expect.poll(() => ana.texts()).toContain('Who are you?')
    await ana.say('Ana')
    await expect.poll(() => ana.texts()).toContain('What?')
    await count(3)
    // 1,202 other conversations.
    await sql`update flow_node_day set passed = passed + 1202 where node = 'start'`.execute(
      dashboard.database.db,
    )
  }, 60_000)

  test('appear on the canvas and in the list after a click, and stay in the address', async () => {
    const page = await dashboard.open('developer')
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await openFlows(page)
    await expect(node(page, 'start')).toBeVisible()
    expect(requests.filter((url) => url.includes('flow-node-counts'))).toEqual([])
    await page.getByRole('button', { name: 'Last 30 days' }).click()
    await expect(
      node(page, 'start').getByText('1,204 passed · 1 ended here'),
    ).toBeVisible()
    // The conversation waits here, after the flow that the step called.
    await expect(node(page, 'order').getByText('1 passed · 1 ended here')).toBeVisible()
    await expect(
      page.getByRole('group', { name: 'unused, Step, 1 card, 0 passed · 0 ended here' }),
    ).toBeVisible()
    await expectAccessibleLooks(page, 'counts')
    await page.reload()
    await page.getByText('List', { exact: true }).click()
    await expect(
      page.getByRole('listitem').filter({ hasText: 'start' }).getByText('1,204 passed'),
    ).toBeVisible()
    await page.goto(dashboard.botPage('/flows?flow=help&counts=30'))
    await expect(node(page, 'entry').getByText('1 passed · 0 ended here')).toBeVisible()
    await page.getByRole('button', { name: 'Last 30 days' }).click()
    await expect(page.getByText('ended here')).toHaveCount(0)
  })
})
