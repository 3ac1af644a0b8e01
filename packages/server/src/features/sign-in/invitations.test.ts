// Invitation links: they open new accounts alone, and only while their inviter could give the role.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { createPerson, openTestBrowser, signIn } from '../../../test/support/sign-in.ts'
import { readConfig } from '../../core/config/config.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
}, 60_000)
afterAll(() => scene?.close())

const path = '/v1/platform/invitations'
const acceptPath = '/v1/platform/sign-in/invitation'
let people = 0
const newEmail = () => `invited-${++people}@example.org`

const invite = (email: string, role = 'viewer', headers = scene.admin) =>
  scene.call('POST', path, { headers, body: { email, role } })
const codeIn = ({ body }: { body: { url: string } }) =>
  new URL(body.url).hash.replace('#code=', '')
const accept = (code: string, browser = openTestBrowser(scene.app)) =>
  browser.call('POST', acceptPath, {
    body: { code, displayName: 'Robin', password: 'a long enough password' },
  })
const preview = (code: string) =>
  openTestBrowser(scene.app).call('POST', `${acceptPath}/preview`, { body: { code } })
const findRole = async (email: string) => {
  const { rows } = await sql<{ role: string; name: string | null }>`
    select role, name from workspace_member join account on account.id = account_id
    where email = ${email} and workspace_id = ${scene.workspaceId}`.execute(
    scene.app.services.db,
  )
  return rows[0] ?? null
}

describe('a new person', () => {
  test.each(['agent', 'editor'])('becomes an %s', async (role) => {
    const made = await invite(newEmail(), role)
    expect(made.status).toBe(200)
    const browser = openTestBrowser(scene.app)
    expect((await accept(codeIn(made), browser)).status).toBe(200)
    const { body } = await browser.call('GET', '/v1/platform/session')
    expect(body.workspaces).toMatchObject([
      { role, givableRoles: expect.arrayContaining([role]) },
    ])
    const headers = { 'x-workspace-id': scene.workspaceId }
    const { status } = await browser.call('GET', `/v1/admin/bots/${scene.botId}`, {
      headers,
    })
    expect(status).toBe(403)
  })

  test('gets no unknown role, and the error lists the known ones', async () => {
    const { status, body } = await invite(newEmail(), 'emperor')
    expect([status, body.type]).toEqual([400, 'InvalidPayload'])
    expect(body.message).toContain('agent')
    expect(body.message).toContain('administrator')
  })

  test('sets up an account, becomes a member and is signed in', async () => {
    const email = newEmail()
    const made = await invite(email.toUpperCase(), 'developer')
    expect(made.body.url).toMatch(/\/invitation#code=[\w-]{43}$/)
    expect(made.body.invitation).toMatchObject({ email, role: 'developer' })
    const code = codeIn(made)
    expect((await preview(code)).body).toEqual({
      workspace: 'Workspace',
      email,
      role: 'developer',
      mayClaim: true,
    })
    const browser = openTestBrowser(scene.app)
    expect((await accept(code, browser)).status).toBe(200)
    const { body } = await browser.call('GET', '/v1/platform/session')
    expect(body).toMatchObject({
      account: { email, displayName: 'Robin' },
      session: { method: 'invitation' },
      workspaces: [{ id: scene.workspaceId, role: 'developer' }],
    })
    const password = { email, password: 'a long enough password' }
    const signedIn = await openTestBrowser(scene.app).call(
      ...(['POST', '/v1/platform/sign-in/password', { body: password }] as const),
    )
    expect(signedIn.status).toBe(200)
    expect((await accept(code)).status).toBe(410)
    expect(
      (await scene.call('GET', '/v1/platform/audit', { headers: scene.admin })).body
        .entries,
    ).toContainEqual(
      expect.objectContaining({
        operation: 'platform.acceptInvitation',
        action: 'ADD_WORKSPACE_MEMBER',
      }),
    )
  })

  test('accepts once, also with parallel requests', async () => {
    const email = newEmail()
    const code = codeIn(await invite(email))
    const replies = await Promise.all([accept(code), accept(code), accept(code)])
    const [first, ...others] = replies.map(({ status }) => status).sort()
    expect(first).toBe(200)
    // The third one is rejected earlier if the hashes of the others are still computed.
    for (const status of others) expect(status).toBeOneOf([410, 429])
  })

  test.each<[string, (id: string) => Promise<unknown>]>([
    [
      'is withdrawn',
      (id) => scene.call('DELETE', `${path}/${id}`, { headers: scene.admin }),
    ],
    [
      'expires',
      (id) =>
        sql`update invitation set expires_at = now() - interval '1 second' where id = ${id}`.execute(
          scene.app.services.db,
        ),
    ],
  ])('cannot accept after the invitation %s', async (_, end) => {
    const made = await invite(newEmail())
    await end(made.body.invitation.id)
    const code = codeIn(made)
    expect([(await accept(code)).status, (await preview(code)).status]).toEqual([
      410, 410,
    ])
  })

  test('cannot accept after the inviter was removed, or lost the permission', async () => {
    const inviter = await createPerson(scene, 'administrator')
    const browser = await signIn(scene.app, inviter)
    const headers = { 'x-workspace-id': scene.workspaceId }
    const made = async () => {
      const email = newEmail()
      const reply = await browser.call('POST', path, {
        headers,
        body: { email, role: 'developer' },
      })
      return { email, code: codeIn(reply) }
    }
    const [first, second] = [await made(), await made()]
    const member = `/v1/admin/workspace-members/${inviter}`
    const change = { headers: scene.admin, body: { role: 'viewer' } }
    expect((await scene.call('PUT', member, change)).status).toBe(200)
    expect((await accept(first.code)).status).toBe(410)
    await scene.call('DELETE', member, { headers: scene.admin })
    expect((await accept(second.code)).status).toBe(410)
    expect(await findRole(first.email)).toBeNull()
  })

  test.each(['', 'unknown', '__proto__', 'a'.repeat(101), 12])(
    'cannot accept with %j',
    async (code) => {
      expect((await accept(code as string)).status).toBeOneOf([400, 410])
    },
  )
})

describe('an existing account', () => {
  test('is never opened by the link: its holder signs in and accepts', async () => {
    const accountId = await createPerson(scene)
    const email = `${accountId}@example.org`
    const code = codeIn(await invite(email, 'manager'))
    const stranger = openTestBrowser(scene.app)
    expect(await accept(code, stranger)).toMatchObject({ status: 409 })
    expect(stranger.cookie).toBe('')
    const other = await signIn(scene.app, await createPerson(scene))
    const acceptSignedIn = (browser: typeof other) =>
      browser.call('POST', `${path}/accept`, { body: { code } })
    expect(await acceptSignedIn(other)).toMatchObject({ status: 403 })
    const holder = await signIn(scene.app, accountId)
    expect(await acceptSignedIn(holder)).toEqual({
      status: 200,
      body: { workspaceId: scene.workspaceId },
    })
    expect(await findRole(email)).toMatchObject({ role: 'manager' })
    expect(await acceptSignedIn(holder)).toMatchObject({ status: 410 })
  })

  test('that the workspace created can be set up while it is unused', async () => {
    const email = newEmail()
    const add = { headers: scene.admin, body: { email, role: 'viewer' } }
    const member = (await scene.call('POST', '/v1/admin/workspace-members', add)).body
    const remove = `/v1/admin/workspace-members/${member.id}`
    await scene.call('DELETE', remove, { headers: scene.admin })
    expect((await accept(codeIn(await invite(email)))).status).toBe(200)
    expect(await findRole(email)).toEqual({ role: 'viewer', name: 'Robin' })
  })

  test('gets no first token from the workspace after its holder signed in', async () => {
    const email = newEmail()
    const add = { headers: scene.admin, body: { email, role: 'viewer' } }
    const { id } = (await scene.call('POST', '/v1/admin/workspace-members', add)).body
    await signIn(scene.app, id)
    const token = { headers: scene.admin, body: {} }
    expect(
      (await scene.call('POST', `/v1/platform/members/${id}/token`, token)).status,
    ).toBe(409)
  })

  test('that is a member is not invited', async () => {
    const email = `${await createPerson(scene, 'viewer')}@example.org`
    expect((await invite(email)).status).toBe(409)
  })
})

describe('roles', () => {
  test('an administrator invites no owner, and neither replaces nor withdraws one', async () => {
    const browser = await signIn(scene.app, await createPerson(scene, 'administrator'))
    const headers = { 'x-workspace-id': scene.workspaceId }
    const email = newEmail()
    const ask = (role: string) =>
      browser.call('POST', path, { headers, body: { email, role } })
    expect((await ask('owner')).status).toBe(403)
    const { invitation } = (await invite(email, 'owner')).body
    expect((await ask('viewer')).status).toBe(403)
    const withdraw = await browser.call('DELETE', `${path}/${invitation.id}`, { headers })
    expect(withdraw.status).toBe(403)
    const { body } = await browser.call('GET', `${path}?pageSize=1`, { headers })
    expect(body.invitations).toMatchObject([{ email, role: 'owner' }])
  })

  test('a second invitation of an address replaces the first', async () => {
    const email = newEmail()
    const first = codeIn(await invite(email))
    const second = codeIn(await invite(email, 'manager'))
    expect((await accept(first)).status).toBe(410)
    expect((await accept(second)).status).toBe(200)
    expect(await findRole(email)).toMatchObject({ role: 'manager' })
  })
})

test('rejected set-ups of accounts in use count as guesses, and do not use up the invitation', async () => {
  const { limits } = readConfig({ BOTSTEAD_LIMIT_FAILURES_PER_MINUTE: '3' })
  const limited = await openScene({ config: { limits } })
  try {
    const accountId = await createPerson(limited)
    const body = { email: `${accountId}@example.org`, role: 'viewer' }
    const code = codeIn(
      await limited.call('POST', path, { headers: limited.admin, body }),
    )
    const statuses: number[] = []
    while (statuses.length < 5)
      statuses.push((await accept(code, openTestBrowser(limited.app))).status)
    expect(statuses).toEqual([409, 409, 409, 429, 429])
    const holder = await signIn(limited.app, accountId)
    const accepted = await holder.call('POST', `${path}/accept`, { body: { code } })
    expect(accepted.status).toBe(200)
  } finally {
    await limited.close()
  }
})
