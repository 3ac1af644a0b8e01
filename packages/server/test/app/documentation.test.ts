// The documentation's site of a real server: its pages, links, texts and OpenAPI documents, and a page in
// Chromium.
import { readdirSync, readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { type FamilyName, families, toOpenApi, toOpenApi30 } from '@botstead/contract'
import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, noChromium, openBrowser } from '../support/browser.ts'
import { watchPages } from '../support/browser-pages.ts'
import { expectAccessibleLooks, phone, expect as visible } from '../support/dashboard.ts'
import { pagesIn } from '../support/documents.ts'
import { type RunningServer, runServer } from '../support/running-server.ts'

const folder = new URL('../../dist/docs/', import.meta.url)
const names = Object.keys(families) as FamilyName[]

let server: RunningServer
beforeAll(async () => {
  server = await runServer()
}, 60_000)
afterAll(() => server?.remove(), 60_000)

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.credentials.url + path, { headers, redirect: 'manual' })

interface BuiltPage {
  ids: Set<string>
  links: string[]
}

/** Returns the anchors and links of all pages, by their address. */
function readPages(): Map<string, BuiltPage> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const pages = files
    .filter((name) => name.endsWith('.html.br') && name !== '404.html.br')
    .map((name) => name.slice(0, -'.br'.length))
  return new Map(
    pages.map((name) => {
      const file = readFileSync(new URL(`${name}.br`, folder))
      const html = brotliDecompressSync(file).toString()
      const found = (pattern: RegExp) =>
        [...html.matchAll(pattern)].map(([, value]) => value!)
      const address = `/docs/${name.replace(/(^|\/)index\.html$|\.html$/, '$1')}`
      const links = found(/<a [^>]*href="([^"]+)"/g).map((link) =>
        link.replaceAll('&amp;', '&'),
      )
      return [address, { ids: new Set(found(/ id="([^"]+)"/g)), links }]
    }),
  )
}

const pages = readPages()

test('links only to pages and anchors that exist', async () => {
  const targets = [...pages].flatMap(([from, { links }]) =>
    links.map((link) => ({ from, link, url: new URL(link, `http://docs${from}`) })),
  )
  const inside = targets.filter(({ url }) => url.host === 'docs')
  const broken = inside.filter(({ url: { pathname, hash } }) => {
    const page = pages.get(pathname)
    return hash ? !page?.ids.has(decodeURIComponent(hash.slice(1))) : false
  })
  expect(broken.map(({ from, link }) => `${from}: ${link}`)).toEqual([])
  for (const path of new Set(inside.map(({ url }) => url.pathname)))
    if (!pages.has(path)) expect((await get(path)).status, path).toBe(200)
  expect(pages.size).toBeGreaterThan(150)
})

test.each(names)('describes each operation of the family %s', (name) => {
  for (const operations of Object.values(toOpenApi(name).paths))
    for (const { operationId, tags } of Object.values(operations))
      expect(pages.get(`/docs/api/${name}/${tags[0]}`)?.ids, operationId).toContain(
        operationId,
      )
})

test('serves pages by address and as Markdown, and redirects to the address with its slash', async () => {
  const page = await get('/docs/flows')
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await page.text()).toContain('<h1 id="flows"')
  expect(await (await get('/docs/flows.md')).text()).toMatch(/^# Flows\n/)
  for (const [from, to] of [
    ['/docs', '/docs/'],
    ['/docs/api', '/docs/api/'],
    ['/docs/flows/', '/docs/flows'],
  ])
    expect((await get(from!)).headers.get('location')).toBe(to)
})

test('answers unknown pages with a page for people and JSON for programs', async () => {
  const page = await get('/docs/nothing', { accept: 'text/html' })
  expect([page.status, page.headers.get('content-type')]).toEqual([
    404,
    'text/html; charset=utf-8',
  ])
  expect(await (await get('/docs/nothing')).json()).toMatchObject({ code: 404 })
})

test('lists all guides for language models, with addresses that work', async () => {
  const text = await (await get('/llms.txt')).text()
  const paths = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, path]) => path!)
  for (const path of paths) expect((await get(path)).status, path).toBe(200)
  const guides = pagesIn('docs')
    .filter((path) => path !== 'docs/README.md')
    .map((path) => `/${path}`)
  expect(guides.filter((path) => !paths.includes(path))).toEqual([])
  expect(await (await get('/llms-full.txt')).text()).toContain('\n# Delivery\n')
})

test('permits no foreign source, inline style or unknown script', async () => {
  const policy = (await get('/docs/')).headers.get('content-security-policy')!
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'self'( 'sha256-[\w+/=]{44}'){2}; /,
  )
  expect(policy).not.toMatch(/unsafe|\*|https?:/)
})

test.each(names)('publishes the OpenAPI document of the family %s', async (name) => {
  const response = await get(`/v1/openapi/${name}.json`, {
    origin: 'https://elsewhere.example',
  })
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(toOpenApi(name))))
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('cache-control')).toBe('public, max-age=300')
  const again = { 'if-none-match': `W/${response.headers.get('etag')}` }
  expect((await get(`/v1/openapi/${name}.json`, again)).status).toBe(304)
})

test.each(names)('publishes the document of %s as OpenAPI 3.0', async (name) => {
  const path = `/v1/openapi/${name}.json`
  const [current, response] = [
    await get(`${path}?version=3.1`),
    await get(`${path}?version=3.0`),
  ]
  expect(await current.json()).toEqual(JSON.parse(JSON.stringify(toOpenApi(name))))
  expect(await response.json()).toEqual(
    JSON.parse(JSON.stringify(toOpenApi30(toOpenApi(name)))),
  )
  const etag = response.headers.get('etag')!
  expect(etag).not.toBe(current.headers.get('etag'))
  const again = await get(`${path}?version=3.0`, { 'if-none-match': etag })
  expect(again.status).toBe(304)
})

test.each(['2.0', '3.0.3', '', '3.0&version=3.1'])(
  'rejects the version "%s" of an OpenAPI document',
  async (version) => {
    const response = await get(`/v1/openapi/chat.json?version=${version}`)
    expect(response.status).toBe(400)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const body = await response.json()
    expect(body).toMatchObject({ code: 400, type: 'InvalidQuery' })
    expect(body.message).toMatch(/`version` .*"3\.0".*"3\.1"/)
  },
)

describe.skipIf(!chromiumPath)(chromiumPath ? 'in a browser' : noChromium, () => {
  let browser: Browser
  const watched = watchPages(() => browser)
  beforeAll(async () => {
    browser = await openBrowser()
  }, 60_000)
  afterAll(() => browser?.close())

  test('finds operations, and is accessible at both sizes and in both themes', async () => {
    const { url } = server.credentials
    const page = await watched.open({ viewport: phone })
    const foreign: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
        foreign.push(request.url())
    })
    await page.goto(`${url}/docs/getting-started`)
    await expectAccessibleLooks(page)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox').fill('createMessage')
    await page
      .getByRole('option', { name: /Send a message/ })
      .first()
      .click()
    await page.waitForURL(/\/docs\/api\/\w+\/messages#createMessage$/)
    await visible(page.getByRole('heading', { name: 'Send a message' })).toBeVisible()
    await expectAccessibleLooks(page)
    await page.goto(`${url}/docs/`)
    await expectAccessibleLooks(page)
    expect([...watched.complaints, ...foreign]).toEqual([])
    await watched.close()
  }, 60_000)

  test('shows the address of this server in commands and links, also of the next page', async () => {
    const { url } = server.credentials
    const page = await watched.open({})
    await page.goto(`${url}/docs/dashboard`)
    await visible(
      page.getByRole('link', { name: `${url}/`, exact: true }),
    ).toHaveAttribute('href', `${url}/`)
    await page.getByRole('link', { name: 'Delivery', exact: true }).first().click()
    await visible(
      page.getByText(`curl ${url}/v1/platform/failures`).first(),
    ).toBeVisible()
    await visible(page.getByText('127.0.0.1:4000')).toHaveCount(0)
    await watched.close()
  }, 60_000)
})
