// Signing in at a real OpenID Connect provider: the accounts that it opens, and rejected responses.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type OpenIdProvider,
  openProvider,
  type ProviderPerson,
  visitProvider,
} from '../../../test/support/open-id-provider.ts'
import { openScene, type Scene, type SceneOptions } from '../../../test/support/scene.ts'
import {
  createPerson,
  floodSignIns,
  openTestBrowser,
  sessionHeaders,
} from '../../../test/support/sign-in.ts'
import { readConfig } from '../../core/config/config.ts'

let provider: OpenIdProvider
let scene: Scene
/** Groups have roles here. */
let mapped: Scene
const publicUrl = 'http://bots.example.org'
beforeAll(async () => {
  provider = await openProvider()
  provider.permit(`${publicUrl}/sign-in`)
  const { issuer, clientId, clientSecret } = provider
  const open = (more: NodeJS.ProcessEnv): Promise<Scene> => {
    const { openId } = readConfig({
      BOTSTEAD_OIDC_ISSUER: issuer,
      BOTSTEAD_OIDC_CLIENT_ID: clientId,
      BOTSTEAD_OIDC_CLIENT_SECRET: clientSecret,
      BOTSTEAD_OIDC_NAME: 'Our provider',
      ...more,
    })
    const config: SceneOptions['config'] = { publicUrl, openId }
    return openScene({ config })
  }
  scene = await open({})
  mapped = await open({
    BOTSTEAD_OIDC_ROLES:
      'admins=administrator, staff=viewer, support=agent, writers=editor',
  })
}, 60_000)
afterAll(async () => {
  await scene?.close()
  await mapped?.close()
  await provider?.close()
})

const startPath = '/v1/platform/sign-in/open-id'

interface Started {
  url: string
  cookie: string
}
async function start({ app }: Scene): Promise<Started> {
  const reply = await app.server.inject({
    method: 'POST',
    url: startPath,
    headers: sessionHeaders,
    payload: {},
  })
  expect(reply.statusCode).toBe(200)
  const set = String(reply.headers['set-cookie'])
  expect(set).toMatch(/; Path=\/; Max-Age=600; HttpOnly; SameSite=Strict$/)
  return { url: reply.json().url, cookie: set.split(';')[0]! }
}

async function finish({ app }: Scene, query: string, cookie: string) {
  const reply = await app.server.inject({
    method: 'POST',
    url: `${startPath}/response`,
    payload: { query },
    headers: { ...sessionHeaders, ...(cookie && { cookie }) },
  })
  const set = [reply.headers['set-cookie'] ?? []].flat()
  const session = set.find((text) => text.startsWith('botstead-session'))?.split(';')[0]
  return { status: reply.statusCode, session, message: reply.json().message as string }
}

async function signIn(where: Scene, name: string, person?: ProviderPerson) {
  if (person) provider.people[name] = person
  const { url, cookie } = await start(where)
  return finish(where, await visitProvider(url, name), cookie)
}

async function findSession(where: Scene, cookie: string | undefined) {
  const headers = { ...sessionHeaders, cookie: cookie ?? '' }
  return (await where.call('GET', '/v1/platform/session', { headers })).body
}

const verified = (email: string, more: ProviderPerson = {}) => ({
  email,
  email_verified: true,
  ...more,
})

test('is listed with its name', async () => {
  expect((await scene.call('GET', '/v1/platform/sign-in')).body.openId).toEqual({
    name: 'Our provider',
  })
})

test('works while a flood of passwords fills the queue of hashes', {
  timeout: 60_000,
}, async () => {
  const accountId = await createPerson(scene, 'viewer')
  let i = 0
  const end = floodSignIns(60, () =>
    openTestBrowser(scene.app, `198.51.100.${i % 250}`).call(
      'POST',
      '/v1/platform/sign-in/password',
      {
        body: {
          email: `crowd-${i++}@example.org`,
          password: 'correct horse battery staple',
        },
      },
    ),
  )
  const replies = []
  for (let n = 0; n < 4; n++)
    replies.push(await signIn(scene, 'flood', verified(`${accountId}@example.org`)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  // The queue was full meanwhile.
  expect((await end()).get(503)).toBeGreaterThan(0)
})

describe('an existing account', () => {
  test('is found by the verified address, and then by the subject', async () => {
    const accountId = await createPerson(scene, 'viewer')
    const first = await signIn(scene, 'ada', verified(`${accountId}@EXAMPLE.org`))
    expect(first.status).toBe(200)
    const session = await findSession(scene, first.session)
    expect(session).toMatchObject({
      account: { id: accountId },
      session: { method: 'openId' },
    })
    const renamed = await signIn(scene, 'ada', verified('ada@elsewhere.example'))
    expect((await findSession(scene, renamed.session)).account.id).toBe(accountId)
    const unverified = await signIn(scene, 'ada', { email: 'ada@elsewhere.example' })
    expect((await findSession(scene, unverified.session)).account.id).toBe(accountId)
  })

  test.each<[string, (email: string) => ProviderPerson]>([
    ['unverified', (email) => ({ email, email_verified: false })],
    ['not known to be verified', (email) => ({ email })],
    ['missing', () => ({ email_verified: true })],
  ])('is not opened by an address that is %s', async (how, person) => {
    const email = `${await createPerson(scene)}@example.org`
    const { status, session } = await signIn(scene, `mallory ${how}`, person(email))
    expect([status, session]).toEqual([403, undefined])
  })

  test('is not opened by another subject with the same address', async () => {
    const email = `${await createPerson(scene)}@example.org`
    expect((await signIn(scene, 'first holder', verified(email))).status).toBe(200)
    expect((await signIn(scene, 'second holder', verified(email))).status).toBe(403)
  })
})

test('an unknown person gets no account without a mapping of groups', async () => {
  const person = verified('unknown@example.org', { groups: ['admins'] })
  expect((await signIn(scene, 'unknown', person)).status).toBe(403)
})

describe('groups', () => {
  const signInForRole = async (name: string, groups: unknown) => {
    const person = verified(`${name}@example.org`, { groups, name: 'Grace' })
    const { status, session } = await signIn(mapped, name, person)
    return status === 200
      ? (await findSession(mapped, session)).workspaces[0].role
      : status
  }

  test('give a new account its role, and change it at the next sign-in', async () => {
    expect(await signInForRole('grace', ['other', 'staff'])).toBe('viewer')
    expect(await signInForRole('grace', ['staff', 'admins'])).toBe('administrator')
    expect(await signInForRole('grace', 'staff')).toBe('viewer')
  })

  test('give the roles of agents and editors', async () => {
    expect(await signInForRole('helen', ['support'])).toBe('agent')
    expect(await signInForRole('helen', ['writers'])).toBe('editor')
  })

  test.each([
    [['other']],
    [[]],
    [{ admins: true }],
    [null],
    [[['admins']]],
    ['__proto__'],
  ])('%j give nothing', async (groups) => {
    expect(await signInForRole('nobody', groups)).toBe(403)
  })

  test('do not take the role of the last owner', async () => {
    const { rows } = await sql<{ email: string }>`
      update account set email = 'owner@example.org' where id = ${mapped.accountId}
      returning email`.execute(mapped.app.services.db)
    expect(rows).toHaveLength(1)
    expect(await signInForRole('owner', ['staff'])).toBe('owner')
  })
})

describe('rejects', () => {
  test('a response that another browser started', async () => {
    const email = `${await createPerson(scene)}@example.org`
    provider.people.victim = verified(email)
    const mine = await start(scene)
    const theirs = await start(scene)
    const query = await visitProvider(mine.url, 'victim')
    expect((await finish(scene, query, theirs.cookie)).status).toBe(401)
    expect((await finish(scene, query, '')).status).toBe(401)
    expect((await finish(scene, query, mine.cookie)).status).toBe(200)
  })

  test('a response that was used', async () => {
    const email = `${await createPerson(scene)}@example.org`
    provider.people.twice = verified(email)
    const { url, cookie } = await start(scene)
    const query = await visitProvider(url, 'twice')
    expect((await finish(scene, query, cookie)).status).toBe(200)
    expect((await finish(scene, query, cookie)).status).toBe(401)
  })

  test.each([
    '',
    '?error=access_denied',
    '?code=a&state=b',
    '?code=%00',
    '#',
    '?'.repeat(8_000),
  ])('the query %j', async (query) => {
    const { cookie } = await start(scene)
    expect((await finish(scene, query.slice(0, 8_000), cookie)).status).toBeOneOf([
      400, 401,
    ])
  })

  test('a changed cookie, and one of another installation', async () => {
    const { cookie } = await start(scene)
    const foreign = await start(mapped)
    for (const wrong of [
      `${cookie.slice(0, -2)}AA`,
      cookie.split('.')[0]!.slice(0, 40),
      foreign.cookie,
    ])
      expect((await finish(scene, '?code=a&state=b', wrong)).status).toBe(401)
  })

  test('a start without the header, and without a configured provider', async () => {
    expect((await scene.call('POST', startPath, { body: {} })).status).toBe(400)
    const plain = await openScene()
    try {
      const headers = sessionHeaders
      expect((await plain.call('POST', startPath, { headers, body: {} })).status).toBe(
        404,
      )
    } finally {
      await plain.close()
    }
  })

  test('with 503 while the provider cannot be reached', async () => {
    const { openId } = readConfig({
      BOTSTEAD_OIDC_ISSUER: 'http://127.0.0.1:9',
      BOTSTEAD_OIDC_CLIENT_ID: 'a',
    })
    const alone = await openScene({ config: { openId } })
    try {
      const headers = sessionHeaders
      const reply = await alone.call('POST', startPath, { headers, body: {} })
      expect(reply).toMatchObject({ status: 503, body: { type: 'Unavailable' } })
    } finally {
      await alone.close()
    }
  })
})

test.each([
  [
    { BOTSTEAD_OIDC_ISSUER: 'http://idp.example.org', BOTSTEAD_OIDC_CLIENT_ID: 'a' },
    /https/,
  ],
  [{ BOTSTEAD_OIDC_ISSUER: 'https://idp.example.org' }, /BOTSTEAD_OIDC_CLIENT_ID/],
  [
    {
      BOTSTEAD_OIDC_ISSUER: 'https://idp.example.org',
      BOTSTEAD_OIDC_CLIENT_ID: 'a',
      BOTSTEAD_OIDC_ROLES: 'staff=king',
    },
    /BOTSTEAD_OIDC_ROLES/,
  ],
])('a start fails with the settings %j', (env, message) => {
  expect(() => readConfig(env)).toThrow(message)
})
