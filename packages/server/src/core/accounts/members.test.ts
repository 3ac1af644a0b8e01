// Members of a workspace: invitations, roles, the first token of a new account, and allow-lists of
// bots.
import { randomUUID } from 'node:crypto'
import type { Role } from '@botstead/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { bearing, type Headers } from '../../../test/support/tenants.ts'
import { createToken } from './tokens.ts'

let scene: Scene
/** Each test has its own workspace, owned by the owner of the scene. */
let workspaceId: string
let owner: Headers

beforeAll(async () => {
  scene = await openScene()
}, 30_000)
afterAll(() => scene?.close())
beforeEach(async () => {
  const { body } = await scene.call('POST', '/v1/admin/workspaces', {
    headers: bearing(scene.token),
    body: { name: 'Team' },
  })
  workspaceId = body.id
  owner = { ...bearing(scene.token), 'x-workspace-id': workspaceId }
})

const members = '/v1/admin/workspace-members'
const anyAddress = () => `${randomUUID()}@example.org`
const invite = (headers: Headers, role: Role, email = anyAddress()) =>
  scene.call('POST', members, { headers, body: { email, role } })
const createFirstToken = (headers: Headers, id: string) =>
  scene.call('POST', `/v1/platform/members/${id}/token`, { headers, body: {} })
const setRole = (headers: Headers, id: string, role: Role) =>
  scene.call('PUT', `${members}/${id}`, { headers, body: { role } })
const remove = (headers: Headers, id: string) =>
  scene.call('DELETE', `${members}/${id}`, { headers })
const me = async (headers: Headers) =>
  (await scene.call('GET', `${members}/me`, { headers })).body

/** Adds a new member. Returns the headers of their requests. */
async function addMember(role: Role): Promise<{ id: string; headers: Headers }> {
  const { id } = (await invite(owner, role)).body
  const { pat } = (await createFirstToken(owner, id)).body
  return { id, headers: { ...owner, ...bearing(pat.value) } }
}

/** Creates an account with a proved address that is not a member of this workspace. */
async function createOutsider(): Promise<{
  id: string
  email: string
  headers: Headers
}> {
  const { db } = scene.app.services
  const [id, email] = [randomUUID(), `Passer.By.${randomUUID()}@Example.org`]
  await db
    .insertInto('account')
    .values({
      id,
      email,
      name: 'Passer-by',
      picture_url: 'https://example.org/p.png',
      email_verified_at: new Date(),
    })
    .execute()
  return {
    id,
    email,
    headers: bearing((await createToken(db, { kind: 'pat', accountId: id }, '')).value),
  }
}

describe('inviting a member', () => {
  test('creates an account for a new address, with a first token', async () => {
    const email = `New.Person.${randomUUID()}@example.org`
    const { status, body: member } = await invite(owner, 'developer', email)
    expect(status).toBe(200)
    expect(member).toEqual({
      id: member.id,
      userId: member.id,
      email: email.toLowerCase(),
      createdAt: member.createdAt,
      role: 'developer',
      emailVerified: false,
    })
    const { pat } = (await createFirstToken(owner, member.id)).body
    const headers = { ...owner, ...bearing(pat.value) }
    expect(await me(headers)).toEqual(member)
    await scene.call('PUT', '/v1/admin/account/me', {
      headers,
      body: { displayName: 'New Person' },
    })
    expect(
      (await scene.call('GET', members, { headers })).body.members.map(
        ({ displayName, role }: never) => [displayName, role],
      ),
    ).toContainEqual(['New Person', 'developer'])
  })

  test('adds an existing account, ignoring case of the address, with its name and picture', async () => {
    const { id, email, headers } = await createOutsider()
    expect(
      (await scene.call('GET', `${members}/me`, { headers: { ...owner, ...headers } }))
        .status,
    ).toBe(401)
    const { body } = await invite(owner, 'viewer', email.toUpperCase())
    expect(body).toMatchObject({
      id,
      userId: id,
      email,
      emailVerified: true,
      displayName: 'Passer-by',
      profilePicture: 'https://example.org/p.png',
    })
    expect(await me({ ...owner, ...headers })).toEqual(body)
  })

  test('works once per address', async () => {
    const email = anyAddress()
    const both = await Promise.all([
      invite(owner, 'viewer', email),
      invite(owner, 'developer', email),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await invite(owner, 'viewer', email)).body).toMatchObject({
      code: 409,
      type: 'AlreadyExists',
    })
  })

  test.each([
    '',
    'nobody',
    'a@b@c',
    `${'a'.repeat(250)}@example.org`,
    'a\0@example.org',
    7,
    null,
  ])('rejects the address %j', async (email) => {
    expect((await invite(owner, 'viewer', email as string)).status).toBe(400)
  })
})

describe('creating the first token of an account', () => {
  test('works once; then only its holder can revoke and create tokens', async () => {
    const { id } = (await invite(owner, 'developer')).body
    const answers = await Promise.all([1, 2, 3].map(() => createFirstToken(owner, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const { pat } = answers.find(({ status }) => status === 200)!.body
    await scene.call('DELETE', `/v1/admin/account/pats/${pat.id}`, {
      headers: bearing(pat.value),
    })
    expect((await createFirstToken(owner, id)).body.type).toBe('RelationConflict')
  })

  test('is answers to the workspace that created the account, while no other has invited it', async () => {
    const elsewhere = (
      await scene.call('POST', '/v1/admin/workspaces', {
        headers: bearing(scene.token),
        body: { name: 'Elsewhere' },
      })
    ).body
    const there = { ...owner, 'x-workspace-id': elsewhere.id }
    const known = await createOutsider()
    await invite(owner, 'viewer', known.email)
    expect((await createFirstToken(owner, known.id)).body.type).toBe('RelationConflict')
    const { id, email } = (await invite(owner, 'viewer')).body
    await invite(there, 'owner', email)
    for (const headers of [owner, there])
      expect(
        (await createFirstToken(headers, id)).body.type,
        headers === owner ? 'first workspace' : 'second workspace',
      ).toBe('RelationConflict')
    expect((await remove(there, id)).status).toBe(200)
    expect((await createFirstToken(owner, id)).status).toBe(200)
  })

  test("is rejected for roles below the member's, and for former members", async () => {
    const administrator = await addMember('administrator')
    const { id } = (await invite(owner, 'owner')).body
    expect((await createFirstToken(administrator.headers, id)).body.type).toBe(
      'Forbidden',
    )
    const { id: gone } = (await invite(owner, 'viewer')).body
    await remove(owner, gone)
    expect((await createFirstToken(owner, gone)).body.type).toBe('ResourceNotFound')
  })
})

describe('roles', () => {
  test('an administrator sets every role except owner', async () => {
    const { headers } = await addMember('administrator')
    for (const role of [
      'viewer',
      'billing',
      'developer',
      'manager',
      'administrator',
    ] as const) {
      const { body } = await invite(headers, role)
      expect(body.role).toBe(role)
      expect((await setRole(headers, body.id, 'viewer')).body.role, role).toBe('viewer')
      expect((await remove(headers, body.id)).status, role).toBe(200)
    }
    const { id } = await addMember('viewer')
    expect((await invite(headers, 'owner')).body.type).toBe('Forbidden')
    expect((await setRole(headers, id, 'owner')).body.type).toBe('Forbidden')
    expect((await setRole(headers, (await me(headers)).id, 'owner')).body.type).toBe(
      'Forbidden',
    )
    const first = (await me(owner)).id
    expect((await setRole(headers, first, 'viewer')).body.type).toBe('Forbidden')
    expect((await remove(headers, first)).body.type).toBe('Forbidden')
  })

  test('an owner sets every role', async () => {
    const { id, headers } = await addMember('viewer')
    for (const role of ['billing', 'owner', 'manager', 'owner'] as const)
      expect((await setRole(owner, id, role)).body.role).toBe(role)
    expect((await setRole(headers, (await me(owner)).id, 'viewer')).status).toBe(200)
    expect((await setRole(owner, id, 'viewer')).body.type).toBe('Forbidden')
  })
})

describe('the last owner', () => {
  test('can neither leave nor get a lower role', async () => {
    const { id } = await me(owner)
    expect((await remove(owner, id)).body).toMatchObject({
      code: 409,
      type: 'RelationConflict',
    })
    expect((await setRole(owner, id, 'administrator')).body.type).toBe('RelationConflict')
    expect((await setRole(owner, id, 'owner')).status).toBe(200)
  })

  test('stays when two owners leave at once', async () => {
    for (let round = 0; round < 4; round++) {
      const { body } = await scene.call('POST', '/v1/admin/workspaces', {
        headers: bearing(scene.token),
        body: { name: 'Ours' },
      })
      owner = { ...owner, 'x-workspace-id': body.id }
      const second = await addMember('owner')
      const answers = await Promise.all([
        remove(owner, (await me(owner)).id),
        remove(second.headers, second.id),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })
})

test('removal and a lower role take effect with the next request', async () => {
  const { id, headers } = await addMember('administrator')
  expect((await scene.call('GET', members, { headers })).status).toBe(200)
  await setRole(owner, id, 'billing')
  expect((await scene.call('GET', members, { headers })).status).toBe(403)
  await remove(owner, id)
  expect((await scene.call('GET', `${members}/me`, { headers })).status).toBe(401)
  for (const [name, answer] of [
    ['removal of a former member', await remove(owner, id)],
    ['role of a former member', await setRole(owner, id, 'viewer')],
    ['removal of an unknown member', await remove(owner, randomUUID())],
  ] as const)
    expect(answer.body, name).toMatchObject({ code: 404, type: 'ResourceNotFound' })
})

test('members are listed in pages, each once', async () => {
  for (let i = 0; i < 6; i++) await invite(owner, 'viewer')
  const seen: string[] = []
  for (
    let nextToken: string | undefined, more = true;
    more;
    more = nextToken !== undefined
  ) {
    const { body } = await scene.call(
      'GET',
      `${members}?pageSize=3${nextToken ? `&nextToken=${encodeURIComponent(nextToken)}` : ''}`,
      { headers: owner },
    )
    seen.push(...body.members.map((member: { id: string }) => member.id))
    nextToken = body.meta.nextToken
  }
  expect(seen).toHaveLength(7)
  expect(new Set(seen).size).toBe(7)
  expect(seen[0]).toBe((await me(owner)).id)
})

describe('a bot with an allow-list', () => {
  interface Story {
    botId: string
    developer: { id: string; headers: Headers }
    other: { id: string; headers: Headers }
  }
  const open = async (): Promise<Story> => {
    const { bot } = (
      await scene.call('POST', '/v1/admin/bots', {
        headers: owner,
        body: { name: 'hidden' },
      })
    ).body
    return {
      botId: bot.id,
      developer: await addMember('developer'),
      other: await addMember('manager'),
    }
  }
  const restrict = (botId: string, body: object, headers = owner) =>
    scene.call('PUT', `/v1/admin/bots/${botId}/allowlist`, { headers, body })
  const listed = async (headers: Headers) =>
    (await scene.call('GET', '/v1/admin/bots', { headers })).body.bots.map(
      ({ id }: { id: string }) => id,
    )

  /** Requests that show the bot. `hidden-bots.test.ts` tries all operations as another member. */
  const looks = (
    botId: string,
  ): [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object][] => [
    ['GET', `/v1/admin/bots/${botId}`],
    ['PUT', `/v1/admin/bots/${botId}`, { description: 'x' }],
    ['GET', `/v1/admin/bots/${botId}/action-runs?integrationName=chat`],
    ['GET', `/v1/admin/bots/baks?botId=${botId}`],
    ['POST', '/v1/admin/bots/baks', { botId }],
    ['GET', '/v1/chat/conversations'],
    ['POST', '/v1/chat/events', { type: 'x', payload: {} }],
    ['GET', '/v1/files'],
    ['GET', '/v1/platform/dead-letters'],
    ['GET', `/v1/platform/bots/${botId}/deployment`],
    ['GET', `/v1/platform/bots/${botId}/mcp-servers`],
    ['DELETE', `/v1/admin/bots/${botId}`],
  ]

  test('is hidden from members who are not on the list, except owners and administrators', async () => {
    const { botId, developer, other } = await open()
    const administrator = await addMember('administrator')
    const key = (
      await scene.call('POST', '/v1/admin/bots/baks', { headers: owner, body: { botId } })
    ).body
    expect(
      await restrict(botId, { setting: 'SELECTED_USERS', users: { [other.id]: true } }),
    ).toEqual({
      status: 200,
      body: {},
    })
    expect(
      (await scene.call('GET', `/v1/admin/bots/${botId}/allowlist`, { headers: owner }))
        .body,
    ).toEqual({
      setting: 'SELECTED_USERS',
      users: [{ id: other.id }],
    })
    for (const [method, path, body] of looks(botId)) {
      const request = {
        headers: { ...developer.headers, 'x-bot-id': botId },
        ...(body && { body }),
      }
      const { body: answer } = await scene.call(method, path, request)
      expect([method, path, answer]).toMatchObject([
        method,
        path,
        { code: 404, type: 'ResourceNotFound', message: `Bot "${botId}" was not found` },
      ])
    }
    expect(
      (
        await scene.call('DELETE', `/v1/admin/bots/baks/${key.id}`, {
          headers: developer.headers,
        })
      ).body.type,
    ).toBe('ResourceNotFound')
    const introspected = await scene.call('POST', '/v1/admin/introspect', {
      headers: developer.headers,
      body: { botId },
    })
    expect(introspected.body.type).toBe('Forbidden')
    expect(await listed(developer.headers)).toEqual([])
    for (const [role, headers] of [
      ['manager', other.headers],
      ['administrator', administrator.headers],
      ['owner', owner],
    ] as const) {
      expect(await listed(headers), role).toEqual([botId])
      for (const [method, path, body] of looks(botId).slice(0, -1))
        expect(
          (
            await scene.call(method, path, {
              headers: { ...headers, 'x-bot-id': botId },
              ...(body && { body }),
            })
          ).status,
          `${role}: ${method} ${path}`,
        ).toBeLessThan(300)
    }
    // Allow-lists do not apply to the bot's own keys.
    expect(
      (
        await scene.call('GET', '/v1/chat/conversations', {
          headers: { ...bearing(key.value), 'x-bot-id': botId },
        })
      ).status,
    ).toBe(200)
  })

  test('takes effect with the next request', async () => {
    const { botId, developer } = await open()
    const look = async () =>
      (
        await scene.call('GET', '/v1/chat/users', {
          headers: { ...developer.headers, 'x-bot-id': botId },
        })
      ).status
    const seen = [await look()]
    for (const change of [
      { setting: 'SELECTED_USERS' },
      { users: { [developer.id]: true } },
      { users: { [developer.id]: false } },
      { setting: 'ALL_WORKSPACE_USERS' },
    ]) {
      await restrict(botId, change)
      seen.push(await look())
    }
    expect(seen).toEqual([200, 404, 200, 404, 200])
  })

  test('contains members only, and loses members who leave', async () => {
    const { botId, developer, other } = await open()
    const stranger = await createOutsider()
    for (const id of [stranger.id, randomUUID(), '__proto__', 'x'.repeat(5_000)])
      expect(
        (
          await restrict(botId, {
            setting: 'SELECTED_USERS',
            users: { [developer.id]: true, [id]: true },
          })
        ).status,
        id.slice(0, 40),
      ).toBe(400)
    // The rejected changes had no effect.
    expect(
      (await scene.call('GET', `/v1/admin/bots/${botId}/allowlist`, { headers: owner }))
        .body,
    ).toEqual({
      setting: 'ALL_WORKSPACE_USERS',
      users: [],
    })
    await restrict(botId, {
      setting: 'SELECTED_USERS',
      users: { [developer.id]: true, [other.id]: true, [randomUUID()]: false },
    })
    await remove(owner, developer.id)
    expect(
      (await scene.call('GET', `/v1/admin/bots/${botId}/allowlist`, { headers: owner }))
        .body.users,
    ).toEqual([{ id: other.id }])
  })
})

describe('public workspaces', () => {
  test('are found by everybody, with their public profile only', async () => {
    const outsider = await createOutsider()
    const look = () =>
      scene.call('GET', `/v1/admin/workspaces/${workspaceId}/public`, {
        headers: outsider.headers,
      })
    expect((await look()).body).toMatchObject({ code: 404, type: 'ResourceNotFound' })
    const name = `Open ${randomUUID()}`
    const profile = {
      about: 'We build',
      website: 'https://example.org',
      socialAccounts: ['@us'],
      contactEmail: 'us@example.org',
      profilePicture: 'p',
    }
    await scene.call('PUT', `/v1/admin/workspaces/${workspaceId}`, {
      headers: owner,
      body: { name, isPublic: true, spendingLimit: 7, ...profile },
    })
    const { body } = await look()
    expect(body).toEqual({
      id: workspaceId,
      name,
      createdAt: body.createdAt,
      updatedAt: body.updatedAt,
      ...profile,
    })
    const list = async (query: string) =>
      (
        await scene.call('GET', `/v1/admin/workspaces/public?${query}`, {
          headers: outsider.headers,
        })
      ).body.workspaces
    for (const query of [
      `search=${encodeURIComponent(name.toUpperCase())}`,
      `workspaceIds=${workspaceId}&workspaceIds=${randomUUID()}`,
    ])
      expect(await list(query), query).toEqual([body])
    for (const query of [
      'search=100%25',
      'search=_',
      `workspaceIds=${scene.workspaceId}`,
    ])
      expect(await list(query), query).toEqual([])
    await scene.call('PUT', `/v1/admin/workspaces/${workspaceId}`, {
      headers: owner,
      body: { isPublic: false },
    })
    expect((await look()).status).toBe(404)
  })
})

test('preferences of a workspace are shared by its members only', async () => {
  const { headers } = await addMember('developer')
  const viewer = await addMember('viewer')
  const path = '/v1/admin/workspaces/preferences/theme'
  expect(
    (await scene.call('POST', path, { headers, body: { value: { dark: [true] } } }))
      .status,
  ).toBe(200)
  expect((await scene.call('GET', path, { headers: viewer.headers })).body).toEqual({
    value: { dark: [true] },
  })
  expect(
    (await scene.call('POST', path, { headers: viewer.headers, body: { value: 1 } }))
      .status,
  ).toBe(403)
  expect(
    (
      await scene.call('GET', path, {
        headers: { ...owner, 'x-workspace-id': scene.workspaceId },
      })
    ).body,
  ).toEqual({})
  await scene.call('POST', path, { headers, body: {} })
  expect((await scene.call('GET', path, { headers })).body).toEqual({})
})
