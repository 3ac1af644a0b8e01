// Addresses of accounts are claimed until a provider or the operator proves them. A person who proves
// an address gets nothing that a stranger prepared, and the stranger gets no role of that person.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type OpenIdProvider,
  openProvider,
  visitProvider,
} from '../../../test/support/open-id-provider.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  createPerson,
  openTestBrowser,
  signIn,
  type TestBrowser,
} from '../../../test/support/sign-in.ts'
import { bearing, type Headers } from '../../../test/support/tenants.ts'
import { findAccount } from '../../core/accounts/accounts.ts'
import { isOwnedWithFirst } from '../../core/accounts/workspaces.ts'
import { readConfig } from '../../core/config/config.ts'
import { proveAddress } from './proofs.ts'
import { createSignInLink } from './sign-in-links.ts'

let provider: OpenIdProvider
let scene: Scene
const publicUrl = 'http://bots.example.org'
beforeAll(async () => {
  provider = await openProvider()
  provider.permit(`${publicUrl}/sign-in`)
  const { openId } = readConfig({
    BOTSTEAD_OIDC_ISSUER: provider.issuer,
    BOTSTEAD_OIDC_CLIENT_ID: provider.clientId,
    BOTSTEAD_OIDC_CLIENT_SECRET: provider.clientSecret,
    BOTSTEAD_OIDC_ROLES: 'owners=owner, admins=administrator, staff=viewer',
  })
  scene = await openScene({ config: { publicUrl, openId } })
}, 60_000)
afterAll(async () => {
  await scene?.close()
  await provider?.close()
})

const members = '/v1/admin/workspace-members'
const openIdPath = '/v1/platform/sign-in/open-id'
const strangersPassword = 'the password of a stranger'
const newAddress = () => `ceo-${randomUUID()}@corp.test`

const add = (headers: Headers, email: string, role: string) =>
  scene.call('POST', members, { headers, body: { email, role } })
const signInWithPassword = (
  email: string,
  password: string,
  browser = openTestBrowser(scene.app),
) => browser.call('POST', '/v1/platform/sign-in/password', { body: { email, password } })

/** Signs in at the provider as the person with this address. */
async function signInAtProvider(email: string, groups: string[], subject = email) {
  provider.people[subject] = { email, email_verified: true, groups }
  const browser = openTestBrowser(scene.app)
  const started = await startAtProvider()
  const query = await visitProvider(started.url, subject)
  const reply = await scene.app.server.inject({
    method: 'POST',
    url: `${openIdPath}/response`,
    payload: { query },
    headers: { 'x-botstead-session': '1', cookie: started.cookie },
  })
  expect(reply.statusCode, reply.body).toBe(200)
  const set = [reply.headers['set-cookie'] ?? []].flat()
  browser.cookie = set.find((text) => text.startsWith('botstead-session'))!.split(';')[0]!
  return browser
}

async function startAtProvider() {
  const reply = await scene.app.server.inject({
    method: 'POST',
    url: openIdPath,
    payload: {},
    headers: { 'x-botstead-session': '1' },
  })
  return {
    url: reply.json().url,
    cookie: String(reply.headers['set-cookie']).split(';')[0]!,
  }
}

const findSession = async (browser: TestBrowser) =>
  (await browser.call('GET', '/v1/platform/session')).body

interface Stranger {
  email: string
  accountId: string
  /** Of the stranger's own workspace. */
  headers: Headers
  workspaceId: string
  browser: TestBrowser | null
  token: string
}

/** A workspace of a stranger, and the headers of its owner. */
async function openStrangersWorkspace(): Promise<Headers & { 'x-workspace-id': string }> {
  const browser = await signIn(scene.app, await createPerson(scene))
  const { body: workspace } = await browser.call('POST', '/v1/admin/workspaces', {
    body: { name: 'Strange' },
  })
  const { body } = await browser.call('POST', '/v1/admin/account/pats', {
    body: { note: '' },
  })
  return { ...bearing(body.pat.value), 'x-workspace-id': workspace.id }
}

/** Claims an address with an invitation link, a password, a token and a second workspace. */
async function claimByInvitation(email = newAddress()): Promise<Stranger> {
  const headers = await openStrangersWorkspace()
  const { body } = await scene.call('POST', '/v1/platform/invitations', {
    headers,
    body: { email, role: 'owner' },
  })
  const code = new URL(body.url).hash.replace('#code=', '')
  const browser = openTestBrowser(scene.app)
  const accepted = await browser.call('POST', '/v1/platform/sign-in/invitation', {
    body: { code, displayName: 'The boss', password: strangersPassword },
  })
  expect(accepted.status).toBe(200)
  const made = await browser.call('POST', '/v1/admin/account/pats', {
    body: { note: 'trojan' },
  })
  const accountId = (await findSession(browser)).account.id
  const token = made.body.pat.value
  return {
    email,
    accountId,
    headers,
    workspaceId: headers['x-workspace-id'],
    browser,
    token,
  }
}

/** Claims an address with the first token of a new member. */
async function claimByFirstToken(email = newAddress()): Promise<Stranger> {
  const headers = await openStrangersWorkspace()
  const { id } = (await add(headers, email, 'owner')).body
  const made = await scene.call('POST', `/v1/platform/members/${id}/token`, {
    headers,
    body: {},
  })
  expect(made.status).toBe(200)
  const token = made.body.pat.value
  const workspaceId = headers['x-workspace-id']
  return { email, accountId: id, headers, workspaceId, browser: null, token }
}

const claims = [
  ['an invitation', claimByInvitation],
  ['a first token', claimByFirstToken],
] as const

async function expectNothingLeft({ email, browser, token }: Stranger) {
  expect(
    (await scene.call('GET', '/v1/platform/session', { headers: bearing(token) })).status,
  ).toBe(401)
  if (browser)
    expect((await browser.call('GET', '/v1/platform/session')).status).toBe(401)
  expect((await signInWithPassword(email, strangersPassword)).status).toBe(401)
}

describe.each(claims)('an address claimed by %s', (_, claim) => {
  test('is not verified', async () => {
    const { token } = await claim()
    const { body } = await scene.call('GET', '/v1/platform/session', {
      headers: bearing(token),
    })
    expect(body.account.emailVerified).toBe(false)
    const account = await scene.call('GET', '/v1/admin/account/me', {
      headers: bearing(token),
    })
    expect(account.body.account.emailVerified).toBe(false)
  })

  test("leaves its holder nothing when the provider proves it: the role is that person's", async () => {
    const stranger = await claim()
    const person = await signInAtProvider(stranger.email, ['admins'])
    const { account, workspaces } = await findSession(person)
    expect(account).toMatchObject({ email: stranger.email, emailVerified: true })
    expect(workspaces).toContainEqual(
      expect.objectContaining({ id: scene.workspaceId, role: 'administrator' }),
    )
    await expectNothingLeft(stranger)
    const security = await person.call('GET', '/v1/platform/security')
    expect(security.body).toEqual({
      hasPassword: false,
      secondFactor: { isEnabled: false, recoveryCodesLeft: 0 },
    })
    expect((await person.call('GET', '/v1/admin/account/pats')).body.pats).toEqual([])
    const again = { headers: stranger.headers, body: {} }
    const url = `/v1/platform/members/${account.id}/token`
    expect((await scene.call('POST', url, again)).status).toBeOneOf([404, 409])
  })

  test('gives its holder no role of a workspace that adds it; the proof does', async () => {
    const stranger = await claim()
    const added = await add(scene.admin, stranger.email, 'administrator')
    expect(added.status).toBe(200)
    expect(added.body).toMatchObject({ emailVerified: false, isPending: true })
    expect(added.body).not.toHaveProperty('displayName')
    const headers = bearing(stranger.token)
    const before = await scene.call('GET', '/v1/platform/session', { headers })
    expect(before.body.workspaces.map(({ id }: { id: string }) => id)).not.toContain(
      scene.workspaceId,
    )
    const inside = { headers: { ...headers, 'x-workspace-id': scene.workspaceId } }
    expect((await scene.call('GET', members, inside)).status).toBe(401)

    const browser = openTestBrowser(scene.app)
    const code = await createSignInLink(scene.app.services.db, stranger.accountId, 15)
    await browser.call('POST', '/v1/platform/sign-in/link', { body: { code } })
    expect((await findSession(browser)).workspaces).toContainEqual(
      expect.objectContaining({ id: scene.workspaceId, role: 'administrator' }),
    )
    await expectNothingLeft(stranger)
    const { body } = await scene.call('GET', `${members}?pageSize=100`, {
      headers: scene.admin,
    })
    const member = body.members.find(
      ({ email }: { email: string }) => email === stranger.email,
    )
    expect(member).toMatchObject({ emailVerified: true, role: 'administrator' })
    expect(member).not.toHaveProperty('isPending')
  })

  test('does not make the workspaces of its holder trusted', async () => {
    const stranger = await claim()
    const headers = bearing(stranger.token)
    const { body } = await scene.call('POST', '/v1/admin/workspaces', {
      headers,
      body: { name: 'Trojan' },
    })
    const owner = (
      await scene.call('GET', '/v1/admin/account/me', { headers: scene.admin })
    ).body
    await add({ ...headers, 'x-workspace-id': body.id }, owner.account.email, 'owner')
    const person = await signInAtProvider(stranger.email, ['owners'])
    expect((await findSession(person)).isOperator).toBe(true)
    expect(await isOwnedWithFirst(scene.app.services.db, body.id)).toBe(false)
    const { body: own } = await person.call('POST', '/v1/admin/workspaces', {
      body: { name: 'Mine' },
    })
    expect(await isOwnedWithFirst(scene.app.services.db, own.id)).toBe(true)
  })
})

test('a request of a stranger that began before the proof leaves no password and no token', async () => {
  const stranger = await claimByInvitation()
  const late = stranger.browser!.call('PUT', '/v1/platform/password', {
    body: { currentPassword: strangersPassword, password: 'another long phrase of mine' },
  })
  const signedIn = signInWithPassword(stranger.email, strangersPassword)
  await signInAtProvider(stranger.email, ['staff'])
  await Promise.all([late, signedIn])
  for (const password of [strangersPassword, 'another long phrase of mine'])
    expect((await signInWithPassword(stranger.email, password)).status).toBe(401)
})

test('a second factor of a stranger does not lock the person out', async () => {
  const stranger = await claimByInvitation()
  await stranger.browser!.call('POST', '/v1/platform/second-factor', { body: {} })
  const person = await signInAtProvider(stranger.email, ['staff'])
  const made = await person.call('POST', '/v1/platform/second-factor', { body: {} })
  expect(made.status).toBe(200)
})

test('a proof happens once: later sign-ins keep tokens and passwords', async () => {
  const email = newAddress()
  const person = await signInAtProvider(email, ['staff'])
  const { body } = await person.call('POST', '/v1/admin/account/pats', {
    body: { note: '' },
  })
  const password = 'a long password of my own'
  await person.call('PUT', '/v1/platform/password', { body: { password } })
  await signInAtProvider(email, ['staff'])
  const headers = bearing(body.pat.value)
  expect((await scene.call('GET', '/v1/platform/session', { headers })).status).toBe(200)
  expect((await signInWithPassword(email, password)).status).toBe(200)
})

describe('a workspace adds', () => {
  test('a new address: the member is unverified, and has the role of its first token', async () => {
    const { body } = await add(scene.admin, newAddress(), 'viewer')
    expect(body).toMatchObject({ emailVerified: false, role: 'viewer' })
    expect(body).not.toHaveProperty('isPending')
  })

  test('an address to which the same member gave a role elsewhere: the role counts at once', async () => {
    const headers = await openStrangersWorkspace()
    const { id, email } = (await add(headers, newAddress(), 'viewer')).body
    const made = await scene.call('POST', `/v1/platform/members/${id}/token`, {
      headers,
      body: {},
    })
    const second = await scene.call('POST', '/v1/admin/workspaces', {
      headers,
      body: { name: 'Second' },
    })
    const there = { ...headers, 'x-workspace-id': second.body.id }
    expect((await add(there, email, 'viewer')).body).not.toHaveProperty('isPending')
    const reply = await scene.call('GET', '/v1/platform/session', {
      headers: bearing(made.body.pat.value),
    })
    expect(reply.body.workspaces).toHaveLength(2)
  })

  test('a proved address: the role counts at once', async () => {
    const email = newAddress()
    const person = await signInAtProvider(email, ['staff'])
    const headers = await openStrangersWorkspace()
    const { body } = await add(headers, email, 'viewer')
    expect(body).toMatchObject({ emailVerified: true, role: 'viewer' })
    expect((await findSession(person)).workspaces).toHaveLength(2)
  })

  test('a claimed address: changes, removes and invites the pending member', async () => {
    const { email, accountId, browser } = await claimByInvitation()
    await add(scene.admin, email, 'viewer')
    expect((await add(scene.admin, email, 'viewer')).status).toBe(409)
    const url = `${members}/${accountId}`
    const changed = await scene.call('PUT', url, {
      headers: scene.admin,
      body: { role: 'manager' },
    })
    expect(changed.body).toMatchObject({ role: 'manager', isPending: true })
    expect((await scene.call('DELETE', url, { headers: scene.admin })).status).toBe(200)
    expect((await scene.call('DELETE', url, { headers: scene.admin })).status).toBe(404)
    await add(scene.admin, email, 'viewer')
    const invited = await scene.call('POST', '/v1/platform/invitations', {
      headers: scene.admin,
      body: { email, role: 'viewer' },
    })
    const code = new URL(invited.body.url).hash.replace('#code=', '')
    const accepted = await browser!.call('POST', '/v1/platform/invitations/accept', {
      body: { code },
    })
    expect(accepted.status).toBe(200)
    const { body } = await scene.call('GET', `${members}?pageSize=100`, {
      headers: scene.admin,
    })
    expect(body.members.filter(({ id }: { id: string }) => id === accountId)).toEqual([
      expect.objectContaining({ role: 'viewer', emailVerified: false }),
    ])
  })
})

test('a new address at the provider is taken from an account that only claimed it', async () => {
  const before = newAddress()
  const person = await signInAtProvider(before, ['staff'], 'renamed')
  const { account } = await findSession(person)
  const stranger = await claimByInvitation()
  await add(scene.admin, stranger.email, 'manager')
  const renamed = await findSession(
    await signInAtProvider(stranger.email, ['staff'], 'renamed'),
  )
  expect(renamed.account).toMatchObject({
    id: account.id,
    email: stranger.email,
    emailVerified: true,
  })
  const theirs = await findSession(stranger.browser!)
  expect(theirs.account).toMatchObject({ id: stranger.accountId, emailVerified: false })
  expect(theirs.account.email).not.toBe(stranger.email)
  expect(theirs.workspaces).toHaveLength(1)
})

test('a preview of an invitation does not show whether the address has an account', async () => {
  const headers = await openStrangersWorkspace()
  const preview = async (email: string) => {
    const { body } = await scene.call('POST', '/v1/platform/invitations', {
      headers,
      body: { email, role: 'viewer' },
    })
    const code = new URL(body.url).hash.replace('#code=', '')
    const reply = await openTestBrowser(scene.app).call(
      ...([
        'POST',
        '/v1/platform/sign-in/invitation/preview',
        { body: { code } },
      ] as const),
    )
    return { ...reply, body: { ...reply.body, email: '' } }
  }
  const unknown = await preview(newAddress())
  expect(await preview((await claimByInvitation()).email)).toEqual(unknown)
  const proved = newAddress()
  await signInAtProvider(proved, ['staff'])
  expect(await preview(proved)).toEqual(unknown)
})

test('a subject of the provider is no proof without a verified address', async () => {
  const { email, accountId } = await claimByInvitation()
  provider.people.unasserted = { email, groups: ['admins'] }
  const { url, cookie } = await startAtProvider()
  const reply = await scene.app.server.inject({
    method: 'POST',
    url: `${openIdPath}/response`,
    payload: { query: await visitProvider(url, 'unasserted') },
    headers: { 'x-botstead-session': '1', cookie },
  })
  expect(reply.statusCode).toBe(403)
  const { db } = scene.app.services
  expect((await findAccount(db, accountId)).email_verified_at).toBeNull()
})

test('a proof by the operator ends what a stranger set up; the setup proves its owner', async () => {
  const stranger = await claimByInvitation()
  const { services } = scene.app
  expect(
    await services.database.inTransaction(({ db }) =>
      proveAddress(db, stranger.accountId),
    ),
  ).toBe(true)
  await services.invalidate({ accountId: stranger.accountId })
  await expectNothingLeft(stranger)
  const { rows } = await sql<{ email: string }>`
    select email from account where email_verified_at is not null and id = ${scene.accountId}`.execute(
    services.db,
  )
  expect(rows).toHaveLength(1)
})
