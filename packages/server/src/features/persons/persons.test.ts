// Users as one person: the values of states after merges and splits, tenants, concurrency.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { bearing, makeTenant } from '../../../test/support/tenants.ts'
import { newId } from '../../core/lib/ids.ts'
import { expireStates } from '../../core/workflows/states/expiry.ts'

type Payload = Record<string, unknown>

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
}, 60_000)
afterAll(() => scene?.close())

const call = async (
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  body?: Payload,
) => {
  const reply = await scene.call(method, `/v1/${path}`, {
    headers: scene.asBot,
    ...(body && { body }),
  })
  return {
    ...reply,
    error: reply.status < 300 ? undefined : `${reply.status} ${reply.body.type}`,
  }
}

const newUser = async (): Promise<string> =>
  (await call('POST', 'chat/users', { tags: {} })).body.user.id
/** Oldest first. */
async function newUsers(count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push(await newUser())
  return ids
}

const line = (id: string, name = 'variables') => `chat/states/user/${id}/${name}`
const patch = (id: string, payload: Payload, name?: string) =>
  call('PATCH', line(id, name), { payload })
const set = (id: string, payload: Payload | null, name?: string) =>
  call('POST', line(id, name), { payload })
const read = async (id: string, name?: string): Promise<Payload | undefined> =>
  (await call('GET', line(id, name))).body.state?.payload
const readAll = (ids: string[]) => Promise.all(ids.map((id) => read(id)))

const merge = (id: string, ...userIds: string[]) =>
  call('POST', `platform/users/${id}/merge`, { userIds })
const split = (id: string) => call('POST', `platform/users/${id}/split`, {})
const listPerson = async (id: string): Promise<string[]> =>
  (await call('GET', `platform/users/${id}/person`)).body.person.users.map(
    ({ user }: { user: { id: string } }) => user.id,
  )

test('of each key the newest write wins, through every user', async () => {
  const [ana, ben] = await newUsers(2)
  await patch(ana!, { name: 'Ana', city: 'Cluj' })
  await patch(ben!, { name: 'Benny', age: 7 })
  expect((await merge(ana!, ben!)).error).toBeUndefined()
  const merged = { name: 'Benny', city: 'Cluj', age: 7 }
  expect(await readAll([ana!, ben!])).toEqual([merged, merged])
  await patch(ben!, { age: 8 })
  expect(await read(ana!)).toEqual({ ...merged, age: 8 })
  await set(ana!, { name: 'A' })
  expect(await readAll([ana!, ben!])).toEqual([{ name: 'A' }, { name: 'A' }])
})

test('a state shows the user by which it was read', async () => {
  const [ana, ben] = await newUsers(2)
  await patch(ana!, { a: 1 })
  await merge(ana!, ben!)
  const states = await Promise.all([ana!, ben!].map((id) => call('GET', line(id))))
  expect(states.map(({ body }) => body.state.userId)).toEqual([ana, ben])
  expect(new Set(states.map(({ body }) => body.state.id)).size).toBe(1)
  expect((await call('GET', `platform/users/${ben}`)).body.states).toEqual(['variables'])
})

test('a split restores the values of each user, with those written through it since', async () => {
  const [ana, ben] = await newUsers(2)
  await patch(ana!, { name: 'Ana', city: 'Cluj' })
  await patch(ben!, { name: 'Ben', age: 7 })
  await set(ben!, { only: 'ben' }, 'other')
  await merge(ana!, ben!)
  await patch(ana!, { city: 'Arad' })
  await patch(ben!, { street: 'Main' })
  expect((await split(ben!)).body.person.users).toHaveLength(1)
  expect(await readAll([ana!, ben!])).toEqual([
    { name: 'Ana', city: 'Arad' },
    { name: 'Ben', age: 7, street: 'Main' },
  ])
  expect([await read(ana!, 'other'), await read(ben!, 'other')]).toEqual([
    undefined,
    { only: 'ben' },
  ])
  await patch(ana!, { name: 'again' })
  expect(await read(ben!)).toMatchObject({ name: 'Ben' })
})

test('the home itself can be split, in any order of three users', async () => {
  for (const order of [
    [0, 1],
    [1, 0],
    [2, 0],
    [0, 2],
    [1, 2],
  ]) {
    const ids = await newUsers(3)
    for (const [at, id] of ids.entries())
      await patch(id, { shared: at, [`own${at}`]: at })
    await merge(ids[0]!, ids[1]!)
    await merge(ids[2]!, ids[1]!)
    await patch(ids[1]!, { later: true })
    for (const at of order) await split(ids[at]!)
    expect(await readAll(ids)).toEqual([
      { shared: 0, own0: 0 },
      { shared: 1, own1: 1, later: true },
      { shared: 2, own2: 2 },
    ])
  }
})

test('values that a whole write removed return to their author after a split', async () => {
  const [ana, ben, eva] = await newUsers(3)
  await patch(ana!, { name: 'Ana', age: 3 })
  await merge(ana!, ben!, eva!)
  await set(ben!, { name: 'Ben' })
  await split(eva!)
  expect(await read(ana!)).toEqual({ name: 'Ben' })
  await split(ben!)
  expect(await readAll([ana!, ben!])).toEqual([{ name: 'Ana', age: 3 }, { name: 'Ben' }])
})

test('a deleted state is deleted for all users, also after a split', async () => {
  const [ana, ben] = await newUsers(2)
  await patch(ana!, { secret: 1 })
  await patch(ben!, { secret: 2 })
  await merge(ana!, ben!)
  await set(ben!, null)
  expect(await readAll([ana!, ben!])).toEqual([undefined, undefined])
  await patch(ana!, { fresh: 1 })
  await split(ben!)
  expect(await readAll([ana!, ben!])).toEqual([{ fresh: 1 }, undefined])
})

test('a state expires once, for all users', async () => {
  const [ana, ben] = await newUsers(2)
  await patch(ana!, { a: 1 })
  await merge(ben!, ana!)
  expect(
    (await call('POST', `${line(ben!)}/expiry`, { expiry: 60_000 })).error,
  ).toBeUndefined()
  const { db } = scene.app.services
  await sql`update state set expires_at = now() where bot_id = ${scene.botId} and type = 'user'
    and expires_at is not null`.execute(db)
  await expireStates(scene.app.services)
  expect(await readAll([ana!, ben!])).toEqual([undefined, undefined])
  await split(ana!)
  expect(await readAll([ana!, ben!])).toEqual([undefined, undefined])
})

test('states of integrations and conversations, tags and ids stay apart', async () => {
  const [ana, ben] = await newUsers(2)
  await call('PUT', `chat/users/${ana}`, { tags: { vip: 'yes' } })
  await merge(ana!, ben!)
  const users = await Promise.all([ana, ben].map((id) => call('GET', `chat/users/${id}`)))
  expect(users.map(({ body }) => [body.user.id, body.user.tags])).toEqual([
    [ana, { vip: 'yes' }],
    [ben, {}],
  ])
})

test('the person keeps the values of a deleted user', async () => {
  const [ana, ben, eva] = await newUsers(3)
  await patch(ana!, { name: 'Ana' })
  await merge(ana!, ben!, eva!)
  await patch(ben!, { age: 1 })
  expect((await call('DELETE', `chat/users/${ana}`)).error).toBeUndefined()
  expect(await readAll([ben!, eva!])).toEqual([
    { name: 'Ana', age: 1 },
    { name: 'Ana', age: 1 },
  ])
  expect(await listPerson(eva!)).toEqual([ben, eva])
  await split(ben!)
  expect(await readAll([ben!, eva!])).toEqual([{ age: 1 }, { name: 'Ana' }])
})

test('a merge that would be too large changes nothing', async () => {
  const [ana, ben] = await newUsers(2)
  const half = 'x'.repeat(scene.app.services.limits.stateBytes * 0.6)
  await patch(ana!, { a: half })
  await patch(ben!, { b: half })
  expect((await merge(ana!, ben!)).error).toBe('413 LimitExceeded')
  expect(await listPerson(ana!)).toEqual([ana])
  expect(await readAll([ana!, ben!])).toEqual([{ a: half }, { b: half }])
  const crowd = await newUsers(21)
  expect((await merge(crowd[0]!, ...crowd.slice(1, 20))).error).toBeUndefined()
  expect((await merge(crowd[0]!, crowd[20]!)).error).toBe('413 LimitExceeded')
})

test('users of other bots and tenants look nonexistent', {
  timeout: 60_000,
}, async () => {
  const [ana, ben] = await newUsers(2)
  const tenant = await makeTenant(scene, 'other')
  const stranger = tenant.things.user[0]!
  const headers = { ...bearing(tenant.token), 'x-bot-id': tenant.things.bot[0]! }
  const { body: created } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: { name: 'second' },
  })
  const second = { ...scene.asBot, 'x-bot-id': created.bot.id }
  const other = await scene.call('POST', '/v1/chat/users', {
    headers: second,
    body: { tags: {} },
  })
  for (const id of [stranger, other.body.user.id, newId('user')]) {
    expect((await merge(ana!, ben!, id)).error).toBe('404 ResourceNotFound')
    expect((await merge(id, ana!)).error).toBe('404 ResourceNotFound')
  }
  const reply = await scene.call('POST', `/v1/platform/users/${stranger}/merge`, {
    headers,
    body: { userIds: [ana] },
  })
  expect(reply.status).toBe(404)
  expect(await listPerson(ana!)).toEqual([ana])
  expect((await merge(ana!, scene.botId)).error).toBe('403 Forbidden')
})

test('overlapping merges and splits at the same time leave complete persons', async () => {
  for (let round = 0; round < 4; round++) {
    const ids = await newUsers(6)
    for (const [at, id] of ids.entries()) await patch(id, { [`own${at}`]: at })
    const answers = await Promise.all([
      merge(ids[0]!, ids[1]!, ids[2]!),
      merge(ids[3]!, ids[2]!),
      merge(ids[5]!, ids[4]!, ids[3]!),
      merge(ids[1]!, ids[5]!),
      merge(ids[2]!, ids[0]!),
    ])
    expect(answers.map(({ error }) => error)).toEqual(answers.map(() => undefined))
    const all = { own0: 0, own1: 1, own2: 2, own3: 3, own4: 4, own5: 5 }
    expect(await readAll(ids)).toEqual(ids.map(() => all))
    expect(await listPerson(ids[4]!)).toHaveLength(6)
    await Promise.all([
      split(ids[0]!),
      split(ids[3]!),
      merge(ids[1]!, ids[2]!),
      split(ids[5]!),
    ])
    expect(await readAll([ids[0]!, ids[3]!, ids[5]!])).toEqual([
      { own0: 0 },
      { own3: 3 },
      { own5: 5 },
    ])
    expect(await read(ids[1]!)).toEqual({ own1: 1, own2: 2, own4: 4 })
  }
})

test('no write is lost that runs while users are merged and split', async () => {
  const [ana, ben] = await newUsers(2)
  const written: Record<string, Payload> = { [ana!]: {}, [ben!]: {} }
  let isRunning = true
  const write = async (id: string) => {
    for (let n = 0; isRunning; n++) {
      const payload = { [`${id}-${n}`]: n }
      const { error } = await patch(id, payload)
      expect(error).toBeUndefined()
      Object.assign(written[id]!, payload)
    }
  }
  const writers = [write(ana!), write(ben!), write(ana!), write(ben!)]
  for (let n = 0; n < 10; n++) {
    expect((await merge(ana!, ben!)).error).toBeUndefined()
    expect((await split(n % 2 === 0 ? ana! : ben!)).error).toBeUndefined()
  }
  isRunning = false
  await Promise.all(writers)
  expect(await readAll([ana!, ben!])).toEqual([written[ana!], written[ben!]])
  await merge(ana!, ben!)
  expect(await read(ben!)).toEqual({ ...written[ana!], ...written[ben!] })
})

test('deletions and whole writes during a merge hold for the person', async () => {
  for (let round = 0; round < 10; round++) {
    const [ana, ben] = await newUsers(2)
    await patch(ana!, { a: 1 })
    await patch(ben!, { b: 1 }, 'other')
    const replies = await Promise.all([
      merge(ana!, ben!),
      set(ben!, null, 'other'),
      set(ana!, { whole: true }),
    ])
    expect(replies.map(({ error }) => error)).toEqual([undefined, undefined, undefined])
    expect([await read(ana!, 'other'), await read(ben!, 'other')]).toEqual([
      undefined,
      undefined,
    ])
    expect(await readAll([ana!, ben!])).toEqual([{ whole: true }, { whole: true }])
  }
})

test('an Idempotency-Key merges once, and members leave an audit entry', async () => {
  const [ana, ben] = await newUsers(2)
  const request = {
    headers: { ...scene.asBot, 'idempotency-key': 'merge-once' },
    body: { userIds: [ben] },
  }
  const path = `/v1/platform/users/${ana}/merge`
  const first = await scene.call('POST', path, request)
  await split(ben!)
  const second = await scene.call('POST', path, request)
  expect(second.body).toEqual(first.body)
  expect(await listPerson(ana!)).toEqual([ana])
  const { rows } = await sql<{ operation: string }>`select operation from audit_record
    where target_id = ${ana}`.execute(scene.app.services.db)
  expect(rows.map(({ operation }) => operation)).toContain('platform.mergeUsers')
})

test('the conversations of a person are found by any of its users', async () => {
  const [ana, ben] = await newUsers(2)
  const conversations = await Promise.all(
    [ana, ben].map(async (userId) => {
      const body = { channel: 'channel', integrationName: 'chat', tags: {} }
      const { conversation } = (await call('POST', 'chat/conversations', body)).body
      await call('POST', `chat/conversations/${conversation.id}/participants`, { userId })
      return conversation.id
    }),
  )
  await merge(ana!, ben!)
  const found = async (query: string) =>
    (
      await call('GET', `platform/conversations?userId=${ben}${query}`)
    ).body.conversations.map(
      ({ conversation }: { conversation: { id: string } }) => conversation.id,
    )
  expect(await found('')).toEqual([conversations[1]])
  expect((await found('&ofPerson=true')).sort()).toEqual([...conversations].sort())
})
