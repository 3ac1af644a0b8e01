// Web pages as sources of knowledge bases, against a real website on loopback.
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
  vi,
} from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import {
  html,
  openWebsite,
  sitemap,
  type Website,
} from '../../../../test/support/website.ts'

let scene: Scene
let site: Website
let kbId: string

beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())
beforeEach(async () => {
  site = await openWebsite()
  const body = { name: 'Website' }
  kbId = (await call('POST', '/v1/files/knowledge-bases', body)).body.knowledgeBase.id
})
afterEach(() => site.close())

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
  scene.call(method, url, { headers: scene.asBot, body })
const sources = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
) => call(method, `/v1/platform/knowledge-sources${path}`, body)

const add = (type: 'page' | 'sitemap', path: string, more: object = {}) =>
  sources('POST', '', { knowledgeBaseId: kbId, type, url: `${site.url}${path}`, ...more })

/** Waits for the end of the refresh and returns the source. */
async function ended(id: string) {
  return await vi.waitFor(
    async () => {
      const { source } = (await sources('GET', `/${id}`)).body
      expect(source.status).toMatch(/completed|failed/)
      return source
    },
    { timeout: 30_000, interval: 30 },
  )
}
async function read(type: 'page' | 'sitemap', path: string, more: object = {}) {
  const { status, body } = await add(type, path, more)
  expect([status, body.message]).toEqual([201, undefined])
  return ended(body.source.id)
}
async function refresh(id: string) {
  await sources('POST', `/${id}/refresh`, {})
  return ended(id)
}
const listPages = async (id: string) =>
  (await sources('GET', `/${id}/pages?pageSize=100`)).body.pages.map(
    ({ url, status }: { url: string; status: string }) => [
      url.slice(site.url.length),
      status,
    ],
  )
const findPage = async (id: string) =>
  (await sources('GET', `/${id}/pages`)).body.pages[0]
const files = async () => {
  const { body } = await call(
    'GET',
    `/v1/platform/files?knowledgeBaseId=${kbId}&pageSize=100`,
  )
  return body.files as {
    id: string
    key: string
    tags: Record<string, string>
    updatedAt: string
  }[]
}
const requested = (path: string) =>
  site.requests.filter((request) => request.path === path)
const found = async (query: string) => {
  const parameters = new URLSearchParams({ query, tags: JSON.stringify({ kbId }) })
  const { passages } = (await call('GET', `/v1/files/search?${parameters}`)).body
  return passages as { content: string; file: { tags: Record<string, string> } }[]
}

test('answers from the pages of a sitemap, and links to them', async () => {
  site.pages.set(
    '/sitemap.xml',
    sitemap([`${site.url}/a`, `${site.url}/b#part`, `${site.url}/b`]),
  )
  site.pages.set('/a', html('About &amp; us', 'The office is in Lisbon.'))
  site.pages.set('/b', {
    type: 'text/markdown',
    body: '# Prices\n\nA ticket costs nine euros.',
  })
  const source = await read('sitemap', '/sitemap.xml')
  expect(source).toMatchObject({
    status: 'completed',
    schedule: 'off',
    pages: { total: 2, done: 2, failed: 0 },
  })
  expect(source.problem ?? source.nextRefreshAt).toBeUndefined()
  expect(await listPages(source.id)).toEqual([
    ['/a', 'fetched'],
    ['/b', 'fetched'],
  ])
  const passages = await vi.waitFor(
    async () => {
      const passages = await found('where is the office')
      expect(passages).toHaveLength(1)
      return passages
    },
    { timeout: 30_000 },
  )
  expect(passages[0]!.file.tags).toMatchObject({
    title: 'About & us',
    url: `${site.url}/a`,
    kbId,
  })
  expect(requested('/robots.txt')).toHaveLength(1)
  expect(site.requests.every(({ headers }) => headers['user-agent'] === 'Botstead')).toBe(
    true,
  )
})

test('reads only what changed, and removes pages that vanish', async () => {
  const page = (name: string, text: string, etag: string) =>
    site.pages.set(name, { ...html(name, text), headers: { etag } })
  const list = (...names: string[]) =>
    site.pages.set('/map', sitemap(names.map((name) => site.url + name)))
  list('/same', '/changed', '/equal', '/gone', '/left', '/broken')
  for (const name of ['/same', '/changed', '/equal', '/gone', '/left', '/broken'])
    page(name, `Text of ${name}`, '"1"')
  const { id } = await read('sitemap', '/map')
  const before = await files()
  expect(before).toHaveLength(6)
  list('/same', '/changed', '/equal', '/gone', '/broken', '/new')
  site.pages.set('/same', { status: 304 })
  page('/changed', 'Another text', '"2"')
  page('/equal', 'Text of /equal', '"2"')
  page('/new', 'New text', '"1"')
  site.pages.set('/gone', { status: 410 })
  site.pages.set('/broken', { status: 500 })
  const source = await refresh(id)
  expect(source.pages).toEqual({ total: 6, done: 6, failed: 2 })
  expect(await listPages(id)).toEqual([
    ['/broken', 'failed'],
    ['/changed', 'fetched'],
    ['/equal', 'unchanged'],
    ['/gone', 'gone'],
    ['/new', 'fetched'],
    ['/same', 'unchanged'],
  ])
  const after = await files()
  const toNames = (list: typeof after) =>
    list.map(({ tags }) => tags.url!.slice(site.url.length))
  expect(toNames(after).sort()).toEqual([
    '/broken',
    '/changed',
    '/equal',
    '/new',
    '/same',
  ])
  const touched = after.filter(({ id, updatedAt }) =>
    before.every((file) => file.id !== id || file.updatedAt < updatedAt),
  )
  // Indexing may have updated others since; the content of these was written again.
  expect(toNames(touched)).toEqual(expect.arrayContaining(['/changed', '/new']))
  expect(requested('/same')[1]!.headers['if-none-match']).toBe('"1"')
  expect(requested('/left')).toHaveLength(1)
  const failed = (await sources('GET', `/${id}/pages?status=failed`)).body.pages
  expect(failed).toMatchObject([{ reason: 'The website responded with status 500' }])

  // A file that someone deleted comes back, although the website would answer 304.
  const same = after.find(({ tags }) => tags.url!.endsWith('/same'))!
  await call('DELETE', `/v1/files/${same.id}`)
  page('/same', 'Text of /same', '"1"')
  await refresh(id)
  expect(requested('/same').at(-1)!.headers['if-none-match']).toBeUndefined()
  expect(toNames(await files())).toContain('/same')
  expect((await sources('DELETE', `/${id}`)).status).toBe(200)
  expect(await files()).toEqual([])
})

test('shares the file of a page that two sources have', async () => {
  site.pages.set('/a', html('a', 'text'))
  site.pages.set('/map', sitemap([`${site.url}/a`]))
  const [one, two] = [await read('page', '/a'), await read('sitemap', '/map')]
  expect(await files()).toHaveLength(1)
  await sources('DELETE', `/${one.id}`)
  expect(await files()).toHaveLength(1)
  expect((await add('sitemap', '/map')).body).toMatchObject({ type: 'AlreadyExists' })
  await call('DELETE', `/v1/files/knowledge-bases/${kbId}`)
  expect([(await sources('GET', `/${two.id}`)).status, await files()]).toEqual([404, []])
})

test('reports a website without a readable page as failed, until its address is corrected', async () => {
  site.pages.set('/right', html('r', 'the right page'))
  site.pages.set('/other', html('o', 'another page'))
  const { id, ...wrong } = await read('page', '/wrong')
  expect(wrong).toMatchObject({
    status: 'failed',
    problem: 'The website responded with 404',
  })
  await read('page', '/other')
  const move = (path: string) => sources('PUT', `/${id}`, { url: `${site.url}${path}` })
  expect((await move('/other')).body).toMatchObject({ type: 'AlreadyExists' })
  const { source } = (await move('/right')).body
  expect([source.status, source.problem]).toEqual(['pending', undefined])
  expect(await ended(id)).toMatchObject({
    status: 'completed',
    pages: { total: 1, failed: 0 },
  })
  expect(await listPages(id)).toEqual([['/right', 'fetched']])
})

describe('robots.txt', () => {
  const twoPages = () => {
    site.pages.set('/map', sitemap([`${site.url}/open`, `${site.url}/private`]))
    site.pages.set('/open', html('o', 'open'))
    site.pages.set('/private', html('p', 'private'))
  }
  const robots = (body: string) =>
    site.pages.set('/robots.txt', { type: 'text/plain', body })

  test('blocks pages', async () => {
    twoPages()
    robots('User-agent: other\nDisallow: /\nUser-agent: *\nDisallow: /private')
    const { id, pages } = await read('sitemap', '/map')
    expect([await listPages(id), pages.failed]).toEqual([
      [
        ['/open', 'fetched'],
        ['/private', 'blocked'],
      ],
      1,
    ])
    expect(requested('/private')).toEqual([])
    const { url } = (await files())[0]!.tags
    expect(url).toBe(`${site.url}/open`)
  })

  test('forbids everything while it cannot be read, and then removes nothing', async () => {
    twoPages()
    await read('page', '/open')
    site.pages.set('/robots.txt', { status: 503 })
    const { status, problem } = await read('sitemap', '/map')
    expect([status, problem]).toEqual(['failed', expect.stringContaining('status 503')])
    expect(requested('/map')).toEqual([])
    expect(await files()).toHaveLength(1)
  })

  test('is asked about the target of a redirect, too', async () => {
    twoPages()
    robots('User-agent: botstead\nDisallow: /private')
    site.pages.set('/moved', { status: 302, headers: { location: '/private' } })
    const { id } = await read('page', '/moved')
    expect(await listPages(id)).toEqual([['/moved', 'blocked']])
    expect(requested('/private')).toEqual([])
  })

  test('sets the pause between requests', async () => {
    twoPages()
    robots('User-agent: *\nCrawl-delay: 0.6')
    const begin = performance.now()
    await read('sitemap', '/map')
    expect(performance.now() - begin).toBeGreaterThan(600)
  })
})

describe('sitemaps', () => {
  test('are read from a compressed index, up to the maximum of pages', async () => {
    const inner = sitemap([1, 2, 3, 4].map((n) => `${site.url}/${n}`)).body as string
    site.pages.set('/part.xml.gz', { type: 'application/gzip', body: gzipSync(inner) })
    site.pages.set('/index.xml', {
      type: 'application/xml',
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync(
        `<s:sitemapindex xmlns:s="x"><s:sitemap><s:loc>\n ${site.url}/part.xml.gz ` +
          '</s:loc></s:sitemap></s:sitemapindex>',
      ),
    })
    for (const n of [1, 2, 3, 4]) site.pages.set(`/${n}`, html(`${n}`, `page ${n}`))
    const source = await read('sitemap', '/index.xml', { maxPages: 3 })
    expect(source).toMatchObject({ status: 'completed', pages: { total: 3 } })
    expect(source.problem).toContain('more than 3 pages')
    site.pages.delete('/part.xml.gz')
    expect(await refresh(source.id)).toMatchObject({ status: 'failed' })
    expect(await files()).toHaveLength(3)
  })

  test('do not remove pages of a part that cannot be read', async () => {
    const part = (name: string) => `<sitemap><loc>${site.url}${name}</loc></sitemap>`
    site.pages.set('/index', {
      body: `<sitemapindex>${part('/m1')}${part('/m2')}</sitemapindex>`,
    })
    for (const n of [1, 2]) {
      site.pages.set(`/m${n}`, sitemap([`${site.url}/${n}`]))
      site.pages.set(`/${n}`, html(`${n}`, `page ${n}`))
    }
    const { id } = await read('sitemap', '/index')
    site.pages.set('/m2', { status: 500 })
    const { problem } = await refresh(id)
    expect(problem).toContain('so no page was removed')
    expect(await files()).toHaveLength(2)
  })

  test('lead to no other website', async () => {
    const other = await openWebsite({ '/secret': html('s', 'secret') })
    const strange = [
      'javascript:alert(1)',
      'http://u:p@127.0.0.1/',
      '__proto__',
      `${site.url}/${'x'.repeat(2_000)}`,
    ]
    site.pages.set(
      '/map',
      sitemap([`${other.url}/secret`, ...strange, `${site.url}/constructor`]),
    )
    site.pages.set('/constructor', html('toString', 'fine'))
    const { id, problem } = await read('sitemap', '/map')
    expect(problem).toBe(
      '1 address of another website was left out. 4 invalid addresses were left out.',
    )
    expect([await listPages(id), other.requests]).toEqual([
      [['/constructor', 'fetched']],
      [],
    ])
    await other.close()
  })

  test.each<[string, string | Buffer, string]>([
    ['another document', '<html><body>hi</body></html>', 'is not a sitemap'],
    ['no document', '\u0000\u0001', 'is not a sitemap'],
    ['an empty sitemap', '<urlset/>', 'lists no page'],
    ['endless nesting', `<urlset>${'<a>'.repeat(100_000)}`, 'nests deeper'],
    [
      'a bomb of entities',
      `<!DOCTYPE x [<!ENTITY a "${'http://x/'.repeat(20)}"><!ENTITY b "${'&a;'.repeat(1_000)}">]><urlset><url><loc>&b;</loc></url></urlset>`,
      'lists no page',
    ],
    [
      'an external entity',
      '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset><url><loc>&a;</loc></url></urlset>',
      'lists no page',
    ],
    [
      'a bomb of compression',
      gzipSync(Buffer.alloc(30_000_000, ' ')),
      'larger than 10 MB',
    ],
    ['damaged compression', Buffer.from([0x1f, 0x8b, 1, 2, 3]), 'damaged'],
  ])('fail for %s', async (_, body, reason) => {
    site.pages.set('/map', { body })
    const { status, problem } = await read('sitemap', '/map')
    expect([status, problem]).toEqual(['failed', expect.stringContaining(reason)])
  })
})

describe('pages', () => {
  test.each<[string, Parameters<Map<string, object>['set']>[1], string]>([
    [
      'an endless body',
      {
        send: (reply: import('node:http').ServerResponse) => {
          reply.writeHead(200, { 'content-type': 'text/html' })
          const more = () => {
            while (!reply.destroyed && reply.write('x'.repeat(65_536)));
          }
          reply.on('drain', more)
          more()
        },
      },
      'larger than 10 MB',
    ],
    [
      'an endless redirect',
      { status: 301, headers: { location: '/page' } },
      'More than 5 redirects',
    ],
    [
      'a redirect to a file',
      { status: 301, headers: { location: 'file:///etc/passwd' } },
      'must be an http',
    ],
    ['another type', { type: 'image/png', body: 'x' }, '"image/png" are not indexed'],
    [
      'an unknown encoding',
      { headers: { 'content-encoding': '__proto__' }, body: 'x' },
      'not supported',
    ],
    [
      'a broken connection',
      { send: (reply: import('node:http').ServerResponse) => reply.destroy() },
      'cannot reach',
    ],
    ['an uninvited 304', { status: 304 }, 'status 304'],
  ])('fail for %s', async (_, response, reason) => {
    site.pages.set('/page', response)
    const { id } = await read('page', '/page')
    expect(await findPage(id)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining(reason),
    })
  })

  test('are decoded by the character set that they name', async () => {
    const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])
    site.pages.set('/a', { type: 'text/html; charset=windows-1251', body: cyrillic })
    site.pages.set('/b', {
      body: Buffer.concat([
        Buffer.from('<meta charset="koi8-r">'),
        Buffer.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]),
      ]),
    })
    site.pages.set('/c', { type: 'text/html; charset=nonsense', body: 'Привет' })
    site.pages.set('/map', sitemap(['/a', '/b', '/c'].map((path) => site.url + path)))
    await read('sitemap', '/map')
    await vi.waitFor(async () => expect(await found('Привет')).toHaveLength(3), {
      timeout: 30_000,
    })
  })
})

test('leaves out pages that ask for it, and removes them later', async () => {
  const robots = (rule: string) => ({
    body: `<head><meta name="Robots" content="${rule}"><title>t</title></head><p>Draft`,
  })
  site.pages.set('/meta', robots('nofollow, NOINDEX'))
  site.pages.set('/header', {
    ...html('Old', 'Draft'),
    headers: { 'x-robots-tag': 'none' },
  })
  site.pages.set('/other', {
    ...html('x', 'Draft'),
    headers: { 'x-robots-tag': 'bingbot: noindex' },
  })
  site.pages.set(
    '/map',
    sitemap(['/meta', '/header', '/other'].map((path) => site.url + path)),
  )
  const { id } = await read('sitemap', '/map')
  expect((await listPages(id)).sort()).toEqual([
    ['/header', 'blocked'],
    ['/meta', 'blocked'],
    ['/other', 'fetched'],
  ])
  site.pages.set('/other', robots('none'))
  await refresh(id)
  expect(await files()).toEqual([])
})

test('reads a byte order mark before the header', async () => {
  const body = Buffer.from('\ufeff<title>Grüße</title><p>Öffnungszeiten für München')
  site.pages.set('/page', { type: 'text/html; charset=ISO-8859-1', body })
  await read('page', '/page')
  const [file] = await files()
  expect(file!.tags.title).toBe('Grüße')
  await vi.waitFor(async () => expect(await found('München')).toHaveLength(1), {
    timeout: 30_000,
  })
})

test('continues with the next page after another process died', async () => {
  const names = Array.from({ length: 6 }, (_, n) => `/${n}`)
  site.pages.set('/map', sitemap(names.map((name) => site.url + name)))
  for (const name of names) site.pages.set(name, html(name, `page ${name}`))
  const { id } = await read('sitemap', '/map')
  const { db } = scene.app.services
  // As a worker leaves it that died in the middle of a refresh.
  await sql`update knowledge_source set status = 'fetching', worker = 'worker_dead', next_at = now(),
    done = 4, attempts = 1 where id = ${id}`.execute(db)
  await sql`update knowledge_page set is_pending = url ~ '[45]$' where source_id = ${id}`.execute(
    db,
  )
  const before = site.requests.length
  expect((await ended(id)).pages.done).toBe(6)
  expect(
    site.requests
      .slice(before)
      .map(({ path }) => path)
      .filter((path) => path !== '/robots.txt'),
  ).toEqual(['/4', '/5'])
})
