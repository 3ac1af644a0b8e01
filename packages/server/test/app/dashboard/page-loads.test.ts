// What each page of the dashboard loads by its address in a browser without a cache, and how fast its content
// appears over a slow connection. Over HTTP/1.1, a browser has six connections, so each request counts.
import { gzipSync } from 'node:zlib'
import type { CDPSession, Page, Request } from '@playwright/test'
import { beforeAll, test } from 'vitest'
import { slowdownSince } from '../../../../../scripts/tests/machine-speed.js'
import { dashboard, describeDashboardWith, expect } from '../../support/dashboard.ts'
import { pageAddresses, publicPages } from '../../support/dashboard-pages.ts'
import { fillPages } from '../../support/filled-pages.ts'

/**
 * All that a page requests until it is quiet: the document, files, calls of the API, the live stream. The
 * chat page, which Webchat shows in a frame, is another page.
 */
const maxRequests = 12
/** A page is quiet when it requests nothing for this time. */
const quietMs = 800

/** A round trip of 80 ms, and 10 Mbit/s. */
const slow = {
  offline: false,
  latency: 80,
  downloadThroughput: 1_250_000,
  uploadThroughput: 1_250_000,
}
/**
 * On an idle machine. Tests share theirs: the fastest of three loads counts, and the limit is multiplied by
 * the smallest slowdown of a fixed loop after each of them.
 */
const maxContentMs = 1_200
const maxLoads = 3

/** What a page did until it was quiet, over the slow connection. */
interface PageLoad {
  path: string
  requests: string[]
  /** Milliseconds from the request of the document until its content. */
  contentAt: number
  /** The limit for `contentAt`. */
  maxMs: number
}

let page: Page
let devtools: CDPSession
const loads: PageLoad[] = []

const withQuickRetries = () => ({ BOTSTEAD_RETRY_SECONDS: '0.05' })

describeDashboardWith(withQuickRetries, 'the load of each page', () => {
  beforeAll(async () => {
    const ids = await fillPages()
    await openWithoutCache(await dashboard.open('owner'))
    for (const address of ['/', ...pageAddresses(ids)])
      loads.push(await loadInTime(address))
    await openWithoutCache(await (await dashboard.browser.newContext()).newPage())
    await page.goto(dashboard.server.credentials.url)
    for (const address of publicPages) loads.push(await loadInTime(address))
  }, 600_000)

  test('has at most 12 requests and 314 KB of compressed scripts', async () => {
    // All at once, because a change often makes several pages larger.
    const large: string[] = []
    for (const { path, requests } of loads) {
      const allowed = largerPages.find(([form]) => form.test(path))?.[1] ?? 314
      const kilobytes = await measureScripts(requests)
      if (requests.length > maxRequests) large.push(`${path}: ${requests.join(' ')}`)
      if (kilobytes > allowed)
        large.push(`${path}: ${kilobytes} KB instead of ${allowed}`)
    }
    expect(large).toEqual([])
  })

  test('shows its content within 1.2 s over a slow connection', () => {
    const times = loads.map(({ path, contentAt, maxMs }) => ({ path, contentAt, maxMs }))
    if (process.env.BOTSTEAD_SHOW_LOADS) console.table(times)
    expect(times.filter(({ contentAt, maxMs }) => contentAt > maxMs)).toEqual([])
  })
})

/** Kilobytes of larger pages. Charts, messages, forms of JSON Schemas and YAML come with a library. */
const largerPages: [path: RegExp, kilobytes: number][] = [
  [/^\/(?:usage)?$/, 415],
  [/^\/integrations\/./, 395],
  [/^\/(?:inbox|conversations|users)/, 350],
  [/^\/tables/, 322],
  [/^\/flows/, 400],
]

const toPath = (address: string) =>
  address
    .replace(new URL(dashboard.botPage()).pathname, '')
    .replace(/^\/w\/[^/]+/, '')
    .replace(/^$/, '/')

async function openWithoutCache(opened: Page) {
  page = opened
  devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', slow)
  await page.addInitScript(recordContent)
}

/**
 * Repeats a load that is slower than on an idle machine, or during which a change was announced, which
 * requests a list again. Returns the shortest time and the fewest requests.
 */
async function loadInTime(address: string): Promise<PageLoad> {
  let { contentAt, requests, path } = await load(address)
  let slowdown = Number.POSITIVE_INFINITY
  const isOver = () => contentAt <= maxContentMs && requests.length <= maxRequests
  for (let count = 1; !isOver() && count <= maxLoads; count++) {
    slowdown = Math.min(slowdown, slowdownSince(0))
    if (count === maxLoads) break
    const next = await load(address)
    contentAt = Math.min(contentAt, next.contentAt)
    if (next.requests.length < requests.length) requests = next.requests
  }
  const isSlow = contentAt > maxContentMs
  return {
    path,
    requests,
    contentAt,
    maxMs: Math.round(maxContentMs * (isSlow ? slowdown : 1)),
  }
}

async function load(address: string): Promise<Omit<PageLoad, 'maxMs'>> {
  await devtools.send('Network.clearBrowserCache')
  const requests: string[] = []
  const listen = (request: Request) => {
    if (request.frame() === page.mainFrame())
      requests.push(new URL(request.url()).pathname)
  }
  page.on('request', listen)
  await page.goto(new URL(address, page.url()).href, { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByLabel('Loading …')).toHaveCount(0)
  await expect
    .poll(
      () => {
        const before = seen
        seen = requests.length
        return seen - before
      },
      { intervals: [quietMs] },
    )
    .toBe(0)
  page.off('request', listen)
  const contentAt = await page.evaluate(() =>
    Math.round((globalThis as unknown as Recorded).contentAt),
  )
  return { path: toPath(address), requests, contentAt }
}
let seen = 0

type Recorded = Pick<PageLoad, 'contentAt'>

/** Runs in the page: the content is there with a heading, when nothing loads. */
function recordContent() {
  const recorded = globalThis as unknown as Recorded
  const check = () => {
    const isComplete =
      document.querySelector('h1') && !document.querySelector('[aria-label="Loading …"]')
    if (!isComplete) recorded.contentAt = 0
    else recorded.contentAt ||= performance.now()
  }
  new MutationObserver(check).observe(document, {
    childList: true,
    subtree: true,
    attributes: true,
  })
}

const sizes = new Map<string, Promise<number>>()

/** Returns the kilobytes of the scripts among the requests, compressed with gzip. */
async function measureScripts(requests: string[]): Promise<number> {
  const scripts = requests.filter((path) => path.endsWith('.js'))
  const found = scripts.map((path) => {
    if (!sizes.has(path)) sizes.set(path, compressedSize(path))
    return sizes.get(path)!
  })
  const bytes = (await Promise.all(found)).reduce((sum, size) => sum + size, 0)
  return Math.round(bytes / 1024)
}

const compressedSize = async (path: string) => {
  const response = await fetch(dashboard.server.credentials.url + path)
  return gzipSync(Buffer.from(await response.arrayBuffer())).length
}
