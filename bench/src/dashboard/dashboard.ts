// The dashboard in Chromium: first load, opening pages, scrolling. The floor of each step is the time
// of its API requests alone, sent by this process in the same round.
/// <reference lib="dom" />
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { chromiumArgs, chromiumPath } from '../../../scripts/chromium.js'
import type { RunningServer } from '../botstead-server.ts'
import type { Conversation } from '../chat.ts'
import { fillServer } from '../data/listing.ts'
import { type DatabaseSettings, withClient } from '../database.ts'
import { digits, median, note, printTable, progress, ratio, spread } from '../report.ts'
import { frames, shownFrames } from './dashboard-frames.ts'
import { type GridPlan, measureGrid } from './dashboard-table.ts'

interface Plan {
  messages: number
  conversations: number
  issues: number
  rounds: number
  grid: GridPlan
}

const cli = fileURLToPath(
  new URL('../../../packages/cli/dist/bundle/main.js', import.meta.url),
)

/** `long` is a conversation of the measured bot. */
export async function measureDashboard(
  server: RunningServer,
  database: DatabaseSettings,
  { botId, long, folder }: { botId: string; long: Conversation; folder: string },
  plan: Plan,
) {
  const browser = await openChromium()
  if (!browser) return note('The dashboard is not measured: Chromium is not installed.')
  progress(
    `filling ${plan.conversations} conversations, one of ${plan.messages} messages, ${plan.issues} issues`,
  )
  try {
    await fill(database, botId, long.id, plan)
    const state = await signIn(server, browser, folder)
    await measure(server, browser, state, { botId, conversationId: long.id, plan })
    await measureGrid(server, database, browser, state, { botId, plan: plan.grid })
  } finally {
    await browser.close()
  }
}

/** Returns null without Chromium. */
export async function openChromium(): Promise<Browser | null> {
  if (!chromiumPath) return null
  // Only measurements of pages need the library.
  const { chromium } = await import('playwright-core')
  return chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })
}

async function fill(
  database: DatabaseSettings,
  botId: string,
  conversationId: string,
  { messages, conversations, issues }: Plan,
) {
  await withClient(database, async (client) => {
    await client.query(fillServer, [conversationId, 2, messages])
    await client.query(
      `insert into conversation
         (bot_id, id, integration, channel, owner_id, last_message_at, created_at, updated_at)
       select bot_id, 'conv_' || upper(replace(gen_random_uuid()::text, '-', '')), integration,
         channel, owner_id, at, at, at
       from conversation, generate_series(1, $3::int) i, lateral (select now() - i * interval '1 s')
         as time (at)
       where bot_id = $1 and id = $2`,
      [botId, conversationId, conversations],
    )
    await client.query(
      `insert into issue (bot_id, id, code, message, fingerprint, grouped_data, events_count, status,
         created_at, last_seen_at)
       select $1, 'iss_' || upper(replace(gen_random_uuid()::text, '-', '')), 'event_failed',
         'The handler failed: ' || i, sha256(i::text::bytea), '{}', i, 'open', at, at
       from generate_series(1, $2::int) i, lateral (select now() - i * interval '1 s') as time (at)`,
      [botId, issues],
    )
    await client.query('analyze')
  })
}

/** Returns the cookies of a signed-in profile. */
export async function signIn(
  { credentials }: RunningServer,
  browser: Browser,
  folder: string,
) {
  const account = ['login-link', '--account', 'owner@localhost']
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [cli, ...account],
    {
      env: { ...process.env, BOTSTEAD_DATA: folder },
    },
  )
  const link = /http\S+#link=[\w-]+/.exec(stdout + stderr)![0]
  const profile = await browser.newContext()
  const page = await profile.newPage()
  await page.goto(link)
  await page.waitForURL(`**/w/${credentials.workspaceId}/**`)
  const state = await profile.storageState()
  await profile.close()
  return state
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>

interface Measured {
  botId: string
  conversationId: string
  plan: Plan
}

async function measure(
  { credentials, http }: RunningServer,
  browser: Browser,
  state: State,
  { botId, conversationId, plan }: Measured,
) {
  const { url, workspaceId, token } = credentials
  const bot = `${url}/w/${workspaceId}/bots/${botId}`
  const headers = {
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspaceId,
    'x-bot-id': botId,
  }
  const steps = [
    {
      name: 'first load of the bots',
      path: `${url}/w/${workspaceId}/bots`,
      ready: 'a.row-cells',
    },
    {
      name: `${plan.conversations} conversations`,
      path: `${bot}/conversations`,
      ready: 'a.row-cells',
    },
    {
      name: `conversation of ${plan.messages} messages`,
      path: `${bot}/conversations/${conversationId}`,
      ready: '.bubble',
    },
    {
      name: `${plan.issues} issues`,
      path: `${bot}/issues`,
      ready: '.list-row .row-cells',
    },
  ]
  const requests = [
    ['/v1/platform/session', '/v1/platform/bots'],
    ['/v1/platform/session', '/v1/platform/conversations?pageSize=50'],
    ['/v1/platform/session', `/v1/chat/conversations/${conversationId}`],
    ['/v1/platform/session', '/v1/platform/issues?pageSize=50'],
  ]
  const times = steps.map(() => ({ page: [] as number[], floor: [] as number[] }))
  let bytes = 0
  for (let round = 0; round < plan.rounds; round++)
    for (const [index, step] of steps.entries()) {
      progress(`${step.name}, round ${round + 1}`)
      const profile = await browser.newContext({ storageState: state })
      const page = await profile.newPage()
      times[index]!.page.push(await measureTime(() => open(page, step)))
      if (index === 0) bytes = await scriptBytes(page)
      times[index]!.floor.push(
        await measureTime(() =>
          Promise.all(requests[index]!.map((path) => http.call('GET', path, headers))),
        ),
      )
      await profile.close()
    }
  printTable(
    'Dashboard: empty cache, until the content is visible',
    ['', 'ms, median (range)', 'its requests alone, ms', 'ratio'],
    steps.map(({ name }, index) => {
      const { page, floor } = times[index]!
      return [
        name,
        spread(page),
        digits(median(floor)),
        ratio(median(page), median(floor)),
      ]
    }),
    [`JavaScript at first load: ${digits(bytes / 1024)} KB, compressed with Brotli.`],
  )
  await measureScrolling(browser, state, steps.slice(1))
}

interface Step {
  name: string
  path: string
  ready: string
}

async function open(page: Page, { path, ready }: Step) {
  await page.goto(path)
  await page.locator(ready).first().waitFor()
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

const scriptBytes = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .reduce(
        (sum, entry) =>
          sum + (entry as unknown as { encodedBodySize: number }).encodedBodySize,
        0,
      ),
  )

/** Intervals between frames while the wheel scrolls through a list, beside those of an idle page. */
async function measureScrolling(browser: Browser, state: State, steps: Step[]) {
  const rows = []
  for (const step of steps) {
    progress(`scrolling: ${step.name}`)
    const profile = await browser.newContext({ storageState: state })
    const page = await profile.newPage()
    await open(page, step)
    // `hover` tries again if React replaces the row meanwhile.
    await page
      .locator(step.ready)
      .first()
      .hover({ position: { x: 20, y: 10 }, force: true })
    const idle = await frames(page, async () => {})
    const scrolling = await frames(page, async () => {
      for (let turn = 0; turn < 60; turn++)
        await page.mouse.wheel(0, turn % 20 < 15 ? 400 : -900)
    })
    const longTasks = [idle, scrolling].map((one) => String(one.longTasks))
    rows.push([step.name, ...shownFrames(idle), ...shownFrames(scrolling), ...longTasks])
    await profile.close()
  }
  printTable(
    'Dashboard: milliseconds between frames',
    [
      '',
      'idle, median',
      'p95',
      'scrolling, median',
      'p95',
      'long tasks, idle',
      'scrolling',
    ],
    rows,
    [
      '16.7 ms are 60 frames per second. A long task blocks the page for more than 50 ms.',
    ],
  )
}
