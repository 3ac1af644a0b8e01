// Passwords and second factors: limits of guesses, and codes that work once.
import { createHmac } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  createPerson,
  floodSignIns,
  openTestBrowser,
  signIn,
  type TestBrowser,
} from '../../../test/support/sign-in.ts'
import { toCode } from './credentials/one-time-codes.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
}, 60_000)
afterAll(() => scene?.close())

const good = 'correct horse battery staple'
const signInPath = '/v1/platform/sign-in/password'
const passwordPath = '/v1/platform/password'
const factorPath = '/v1/platform/second-factor'

let addresses = 0
/** A browser in a separate network. */
const openBrowser = () => openTestBrowser(scene.app, `192.0.2.${++addresses}`)

const toEmail = (accountId: string) => `${accountId}@example.org`
const enter = (
  accountId: string,
  password: string,
  code?: string,
  browser = openBrowser(),
) =>
  browser.call('POST', signInPath, {
    body: { email: toEmail(accountId), password, ...(code !== undefined && { code }) },
  })

async function createWithPassword(
  role = 'viewer',
): Promise<{ id: string; browser: TestBrowser }> {
  const id = await createPerson(scene, role)
  const browser = await signIn(scene.app, id)
  const { status } = await browser.call('PUT', passwordPath, { body: { password: good } })
  expect(status).toBe(200)
  return { id, browser }
}

/** Lets the locks end, and makes the session old enough to need a password. */
const pass = (interval: string) =>
  sql`update sign_in_attempt set locked_until = locked_until - ${interval}::interval`.execute(
    scene.app.services.db,
  )

describe('a password', { timeout: 90_000 }, () => {
  test('signs in, in any normalization and case of the address', async () => {
    const id = await createPerson(scene, 'viewer')
    const browser = await signIn(scene.app, id)
    await browser.call('PUT', passwordPath, { body: { password: 'pässword-pässword' } })
    const reply = await openBrowser().call('POST', signInPath, {
      body: {
        email: toEmail(id).toUpperCase(),
        password: 'pa\u0308ssword-pa\u0308ssword',
      },
    })
    expect(reply).toEqual({ status: 200, body: { needsCode: false } })
    expect((await scene.call('GET', '/v1/platform/sign-in')).body.password).toBe(true)
  })

  test('is stored by scrypt alone', async () => {
    const { id } = await createWithPassword()
    const { rows } = await sql<{ hash: string }>`
      select hash from account_password where account_id = ${id}`.execute(
      scene.app.services.db,
    )
    expect(rows[0]!.hash).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[\w+/]{22}==\$[\w+/]{43}=$/)
  })

  test.each(['short', 'a'.repeat(201), 12, '', ['a'], { __proto__: null }])(
    'cannot be %j',
    async (password) => {
      const browser = await signIn(scene.app, await createPerson(scene))
      expect(
        (await browser.call('PUT', passwordPath, { body: { password } })).status,
      ).toBe(400)
    },
  )

  test.each([
    'password1234',
    'P@ssw0rd1234',
    'qwertyuiopas',
    '123456789012',
    'aaaaaaaaaaaa',
    '1qaz2wsx3edc',
    'iloveyou1234',
    'passwordpassword',
    'botsteadbotstead',
    'drowssap4321',
    'ｐａｓｓｗｏｒｄ１２３４',
    'pass\u200bword1234',
    'abcdefghijklm',
    'Administrator1',
    'address',
    'name',
  ])('is rejected if it is easy to guess: %j', async (easy) => {
    const id = await createPerson(scene)
    const browser = await signIn(scene.app, id)
    const body = { displayName: 'Zebulon Quackenbush' }
    await browser.call('PUT', '/v1/admin/account/me', { body })
    const own = { address: toEmail(id), name: 'zebulonquackenbush' }
    const password = Object.hasOwn(own, easy) ? own[easy as 'name'] : easy
    const { status, body: answer } = await browser.call('PUT', passwordPath, {
      body: { password },
    })
    expect({ status, type: answer.type }).toEqual({ status: 400, type: 'InvalidPayload' })
    expect(answer.message).toContain('easy to guess')
  })

  test.each([
    '@4(3!1|0$57%2'.repeat(15),
    '1'.repeat(100) + 'l'.repeat(100),
    'p4$$w0rd'.repeat(25),
  ])('that takes long to check delays no other request: %j', async (password) => {
    const browser = await signIn(scene.app, await createPerson(scene))
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const { status } = await browser.call('PUT', passwordPath, { body: { password } })
    delay.disable()
    expect(status).toBeOneOf([200, 400])
    // Without the worker thread, the last one alone takes a second.
    expect(delay.max / 1e6).toBeLessThan(400)
  })

  test('ends all other sessions when it changes', async () => {
    const { id, browser } = await createWithPassword()
    const other = openBrowser()
    await enter(id, good, undefined, other)
    const body = { password: `${good}!`, currentPassword: good }
    expect((await browser.call('PUT', passwordPath, { body })).status).toBe(200)
    expect((await other.call('GET', '/v1/platform/session')).status).toBe(401)
    expect((await browser.call('GET', '/v1/platform/session')).status).toBe(200)
    expect((await enter(id, good)).status).toBe(401)
  })

  test('changes only with the current one, but also in a new session of a link', async () => {
    const { id, browser } = await createWithPassword()
    const byPassword = openBrowser()
    await enter(id, good, undefined, byPassword)
    const change = (of: TestBrowser, currentPassword?: string) =>
      of.call('PUT', passwordPath, { body: { password: `${good}?`, currentPassword } })
    expect(await change(byPassword)).toMatchObject({ status: 403 })
    expect(await change(byPassword, 'wrong')).toMatchObject({ status: 403 })
    await sql`update session set created_at = now() - interval '16 minutes'
      where account_id = ${id} and method = 'link'`.execute(scene.app.services.db)
    expect(await change(browser)).toMatchObject({ status: 403 })
    expect(await change(byPassword, good)).toMatchObject({ status: 200 })
    const byLink = await signIn(scene.app, id)
    expect(await change(byLink, 'wrong')).toMatchObject({ status: 403 })
    expect(await change(byLink)).toMatchObject({ status: 200 })
  })

  test('is removed with the current one', async () => {
    const { id, browser } = await createWithPassword()
    const remove = { body: { password: null } }
    expect((await browser.call('PUT', passwordPath, remove)).status).toBe(200)
    expect((await enter(id, good)).status).toBe(401)
    const { body } = await browser.call('GET', '/v1/platform/security')
    expect(body.hasPassword).toBe(false)
  })

  test('needs the header of sessions, and takes no huge or strange values', async () => {
    const { id } = await createWithPassword()
    const body = { email: toEmail(id), password: good }
    expect((await scene.call('POST', signInPath, { body })).status).toBe(400)
    for (const email of ['a'.repeat(255), 12, null])
      expect(
        (await openBrowser().call('POST', signInPath, { body: { ...body, email } }))
          .status,
      ).toBe(400)
    for (const email of ['__proto__', 'constructor', "' or 1=1 --", '%', ''])
      expect(
        (await openBrowser().call('POST', signInPath, { body: { ...body, email } }))
          .status,
      ).toBe(401)
  })

  test('takes as long for an unknown account', async () => {
    const { id } = await createWithPassword()
    const measureMs = async (email: string) => {
      const began = performance.now()
      await openBrowser().call('POST', signInPath, { body: { email, password: 'wrong' } })
      return performance.now() - began
    }
    const times = { known: [] as number[], unknown: [] as number[] }
    for (let i = 0; i < 4; i++) {
      times.known.push(await measureMs(toEmail(id)))
      times.unknown.push(await measureMs(`nobody-${i}@example.org`))
    }
    const ratio = Math.min(...times.known) / Math.min(...times.unknown)
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  })

  test('is not checked for more people at once than the memory allows', async () => {
    const people = Array.from({ length: 60 }, (_, i) => `flood-${i}@example.org`)
    const began = process.memoryUsage().rss
    let peak = began
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5)
    const replies = await Promise.all(
      people.map((email) =>
        openBrowser().call('POST', signInPath, { body: { email, password: good } }),
      ),
    )
    clearInterval(watch)
    const statuses = replies.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([401, 503]))
    expect(statuses.filter((status) => status === 401).length).toBe(
      20 + Math.max(1, Math.min(2, availableParallelism() - 1)),
    )
    expect(peak - began).toBeLessThan(600 * 2 ** 20)
  })
})

describe('many sign-ins at once', { timeout: 90_000 }, () => {
  test('with one valid password reject no other account', async () => {
    const { id } = await createWithPassword()
    const people = []
    for (let i = 0; i < 4; i++) people.push((await createWithPassword()).id)
    const attacker = openBrowser()
    const end = floodSignIns(30, () => enter(id, good, undefined, attacker))
    const others = []
    for (const person of people) others.push((await enter(person, good)).status)
    expect(others).toEqual(people.map(() => 200))
    const counts = await end()
    expect([...counts.keys()].sort()).toEqual([200, 429])
  })

  test('with many addresses of one network reject no other account', async () => {
    const people = []
    for (let i = 0; i < 4; i++) people.push((await createWithPassword()).id)
    const attacker = openBrowser()
    let i = 0
    const end = floodSignIns(60, () =>
      attacker.call('POST', signInPath, {
        body: { email: `crowd-${i++}@example.org`, password: good },
      }),
    )
    const others = await Promise.all(people.map((person) => enter(person, good)))
    expect(others.map(({ status }) => status)).toEqual(people.map(() => 200))
    expect((await end()).get(503)).toBeGreaterThan(0)
  })

  test('let other people of the same network sign in', async () => {
    const { id } = await createWithPassword()
    const people = []
    for (let i = 0; i < 4; i++) people.push((await createWithPassword()).id)
    const office = openBrowser()
    const flooding = Array.from({ length: 40 }, () => enter(id, good, undefined, office))
    const others = await Promise.all(
      people.map((one) => enter(one, good, undefined, office)),
    )
    expect(others.map(({ status }) => status)).toEqual(people.map(() => 200))
    const replies = await Promise.all(flooding)
    expect(replies.filter(({ status }) => status === 200).length).toBe(2)
    expect(replies.filter(({ status }) => status === 429).length).toBe(38)
  })

  test('keep no links and sessions waiting', async () => {
    const { id } = await createWithPassword()
    const { id: other } = await createWithPassword()
    const office = openBrowser()
    const end = floodSignIns(30, () => enter(id, good, undefined, office))
    const browser = await signIn(scene.app, other)
    expect((await browser.call('GET', '/v1/platform/security')).status).toBe(200)
    await end()
  })

  test('leave connections to others while they wait for one row', async () => {
    const chat = `/chat/${scene.webhookId}`
    const { headers } = await scene.chatUser()
    const { conversation } = (
      await scene.call('POST', `${chat}/conversations`, { headers, body: {} })
    ).body
    const office = openBrowser()
    const guess = (name: string) =>
      office.call('POST', signInPath, {
        body: { email: `${name}@example.org`, password: good },
      })
    await guess('first')
    const client = new pg.Client(scene.connection)
    await client.connect()
    await client.query('begin')
    await client.query('select from sign_in_attempt for update')
    const guesses = Array.from({ length: 40 }, (_, i) => guess(`guess-${i}`))
    try {
      await vi.waitUntil(async () => {
        const { rows } = await client.query(
          "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        )
        return rows.length > 0
      })
      const body = {
        conversationId: conversation.id,
        payload: { type: 'text', text: 'Hello' },
      }
      const message = scene.call('POST', `${chat}/messages`, { headers, body })
      expect(await Promise.race([message, pause(5_000)])).toMatchObject({ status: 201 })
    } finally {
      await client.query('rollback')
      await client.end()
      await Promise.all(guesses)
    }
  })
})

describe('guessing', { timeout: 90_000 }, () => {
  test('locks the account with growing delays, also against parallel guesses', async () => {
    const { id } = await createWithPassword()
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => enter(id, 'wrong')),
    )
    for (let i = 0; i < 10; i++) guesses.push(await enter(id, 'wrong'))
    const statuses = guesses.map(({ status }) => status)
    expect(statuses.slice(0, 12).filter((status) => status === 401)).toHaveLength(2)
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(17)
    const locked = await scene.app.server.inject({
      method: 'POST',
      url: signInPath,
      remoteAddress: '198.51.100.7',
      headers: { 'x-botstead-session': '1' },
      payload: { email: toEmail(id), password: good },
    })
    expect(locked.statusCode).toBe(429)
    expect(locked.json()).toMatchObject({ type: 'RateLimited' })
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(locked.headers['retry-after'])).toBeLessThanOrEqual(15)
    const delays = []
    for (let i = 0; i < 3; i++) {
      await pass('1 day')
      expect((await enter(id, 'wrong')).status).toBe(401)
      const { rows } = await sql<{ seconds: number }>`
        select round(extract(epoch from locked_until - last_at))::int as seconds
        from sign_in_attempt where subject like 'account %' order by last_at desc limit 1`.execute(
        scene.app.services.db,
      )
      delays.push(rows[0]!.seconds)
    }
    expect(delays).toEqual([30, 60, 120])
    expect((await signIn(scene.app, id)).cookie).not.toBe('')
    await pass('1 day')
    expect((await enter(id, good)).status).toBe(200)
    expect((await enter(id, 'wrong')).status).toBe(401)
  })

  test('locks the network, which then cannot lock further accounts', async () => {
    const browser = openBrowser()
    const tryOne = (email: string) =>
      browser.call('POST', signInPath, { body: { email, password: 'wrong' } })
    const statuses = []
    for (let i = 0; i < 22; i++)
      statuses.push((await tryOne(`guess-${i}@example.org`)).status)
    expect(statuses).toEqual([...Array(20).fill(401), 429, 429])
    const { id } = await createWithPassword()
    for (let i = 0; i < 8; i++) expect((await tryOne(toEmail(id))).status).toBe(429)
    expect((await enter(id, good)).status).toBe(200)
  })

  test('with an Idempotency-Key counts as well', async () => {
    const { id } = await createWithPassword()
    const statuses = []
    for (let i = 0; i < 7; i++) {
      const browser = openBrowser()
      const headers = { 'idempotency-key': `guess-${i}` }
      const body = { email: toEmail(id), password: 'wrong' }
      statuses.push((await browser.call('POST', signInPath, { headers, body })).status)
    }
    expect(statuses).toEqual([...Array(5).fill(401), 429, 429])
  })

  test('is in the audit log', async () => {
    const { id } = await createWithPassword()
    await enter(id, 'wrong')
    await expect
      .poll(async () => {
        const { rows } = await sql<{ ip: string }>`
          select ip from audit_record where operation = 'session.failed' and target_id = ${id}
            and chain = ${scene.workspaceId} and result = 'refused'`.execute(
          scene.app.services.db,
        )
        return rows.map(({ ip }) => ip)
      })
      .toEqual([`192.0.2.${addresses}`])
  })
})

describe('a second factor', { timeout: 90_000 }, () => {
  const now = () => Math.floor(Date.now() / 30_000)
  const fromBase32 = (text: string) => {
    const bits = [...text]
      .map((letter) =>
        'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
      )
      .join('')
    return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
  }

  async function createWithFactor() {
    const { id, browser } = await createWithPassword()
    const { body } = await browser.call('POST', factorPath, { body: {} })
    const secret = fromBase32(body.secret)
    const confirmed = await browser.call('POST', `${factorPath}/confirm`, {
      body: { code: toCode(secret, now() - 1) },
    })
    return {
      id,
      browser,
      secret,
      codes: confirmed.body.recoveryCodes as string[],
      url: body.url,
    }
  }

  test('is required with the password, and each code works once', async () => {
    const { id, secret, codes, url } = await createWithFactor()
    expect(url).toMatch(/^otpauth:\/\/totp\/Botstead:/)
    expect(new Set(codes).size).toBe(10)
    expect(await enter(id, good)).toEqual({ status: 200, body: { needsCode: true } })
    const incomplete = openBrowser()
    await enter(id, good, undefined, incomplete)
    expect(incomplete.cookie).toBe('')
    const code = toCode(secret, now())
    expect((await enter(id, good, code)).body).toEqual({ needsCode: false })
    expect((await enter(id, good, code)).status).toBe(401)
    expect((await enter(id, good, toCode(secret, now() - 1))).status).toBe(401)
  })

  test('accepts a code once also in parallel', async () => {
    const { id, secret } = await createWithFactor()
    const code = toCode(secret, now())
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => enter(id, good, code)),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('takes each recovery code once, in any case and with spaces', async () => {
    const { id, codes, browser } = await createWithFactor()
    const code = codes[0]!
    expect((await enter(id, good, code.toLowerCase().replaceAll('-', ' '))).status).toBe(
      200,
    )
    expect((await enter(id, good, code)).status).toBe(401)
    const { body } = await browser.call('GET', '/v1/platform/security')
    expect(body.secondFactor).toEqual({ isEnabled: true, recoveryCodesLeft: 9 })
    const replaced = await browser.call('POST', `${factorPath}/recovery-codes`, {
      body: { code: codes[1] },
    })
    expect(replaced.body.recoveryCodes).toHaveLength(10)
    expect((await enter(id, good, codes[2])).status).toBe(401)
    expect((await enter(id, good, replaced.body.recoveryCodes[0])).status).toBe(200)
  })

  test('guesses of codes lock the account, also with the right password in between', async () => {
    const { id } = await createWithFactor()
    const statuses = []
    for (let i = 0; i < 7; i++) {
      statuses.push((await enter(id, good, '000000')).status)
      await enter(id, good)
    }
    expect(statuses).toEqual([...Array(5).fill(401), 429, 429])
  })

  test('is removed only with a code', async () => {
    const { id, browser, codes } = await createWithFactor()
    const remove = (code: string) =>
      browser.call('POST', `${factorPath}/remove`, { body: { code } })
    expect((await browser.call('POST', factorPath, { body: {} })).status).toBe(409)
    expect((await remove('000000')).status).toBe(403)
    expect((await enter(id, good)).body.needsCode).toBe(true)
    expect((await remove(codes[0]!)).status).toBe(200)
    expect((await enter(id, good)).body).toEqual({ needsCode: false })
  })

  test('does not count before its confirmation', async () => {
    const { id, browser } = await createWithPassword()
    const { body } = await browser.call('POST', factorPath, { body: {} })
    expect((await enter(id, good)).body).toEqual({ needsCode: false })
    const confirm = (code: string) =>
      browser.call('POST', `${factorPath}/confirm`, { body: { code } })
    expect((await confirm('123456')).status).toBe(403)
    const again = await browser.call('POST', factorPath, { body: {} })
    expect((await confirm(toCode(fromBase32(body.secret), now()))).status).toBe(403)
    expect((await confirm(toCode(fromBase32(again.body.secret), now()))).status).toBe(200)
  })

  test('is stored encrypted, and its recovery codes as hashes', async () => {
    const { id, secret, codes } = await createWithFactor()
    const { rows } = await sql<{ text: string }>`
      select (select t::text from account_totp t where account_id = ${id})
        || (select string_agg(c::text, '') from recovery_code c where account_id = ${id}) as text
    `.execute(scene.app.services.db)
    const text = rows[0]!.text.toLowerCase()
    expect(text).not.toContain(secret.toString('hex'))
    expect(text).not.toContain(Buffer.from(codes[0]!).toString('hex'))
    const weak = createHmac('sha256', '').update(codes[0]!).digest('hex')
    expect(text).not.toContain(weak)
  })
})
