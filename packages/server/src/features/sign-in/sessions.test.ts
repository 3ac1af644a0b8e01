// Sessions of browsers: callers like those with a token, and worthless without the header that only
// pages of the server can send.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, noChromium, openBrowser } from '../../../test/support/browser.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  createPerson,
  openTestBrowser,
  sessionHeaders,
  signIn,
  type TestBrowser,
} from '../../../test/support/sign-in.ts'
import { bearing } from '../../../test/support/tenants.ts'
import { type App, openApp } from '../../app/app.ts'
import { readConfig } from '../../core/config/config.ts'
import { createSignInLink } from './sign-in-links.ts'

// Two servers of one URL.
const publicUrl = 'http://bots.example.org'

let scene: Scene
let other: App
beforeAll(async () => {
  scene = await openScene({ config: { publicUrl } })
  other = await openApp({
    config: {
      ...readConfig({ BOTSTEAD_LIMIT_FAILURES_PER_MINUTE: '0' }),
      checkAnswers: true,
      publicUrl,
    },
    log: pino({ level: 'silent' }),
    connection: scene.connection,
    masterKey: scene.masterKey,
    chatKey: scene.chatKey,
  })
}, 60_000)
afterAll(async () => {
  await other?.close()
  await scene?.close()
})

const sessionPath = '/v1/platform/session'
const linkPath = '/v1/platform/sign-in/link'
const findStatus = async (browser: TestBrowser, cookie = browser.cookie) =>
  (await browser.call('GET', sessionPath, { cookie })).status

/** Changes the row of a session, and empties the caches. */
async function age(accountId: string, column: string, interval: string) {
  const { db, invalidate } = scene.app.services
  await sql`update session set ${sql.ref(column)} = now() - ${interval}::interval
    where account_id = ${accountId}`.execute(db)
  await invalidate({ accountId })
}

/** The entries of a chain, newest first. */
async function listAudit(chain: string) {
  const { rows } = await sql<{ operation: string; token_id: string; result: string }>`
    select operation, token_id, target_id, result from audit_record where chain = ${chain}
    order by number desc`.execute(scene.app.services.db)
  return rows
}

describe('signing in with a link', () => {
  test('gives the browser a session with the permissions of the account', async () => {
    const browser = await signIn(scene.app, scene.accountId)
    expect(browser.setCookie).toMatch(
      /^botstead-session-\d+=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    )
    const { body } = await browser.call('GET', sessionPath)
    expect(body.account.id).toBe(scene.accountId)
    expect(body.workspaces).toMatchObject([{ id: scene.workspaceId, role: 'owner' }])
    expect(body.workspaces[0].permissions).toContain('workspace.delete')
    expect(body.workspaces[0].givableRoles).toContain('owner')
    expect(body.session).toMatchObject({
      method: 'link',
      browser: 'Test browser',
      address: '127.0.0.1',
      isCurrent: true,
    })
    const headers = { 'x-bot-id': scene.botId }
    expect(
      (await browser.call('GET', '/v1/chat/conversations', { headers })).status,
    ).toBe(200)
  })

  test('works once, also with many requests at two servers at the same time', async () => {
    const accountId = await createPerson(scene)
    const code = await createSignInLink(scene.app.services.db, accountId, 15)
    const attempts = Array.from({ length: 20 }, (_, i) =>
      openTestBrowser(i % 2 ? other : scene.app).call('POST', linkPath, {
        body: { code },
      }),
    )
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, ...Array(19).fill(401)])
    const { rows } =
      await sql`select from session where account_id = ${accountId}`.execute(
        scene.app.services.db,
      )
    expect(rows).toHaveLength(1)
  })

  test('rejects an expired link, an unknown one and one without the header', async () => {
    const { db } = scene.app.services
    const good = await createSignInLink(db, scene.accountId, 15)
    // the last one, because each creation deletes expired ones
    const expired = await createSignInLink(db, scene.accountId, -1)
    const browser = openTestBrowser(scene.app)
    for (const code of [
      expired,
      'unknown',
      '__proto__',
      'constructor',
      '\u0000'.repeat(9),
      good[0]!,
    ])
      expect((await browser.call('POST', linkPath, { body: { code } })).status).toBeOneOf(
        [400, 401],
      )
    expect((await scene.call('POST', linkPath, { body: { code: good } })).status).toBe(
      400,
    )
    const huge = { code: 'a'.repeat(900_000) }
    expect((await browser.call('POST', linkPath, { body: huge })).status).toBe(400)
    expect((await browser.call('POST', linkPath, { body: { code: good } })).status).toBe(
      200,
    )
  })

  test('does not store the code or the cookie', async () => {
    const code = await createSignInLink(scene.app.services.db, scene.accountId, 15)
    const browser = await signIn(scene.app, scene.accountId)
    const value = browser.cookie.split('=')[1]!
    const { rows } = await sql<{ text: string }>`
      select (select string_agg(s::text, '') from session s)
        || (select string_agg(l::text, '') from sign_in_link l) as text`.execute(
      scene.app.services.db,
    )
    expect(rows[0]!.text).not.toContain(value)
    expect(rows[0]!.text).not.toContain(code)
    expect(rows[0]!.text).not.toContain(Buffer.from(value, 'base64url').toString('hex'))
  })
})

describe('rejects', () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await signIn(scene.app, scene.accountId)
  })
  const ask = (headers: Record<string, string>) =>
    scene.call('GET', sessionPath, { headers })

  test('the cookie without the header', async () => {
    expect((await ask({ cookie: browser.cookie })).status).toBe(401)
    expect((await ask({ cookie: browser.cookie, ...sessionHeaders })).status).toBe(200)
  })

  test.each<[string, (cookie: string) => Record<string, string>]>([
    ['the header without a cookie', () => sessionHeaders],
    [
      'an empty cookie',
      (cookie) => ({ ...sessionHeaders, cookie: `${cookie.split('=')[0]}=` }),
    ],
    [
      'another value of the header',
      (cookie) => ({ cookie, 'x-botstead-session': 'true' }),
    ],
    [
      'a token beside the session',
      (cookie) => ({ ...sessionHeaders, cookie, ...bearing('x') }),
    ],
    [
      'a valid token beside the session',
      (cookie) => ({ ...sessionHeaders, cookie, ...bearing(scene.token) }),
    ],
    [
      'a valid token with the header',
      () => ({ ...sessionHeaders, ...bearing(scene.token) }),
    ],
    ['the value as a token', (cookie) => bearing(cookie.split('=')[1]!)],
    ['two cookies', (cookie) => ({ ...sessionHeaders, cookie: `${cookie}; ${cookie}` })],
    [
      'a page of another site',
      (cookie) => ({ ...sessionHeaders, cookie, 'sec-fetch-site': 'cross-site' }),
    ],
    [
      'a page of another port or host of the site',
      (cookie) => ({ ...sessionHeaders, cookie, 'sec-fetch-site': 'same-site' }),
    ],
    [
      'a key of every object',
      (cookie) => ({ ...sessionHeaders, cookie: `${cookie.split('=')[0]}=__proto__` }),
    ],
    [
      'a huge value',
      (cookie) => ({
        ...sessionHeaders,
        cookie: `${cookie.split('=')[0]}=${'a'.repeat(9_000)}`,
      }),
    ],
    ['a value with more', (cookie) => ({ ...sessionHeaders, cookie: `${cookie}a` })],
  ])('%s', async (_, headers) => {
    const reply = await ask(headers(browser.cookie))
    expect(reply).toMatchObject({ status: 401, body: { type: 'Unauthorized' } })
  })

  test('an Idempotency-Key of another request for a second cookie', async () => {
    const code = await createSignInLink(scene.app.services.db, scene.accountId, 15)
    const send = async () => {
      const browser = openTestBrowser(scene.app)
      const headers = { 'idempotency-key': 'sign-in' }
      const { status } = await browser.call('POST', linkPath, { headers, body: { code } })
      return { status, hasCookie: browser.cookie !== '' }
    }
    expect(await send()).toEqual({ status: 200, hasCookie: true })
    expect((await send()).hasCookie).toBe(false)
  })
})

describe('a page of another origin', () => {
  test('gets no preflight for the header, also if its origin is listed', async () => {
    const listed = await openScene({
      config: { corsOrigins: ['https://listed.example'] },
    })
    try {
      for (const url of [sessionPath, `/chat/${listed.webhookId}/users`])
        for (const origin of ['https://listed.example', 'https://foreign.example']) {
          const { headers } = await listed.app.server.inject({
            method: 'OPTIONS',
            url,
            headers: {
              origin,
              'access-control-request-method': 'POST',
              'access-control-request-headers': 'content-type, X-Botstead-Session',
            },
          })
          expect(headers['access-control-allow-headers'] ?? '').not.toMatch(/session/i)
        }
    } finally {
      await listed.close()
    }
  })

  test.skipIf(!chromiumPath)(
    `cannot use the session by a form, fetch or image (${noChromium})`,
    async () => {
      const origin = await scene.listen()
      const pages = createServer((_request, reply) =>
        reply.setHeader('content-type', 'text/html').end('<form></form>'),
      )
      await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
      const foreign = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
      const chromium = await openBrowser()
      try {
        const context = await chromium.newContext()
        const page = await context.newPage()
        const code = await createSignInLink(scene.app.services.db, scene.accountId, 15)
        await page.goto(`${origin}/favicon.svg`)
        const signedIn = await page.evaluate(
          async ([path, code]) => {
            const headers = {
              'content-type': 'application/json',
              'x-botstead-session': '1',
            }
            const reply = await fetch(path!, {
              method: 'POST',
              headers,
              body: JSON.stringify({ code }),
            })
            const mine = await fetch('/v1/platform/session', { headers })
            return [reply.status, mine.status]
          },
          [linkPath, code],
        )
        expect(signedIn).toEqual([200, 200])
        const arrived: { cookie: string | undefined; path: string; status: number }[] = []
        scene.app.server.server.on('request', (request, response) =>
          response.on('finish', () =>
            arrived.push({
              cookie: request.headers.cookie,
              path: request.url!,
              status: response.statusCode,
            }),
          ),
        )
        // the same host with another port: browsers send the cookie
        await page.goto(foreign)
        const tried = await page.evaluate(
          async ([target]) => {
            const sent: Record<string, string>[] = [{}, { 'x-botstead-session': '1' }]
            const tries = sent.map((headers) =>
              fetch(`${target}/v1/platform/sessions`, {
                method: 'DELETE',
                credentials: 'include' as const,
                headers,
              }).then(
                () => 'sent',
                () => 'rejected by the browser',
              ),
            )
            new Image().src = `${target}/v1/platform/session`
            return Promise.all(tries)
          },
          [origin],
        )
        expect(tried).toEqual(['rejected by the browser', 'rejected by the browser'])
        const form = page.locator('form')
        for (const enctype of ['text/plain', 'application/x-www-form-urlencoded']) {
          await page.goto(foreign)
          await form.evaluate(
            (element, [target, enctype]) => {
              const form = element as unknown as Record<string, unknown> & {
                submit(): void
              }
              Object.assign(form, { action: target, method: 'post', enctype })
              form.submit()
            },
            [`${origin}/v1/admin/account/pats`, enctype] as const,
          )
          await page.waitForURL(/account\/pats/)
        }
        const posts = arrived.filter(({ path }) => path === '/v1/admin/account/pats')
        expect(posts.map(({ status }) => status)).toEqual([401, 401])
        expect(posts.every(({ cookie }) => cookie?.includes('botstead-session'))).toBe(
          true,
        )
        expect(arrived.filter(({ status }) => status === 200)).toEqual([])
      } finally {
        await chromium.close()
        pages.close()
      }
    },
    60_000,
  )
})

describe('ends', () => {
  test('at once on every server when the person signs out', async () => {
    const browser = await signIn(scene.app, scene.accountId)
    const elsewhere = openTestBrowser(other)
    expect(await findStatus(elsewhere, browser.cookie)).toBe(200)
    const { cookie } = browser
    expect((await browser.call('DELETE', sessionPath)).status).toBe(200)
    expect(browser.setCookie).toMatch(/=; Path=\/; Max-Age=0;/)
    expect(await findStatus(browser, cookie)).toBe(401)
    await expect.poll(() => findStatus(elsewhere, cookie)).toBe(401)
  })

  test('from another session, one by one or all others', async () => {
    const accountId = await createPerson(scene)
    const [first, second, third] = [
      await signIn(scene.app, accountId),
      await signIn(scene.app, accountId),
      await signIn(scene.app, accountId),
    ]
    const { body } = await first!.call('GET', '/v1/platform/sessions')
    expect(
      body.sessions.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent),
    ).toEqual([false, false, true])
    expect(await findStatus(third!)).toBe(200)
    const path = `/v1/platform/sessions/${body.sessions[0].id}`
    expect((await first!.call('DELETE', path)).status).toBe(200)
    expect(await findStatus(third!)).toBe(401)
    expect((await first!.call('DELETE', path)).status).toBe(404)
    expect((await first!.call('DELETE', '/v1/platform/sessions')).body).toEqual({
      ended: 1,
    })
    expect([await findStatus(first!), await findStatus(second!)]).toEqual([200, 401])
    const page = await first!.call('GET', '/v1/platform/sessions?pageSize=1')
    expect(page.body).toMatchObject({ sessions: [{ isCurrent: true }], meta: {} })
  })

  test('not by another account', async () => {
    const mine = await signIn(scene.app, scene.accountId)
    const stranger = await signIn(scene.app, await createPerson(scene))
    const { session } = (await mine.call('GET', sessionPath)).body
    const path = `/v1/platform/sessions/${session.id}`
    expect((await stranger.call('DELETE', path)).status).toBe(404)
    expect(await findStatus(mine)).toBe(200)
  })

  test('with the deletion of the account', async () => {
    const accountId = await createPerson(scene)
    const browser = await signIn(scene.app, accountId)
    expect(
      (await browser.call('POST', '/v1/admin/account/me', { body: {} })).status,
    ).toBe(200)
    expect(await findStatus(browser)).toBe(401)
  })

  test.each([
    ['without a use', 'expires_at'],
    ['at its maximum age', 'ends_at'],
  ])('%s', async (_, column) => {
    const accountId = await createPerson(scene)
    const browser = await signIn(scene.app, accountId)
    await age(accountId, column, '1 second')
    // The next use computes the expiry again, but not beyond the maximum age.
    await age(accountId, 'last_used_at', '10 minutes')
    if (column === 'ends_at') expect(await findStatus(browser)).toBe(200)
    await age(accountId, 'renewed_at', '1 second')
    expect(await findStatus(browser)).toBe(401)
  })
})

describe('the role counts', () => {
  const invite = { email: 'somebody@example.org', role: 'viewer' }
  test('as it is now', async () => {
    const accountId = await createPerson(scene, 'viewer')
    const browser = await signIn(scene.app, accountId)
    const headers = { 'x-workspace-id': scene.workspaceId }
    const add = () =>
      browser.call('POST', '/v1/admin/workspace-members', { headers, body: invite })
    expect(await add()).toMatchObject({ status: 403 })
    const path = `/v1/admin/workspace-members/${accountId}`
    const role = { headers: scene.admin, body: { role: 'administrator' } }
    expect((await scene.call('PUT', path, role)).status).toBe(200)
    expect(await add()).toMatchObject({ status: 200 })
    expect((await scene.call('DELETE', path, { headers: scene.admin })).status).toBe(200)
    expect(await add()).toMatchObject({ status: 401 })
    expect((await browser.call('GET', sessionPath)).body.workspaces).toEqual([])
  })
})

describe('renewal of the cookie', () => {
  test('gives parallel requests at two servers the same value', async () => {
    const accountId = await createPerson(scene)
    const first = await signIn(scene.app, accountId)
    await age(accountId, 'renewed_at', '11 minutes')
    const browsers = Array.from({ length: 10 }, (_, i) =>
      openTestBrowser(i % 2 ? other : scene.app),
    )
    const statuses = await Promise.all(
      browsers.map((one) => findStatus(one, first.cookie)),
    )
    expect(statuses).toEqual(Array(10).fill(200))
    const cookies = new Set(browsers.map(({ cookie }) => cookie))
    expect(cookies.size).toBe(1)
    expect(cookies).not.toContain(first.cookie)
    expect(await findStatus(browsers[0]!)).toBe(200)
    // no further renewal
    expect(new Set(browsers.map(({ cookie }) => cookie)).size).toBe(1)
  })

  test('repeats the value until the browser uses it', async () => {
    const accountId = await createPerson(scene)
    const browser = await signIn(scene.app, accountId)
    const { cookie } = browser
    await age(accountId, 'renewed_at', '11 minutes')
    await findStatus(browser, cookie)
    const renewed = browser.cookie
    await age(accountId, 'renewed_at', '5 minutes')
    browser.cookie = ''
    expect(await findStatus(browser, cookie)).toBe(200)
    expect(browser.cookie).toBe(renewed)
  })

  test('accepts the previous value a little longer, then ends the session of both', async () => {
    const accountId = await createPerson(scene, 'viewer')
    const browser = await signIn(scene.app, accountId)
    const { cookie } = browser
    await age(accountId, 'renewed_at', '11 minutes')
    await findStatus(browser, cookie)
    const renewed = browser.cookie
    expect(await findStatus(browser)).toBe(200)
    expect(await findStatus(browser, cookie)).toBe(200)
    await age(accountId, 'confirmed_at', '2 minutes')
    expect(await findStatus(browser, cookie)).toBe(401)
    expect(await findStatus(browser, renewed)).toBe(401)
    expect(await listAudit(scene.workspaceId)).toContainEqual(
      expect.objectContaining({ operation: 'session.copied', result: 'refused' }),
    )
  })

  test('does not accept a value that was replaced twice', async () => {
    const accountId = await createPerson(scene)
    const browser = await signIn(scene.app, accountId)
    const { cookie } = browser
    for (let i = 0; i < 2; i++) {
      await age(accountId, 'renewed_at', '11 minutes')
      await findStatus(browser)
      await findStatus(browser)
    }
    const last = browser.cookie
    expect(await findStatus(browser, cookie)).toBe(401)
    expect(await findStatus(browser, last)).toBe(200)
  })
})

describe('the audit log', () => {
  test('has the sign-in, and the session of each change', async () => {
    const browser = await signIn(scene.app, scene.accountId)
    const { session } = (await browser.call('GET', sessionPath)).body
    expect((await listAudit(scene.workspaceId))[0]).toMatchObject({
      operation: 'session.startedBy.link',
      target_id: session.id,
    })
    await browser.call('POST', '/v1/admin/account/pats', {
      body: { note: 'by the session' },
    })
    expect((await listAudit(scene.accountId))[0]).toMatchObject({
      operation: 'admin.createPersonalAccessToken',
      token_id: session.id,
    })
  })
})

describe('without a session', () => {
  test('lists the ways to sign in', async () => {
    expect(await scene.call('GET', '/v1/platform/sign-in')).toEqual({
      status: 200,
      body: {
        hasSession: false,
        session: null,
        password: false,
        openId: null,
        talk: null,
      },
    })
    const browser = await signIn(scene.app, scene.accountId)
    const ways = async () => (await browser.call('GET', '/v1/platform/sign-in')).body
    const session = (await browser.call('GET', sessionPath)).body
    expect(await ways()).toMatchObject({ hasSession: true, session })
    await browser.call('DELETE', sessionPath)
    expect(await ways()).toMatchObject({ hasSession: false, session: null })
  })

  test('a token has no session to end, and can end all', async () => {
    const { headers } = { headers: bearing(scene.token) }
    expect((await scene.call('GET', sessionPath, { headers })).body.session).toBeNull()
    expect((await scene.call('DELETE', sessionPath, { headers })).status).toBe(400)
    const browser = await signIn(scene.app, scene.accountId)
    await scene.call('DELETE', '/v1/platform/sessions', { headers })
    expect(await findStatus(browser)).toBe(401)
  })
})

test('a public URL with https gives the cookie its prefix', async () => {
  const secure = await openScene({ config: { publicUrl: 'https://bots.example.org' } })
  try {
    const browser = await signIn(secure.app, secure.accountId)
    expect(browser.setCookie).toMatch(
      /^__Host-botstead-session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/,
    )
    expect(await findStatus(browser)).toBe(200)
  } finally {
    await secure.close()
  }
})
