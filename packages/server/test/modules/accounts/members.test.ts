// Who is let into a workspace, as what, and what of it they see: members, their roles, how an account is handed over, and allow-lists of bots.
import type { Role } from '@botstead/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newUuid } from '../../../src/infra/lib/ids.ts'
import { createToken } from '../../../src/modules/accounts/tokens.ts'
import { openScene, type Scene } from '../../support/scene.ts'
import { bearing, type Headers } from '../../support/tenants.ts'

let scene: Scene
/** Of a workspace of its own for each test; its owner is who owns the scene's. */
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
const anyAddress = () => `${newUuid()}@example.org`
const invite = (headers: Headers, role: Role, email = anyAddress()) =>
  scene.call('POST', members, { headers, body: { email, role } })
const handOver = (headers: Headers, id: string) =>
  scene.call('POST', `/v1/platform/members/${id}/token`, { headers, body: {} })
const setRole = (headers: Headers, id: string, role: Role) =>
  scene.call('PUT', `${members}/${id}`, { headers, body: { role } })
const remove = (headers: Headers, id: string) => scene.call('DELETE', `${members}/${id}`, { headers })
const me = async (headers: Headers) => (await scene.call('GET', `${members}/me`, { headers })).body

/** Somebody new, with what they call with. */
async function join(role: Role): Promise<{ id: string; headers: Headers }> {
  const { id } = (await invite(owner, role)).body
  const { pat } = (await handOver(owner, id)).body
  return { id, headers: { ...owner, ...bearing(pat.value) } }
}

/** Who has an account already, and no part in this workspace. */
async function passerBy(): Promise<{ id: string; email: string; headers: Headers }> {
  const { db } = scene.app.services
  const [id, email] = [newUuid(), `Passer.By.${newUuid()}@Example.org`]
  await db
    .insertInto('account')
    .values({ id, email, name: 'Passer-by', picture_url: 'https://example.org/p.png' })
    .execute()
  return { id, email, headers: bearing((await createToken(db, { kind: 'pat', accountId: id }, '')).value) }
}

describe('somebody is let in', () => {
  test('who is new, and gets an account whose first token is handed over', async () => {
    const email = `New.Person.${newUuid()}@example.org`
    const { status, body: member } = await invite(owner, 'developer', email)
    expect(status).toBe(200)
    expect(member).toEqual({
      id: member.id,
      userId: member.id,
      email: email.toLowerCase(),
      createdAt: member.createdAt,
      role: 'developer',
    })
    const { pat } = (await handOver(owner, member.id)).body
    const headers = { ...owner, ...bearing(pat.value) }
    expect(await me(headers)).toEqual(member)
    await scene.call('PUT', '/v1/admin/account/me', { headers, body: { displayName: 'New Person' } })
    expect(
      (await scene.call('GET', members, { headers })).body.members.map(({ displayName, role }: never) => [
        displayName,
        role,
      ]),
    ).toContainEqual(['New Person', 'developer'])
  })

  test('who has an account, however the address is written, with what is known of them', async () => {
    const { id, email, headers } = await passerBy()
    expect((await scene.call('GET', `${members}/me`, { headers: { ...owner, ...headers } })).status).toBe(401)
    const { body } = await invite(owner, 'viewer', email.toUpperCase())
    expect(body).toMatchObject({
      id,
      userId: id,
      email,
      displayName: 'Passer-by',
      profilePicture: 'https://example.org/p.png',
    })
    expect(await me({ ...owner, ...headers })).toEqual(body)
  })

  test('once', async () => {
    const email = anyAddress()
    const both = await Promise.all([invite(owner, 'viewer', email), invite(owner, 'developer', email)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await invite(owner, 'viewer', email)).body).toMatchObject({ code: 409, type: 'AlreadyExists' })
  })

  test.each(['', 'nobody', 'a@b@c', `${'a'.repeat(250)}@example.org`, 'a\0@example.org', 7, null])(
    'but not as %j',
    async (email) => {
      expect((await invite(owner, 'viewer', email as string)).status).toBe(400)
    },
  )
})

describe('an account is handed over', () => {
  test('once: then it is its holder’s, who may take every token of it back', async () => {
    const { id } = (await invite(owner, 'developer')).body
    const answers = await Promise.all([1, 2, 3].map(() => handOver(owner, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const { pat } = answers.find(({ status }) => status === 200)!.body
    await scene.call('DELETE', `/v1/admin/account/pats/${pat.id}`, { headers: bearing(pat.value) })
    expect((await handOver(owner, id)).body.type).toBe('RelationConflict')
  })

  test('by the workspace that made it only, and not when others have let it in: its token would open their doors', async () => {
    const elsewhere = (
      await scene.call('POST', '/v1/admin/workspaces', {
        headers: bearing(scene.token),
        body: { name: 'Elsewhere' },
      })
    ).body
    const there = { ...owner, 'x-workspace-id': elsewhere.id }
    const known = await passerBy()
    await invite(owner, 'viewer', known.email)
    expect((await handOver(owner, known.id)).body.type).toBe('RelationConflict')
    const { id, email } = (await invite(owner, 'viewer')).body
    await invite(there, 'owner', email)
    for (const headers of [owner, there])
      expect((await handOver(headers, id)).body.type).toBe('RelationConflict')
    expect((await remove(there, id)).status).toBe(200)
    expect((await handOver(owner, id)).status).toBe(200)
  })

  test('not by who may do less, nor to who is no member', async () => {
    const administrator = await join('administrator')
    const { id } = (await invite(owner, 'owner')).body
    expect((await handOver(administrator.headers, id)).body.type).toBe('Forbidden')
    const { id: gone } = (await invite(owner, 'viewer')).body
    await remove(owner, gone)
    expect((await handOver(owner, gone)).body.type).toBe('ResourceNotFound')
  })
})

describe('nobody gives, or takes, more than they have', () => {
  test('an administrator makes everybody anything but an owner', async () => {
    const { headers } = await join('administrator')
    for (const role of ['viewer', 'billing', 'developer', 'manager', 'administrator'] as const) {
      const { body } = await invite(headers, role)
      expect(body.role).toBe(role)
      expect((await setRole(headers, body.id, 'viewer')).body.role).toBe('viewer')
      expect((await remove(headers, body.id)).status).toBe(200)
    }
    const { id } = await join('viewer')
    expect((await invite(headers, 'owner')).body.type).toBe('Forbidden')
    expect((await setRole(headers, id, 'owner')).body.type).toBe('Forbidden')
    expect((await setRole(headers, (await me(headers)).id, 'owner')).body.type).toBe('Forbidden')
    const first = (await me(owner)).id
    expect((await setRole(headers, first, 'viewer')).body.type).toBe('Forbidden')
    expect((await remove(headers, first)).body.type).toBe('Forbidden')
  })

  test('and an owner everything', async () => {
    const { id, headers } = await join('viewer')
    for (const role of ['billing', 'owner', 'manager', 'owner'] as const)
      expect((await setRole(owner, id, role)).body.role).toBe(role)
    expect((await setRole(headers, (await me(owner)).id, 'viewer')).status).toBe(200)
    expect((await setRole(owner, id, 'viewer')).body.type).toBe('Forbidden')
  })
})

describe('a workspace keeps an owner', () => {
  test('the last one neither leaves nor becomes less', async () => {
    const { id } = await me(owner)
    expect((await remove(owner, id)).body).toMatchObject({ code: 409, type: 'RelationConflict' })
    expect((await setRole(owner, id, 'administrator')).body.type).toBe('RelationConflict')
    expect((await setRole(owner, id, 'owner')).status).toBe(200)
  })

  test('of two that leave at once one stays', async () => {
    for (let round = 0; round < 4; round++) {
      const { body } = await scene.call('POST', '/v1/admin/workspaces', {
        headers: bearing(scene.token),
        body: { name: 'Ours' },
      })
      owner = { ...owner, 'x-workspace-id': body.id }
      const second = await join('owner')
      const left = await Promise.all([remove(owner, (await me(owner)).id), remove(second.headers, second.id)])
      expect(left.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })
})

test('who is taken out, or made less, is so with the next request', async () => {
  const { id, headers } = await join('administrator')
  expect((await scene.call('GET', members, { headers })).status).toBe(200)
  await setRole(owner, id, 'billing')
  expect((await scene.call('GET', members, { headers })).status).toBe(403)
  await remove(owner, id)
  expect((await scene.call('GET', `${members}/me`, { headers })).status).toBe(401)
  for (const answer of [
    await remove(owner, id),
    await setRole(owner, id, 'viewer'),
    await remove(owner, newUuid()),
  ])
    expect(answer.body).toMatchObject({ code: 404, type: 'ResourceNotFound' })
})

test('members are listed page by page, each once', async () => {
  for (let i = 0; i < 6; i++) await invite(owner, 'viewer')
  const seen: string[] = []
  for (let nextToken: string | undefined, more = true; more; more = nextToken !== undefined) {
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
    const { bot } = (await scene.call('POST', '/v1/admin/bots', { headers: owner, body: { name: 'hidden' } }))
      .body
    return { botId: bot.id, developer: await join('developer'), other: await join('manager') }
  }
  const restrict = (botId: string, body: object, headers = owner) =>
    scene.call('PUT', `/v1/admin/bots/${botId}/allowlist`, { headers, body })
  const listed = async (headers: Headers) =>
    (await scene.call('GET', '/v1/admin/bots', { headers })).body.bots.map(({ id }: { id: string }) => id)

  /** Wherever one could meet it. */
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
    ['DELETE', `/v1/admin/bots/${botId}`],
  ]

  test('is not there for who is not on it, wherever they look; owners and administrators see it', async () => {
    const { botId, developer, other } = await open()
    const administrator = await join('administrator')
    const key = (await scene.call('POST', '/v1/admin/bots/baks', { headers: owner, body: { botId } })).body
    expect(await restrict(botId, { setting: 'SELECTED_USERS', users: { [other.id]: true } })).toEqual({
      status: 200,
      body: {},
    })
    expect((await scene.call('GET', `/v1/admin/bots/${botId}/allowlist`, { headers: owner })).body).toEqual({
      setting: 'SELECTED_USERS',
      users: [{ id: other.id }],
    })
    for (const [method, path, body] of looks(botId)) {
      const asked = { headers: { ...developer.headers, 'x-bot-id': botId }, ...(body && { body }) }
      const { body: answer } = await scene.call(method, path, asked)
      expect([method, path, answer]).toMatchObject([
        method,
        path,
        { code: 404, type: 'ResourceNotFound', message: `Bot "${botId}" was not found` },
      ])
    }
    expect(
      (await scene.call('DELETE', `/v1/admin/bots/baks/${key.id}`, { headers: developer.headers })).body.type,
    ).toBe('ResourceNotFound')
    const introspected = await scene.call('POST', '/v1/admin/introspect', {
      headers: developer.headers,
      body: { botId },
    })
    expect(introspected.body.type).toBe('Forbidden')
    expect(await listed(developer.headers)).toEqual([])
    for (const { headers } of [other, administrator, { headers: owner }]) {
      expect(await listed(headers)).toEqual([botId])
      for (const [method, path, body] of looks(botId).slice(0, -1))
        expect(
          (
            await scene.call(method, path, {
              headers: { ...headers, 'x-bot-id': botId },
              ...(body && { body }),
            })
          ).status,
        ).toBeLessThan(300)
    }
    // the bot itself is not a person
    expect(
      (
        await scene.call('GET', '/v1/chat/conversations', {
          headers: { ...bearing(key.value), 'x-bot-id': botId },
        })
      ).status,
    ).toBe(200)
  })

  test('shows and hides it with the next request', async () => {
    const { botId, developer } = await open()
    const look = async () =>
      (await scene.call('GET', '/v1/chat/users', { headers: { ...developer.headers, 'x-bot-id': botId } }))
        .status
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

  test('has members on it only, and loses who leaves', async () => {
    const { botId, developer, other } = await open()
    const stranger = await passerBy()
    for (const id of [stranger.id, newUuid(), '__proto__', 'x'.repeat(5_000)])
      expect(
        (await restrict(botId, { setting: 'SELECTED_USERS', users: { [developer.id]: true, [id]: true } }))
          .status,
      ).toBe(400)
    // all of it or nothing
    expect((await scene.call('GET', `/v1/admin/bots/${botId}/allowlist`, { headers: owner })).body).toEqual({
      setting: 'ALL_WORKSPACE_USERS',
      users: [],
    })
    await restrict(botId, {
      setting: 'SELECTED_USERS',
      users: { [developer.id]: true, [other.id]: true, [newUuid()]: false },
    })
    await remove(owner, developer.id)
    expect(
      (await scene.call('GET', `/v1/admin/bots/${botId}/allowlist`, { headers: owner })).body.users,
    ).toEqual([{ id: other.id }])
  })
})

describe('public workspaces', () => {
  test('are found by everybody, as far as they say so themselves', async () => {
    const passer = await passerBy()
    const look = () =>
      scene.call('GET', `/v1/admin/workspaces/${workspaceId}/public`, { headers: passer.headers })
    expect((await look()).body).toMatchObject({ code: 404, type: 'ResourceNotFound' })
    const name = `Open ${newUuid()}`
    const told = {
      about: 'We build',
      website: 'https://example.org',
      socialAccounts: ['@us'],
      contactEmail: 'us@example.org',
      profilePicture: 'p',
    }
    await scene.call('PUT', `/v1/admin/workspaces/${workspaceId}`, {
      headers: owner,
      body: { name, isPublic: true, spendingLimit: 7, ...told },
    })
    const { body } = await look()
    expect(body).toEqual({
      id: workspaceId,
      name,
      createdAt: body.createdAt,
      updatedAt: body.updatedAt,
      ...told,
    })
    const list = async (query: string) =>
      (await scene.call('GET', `/v1/admin/workspaces/public?${query}`, { headers: passer.headers })).body
        .workspaces
    for (const query of [
      `search=${encodeURIComponent(name.toUpperCase())}`,
      `workspaceIds=${workspaceId}&workspaceIds=${newUuid()}`,
    ])
      expect(await list(query)).toEqual([body])
    for (const query of ['search=100%25', 'search=_', `workspaceIds=${scene.workspaceId}`])
      expect(await list(query)).toEqual([])
    await scene.call('PUT', `/v1/admin/workspaces/${workspaceId}`, {
      headers: owner,
      body: { isPublic: false },
    })
    expect((await look()).status).toBe(404)
  })
})

test('what a workspace remembers is shared by its members, and nobody else’s', async () => {
  const { headers } = await join('developer')
  const viewer = await join('viewer')
  const path = '/v1/admin/workspaces/preferences/theme'
  expect((await scene.call('POST', path, { headers, body: { value: { dark: [true] } } })).status).toBe(200)
  expect((await scene.call('GET', path, { headers: viewer.headers })).body).toEqual({
    value: { dark: [true] },
  })
  expect((await scene.call('POST', path, { headers: viewer.headers, body: { value: 1 } })).status).toBe(403)
  expect(
    (await scene.call('GET', path, { headers: { ...owner, 'x-workspace-id': scene.workspaceId } })).body,
  ).toEqual({})
  await scene.call('POST', path, { headers, body: {} })
  expect((await scene.call('GET', path, { headers })).body).toEqual({})
})
