// The grid of a large table in Chromium: frames while the wheel scrolls, and jumps to positions all
// over the table, in the order of the rows, sorted, and filtered.
/// <reference lib="dom" />
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { RunningServer } from '../botstead-server.ts'
import { type DatabaseSettings, withClient } from '../database.ts'
import { digits, median, printTable, progress, quantile } from '../report.ts'
import { frames, shownFrames } from './dashboard-frames.ts'

export interface GridPlan {
  rows: number
  jumps: number
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>

const sort = [
  ['status', 'asc'],
  ['price', 'desc'],
]
const views = [
  { name: 'by number', query: {} },
  { name: 'sorted by a column', query: { sort: [['price', 'desc']] } },
  { name: 'sorted by two columns', query: { sort } },
  { name: 'filtered, half of the rows', query: { filter: { sold: true } } },
  { name: 'filtered and sorted', query: { filter: { sold: true }, sort } },
]

export async function measureGrid(
  { credentials, http }: RunningServer,
  database: DatabaseSettings,
  browser: Browser,
  state: State,
  { botId, plan }: { botId: string; plan: GridPlan },
) {
  const { url, workspaceId, token } = credentials
  const headers = { authorization: `Bearer ${token}`, 'x-bot-id': botId }
  progress(`filling a table with ${plan.rows} rows`)
  const { table } = await http.call<{ table: { id: string } }>(
    'POST',
    '/v1/tables',
    headers,
    {
      name: 'GridTable',
      schema: {
        code: { type: 'string' },
        status: { type: 'string' },
        price: { type: 'number' },
        sold: { type: 'boolean' },
      },
    },
  )
  await fill(database, table.id, plan.rows)
  const rows = []
  for (const { name, query } of views) {
    progress(`grid: ${name}`)
    const profile = await browser.newContext({ storageState: state })
    const page = await profile.newPage()
    const address = new URL(`${url}/w/${workspaceId}/bots/${botId}/tables/${table.id}`)
    for (const [key, value] of Object.entries(query))
      address.searchParams.set(key, JSON.stringify(value))
    await page.goto(String(address))
    await page.locator('[role=gridcell]').first().waitFor()
    const jumps: number[] = []
    for (let n = 1; n <= plan.jumps; n++) jumps.push(await jumpTo(page, (n * 0.618) % 1))
    await page.locator('[role=gridcell]').first().hover({ force: true })
    const scrolling = await frames(page, async () => {
      for (let turn = 0; turn < 60; turn++)
        await page.mouse.wheel(0, turn % 20 < 15 ? 400 : -900)
    })
    const [first = 0, ...later] = jumps
    rows.push([
      name,
      digits(first),
      ...[median(later), quantile(later, 0.95)].map(digits),
      ...shownFrames(scrolling),
      String(scrolling.longTasks),
    ])
    await profile.close()
  }
  printTable(
    `Dashboard: a table of ${plan.rows} rows, in ms`,
    [
      '',
      'first jump',
      'later jumps, median',
      'p95',
      'between frames, median',
      'p95',
      'long tasks',
    ],
    rows,
    ['A jump ends when all visible rows show their values.'],
  )
}

/** Returns the time until the rows are visible. */
const jumpTo = (page: Page, share: number) =>
  page.evaluate(async (to) => {
    const grid = document.querySelector('[role=grid]')!
    const from = performance.now()
    grid.scrollTop = (grid.scrollHeight - grid.clientHeight) * to
    const isLoaded = () => {
      const heads = [...grid.querySelectorAll('[role=rowheader]')]
      return heads.length > 0 && heads.every((head) => !head.textContent?.includes('…'))
    }
    // The scrolling is drawn with the next frame.
    await new Promise((drawn) =>
      requestAnimationFrame(() => requestAnimationFrame(drawn)),
    )
    while (!isLoaded()) await new Promise(requestAnimationFrame)
    return performance.now() - from
  }, share)

/** In the format of the API. */
const fill = (database: DatabaseSettings, tableId: string, size: number) =>
  withClient(database, async (client) => {
    await client.query(
      `insert into table_row (bot_id, bot_table_id, row_id, data)
       select bot_id, bot_table_id, i, jsonb_build_object(
         'c1', 'code ' || i, 'c2', (array['open','closed','lost'])[1 + i % 3],
         'c3', (i::bigint * 7919 % 100000) / 100.0, 'c4', i % 2 = 0)
       from bot_table, generate_series(1, $2::int) i where bot_table_id = $1`,
      [tableId, size],
    )
    await client.query(
      'update table_counter set last_row_id = $2 where bot_table_id = $1',
      [tableId, size],
    )
    await client.query('vacuum analyze table_row')
  })
