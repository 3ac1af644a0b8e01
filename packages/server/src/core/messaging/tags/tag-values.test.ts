// Values of tags: the table that triggers maintain is compared with a model, and each caller sees
// only its own tags.
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMessaging, ours } from '../../../../test/support/messaging-rows.ts'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../../test/support/runtime-scene.ts'
import {
  createConversation,
  deleteConversation,
  updateConversation,
} from '../conversations.ts'
import { deleteMessage, updateMessage } from '../messages/messages.ts'
import { createUser, deleteUser, updateUser } from '../users.ts'
import { listTagValues } from './tag-values.ts'
import { storedName, type Viewer } from './tags.ts'

let messaging: Awaited<ReturnType<typeof openMessaging>>
let scene: RuntimeScene
beforeAll(async () => {
  messaging = await openMessaging()
  // Without declarations, every tag name is allowed.
  await sql`
    update integration
    set definition = definition
      #- '{user,tags}' #- '{channels,dm,conversation,tags}' #- '{channels,dm,message,tags}'
  `.execute(messaging.db)
  scene = await openRuntimeScene()
})
afterAll(async () => {
  await messaging?.close()
  await scene?.close()
})

const kinds = ['user', 'conversation', 'message'] as const
type Kind = (typeof kinds)[number]
const hostile = [
  '__proto__',
  'constructor',
  'toString',
  'a.b',
  'a/b',
  '💥',
  "'; drop table tag_value; --",
  '%',
  'é',
  ' ',
  '{}',
  'x'.repeat(5_000),
  'plugin#kind',
]
const key = fc.constantFrom('id', 'room', ...hostile)
const value = fc.oneof(
  fc.constantFrom('a', 'b', 'ä', 'A', '10', '9', '\u202e', '💥'),
  fc.string({ minLength: 1, maxLength: 20 }).map(clean),
  fc.constant('y'.repeat(500)),
)
function clean(text: string) {
  return text.replaceAll('\0', 'x').toWellFormed() || 'x'
}
const tags = fc.dictionary(key, value, { maxKeys: 3, noNullPrototype: false })
const changes = fc.dictionary(key, fc.oneof(value, fc.constant(null), fc.constant('')), {
  maxKeys: 3,
  noNullPrototype: false,
})
const step = fc.oneof(
  fc.record({ do: fc.constant('make' as const), kind: fc.constantFrom(...kinds), tags }),
  fc.record({ do: fc.constant('change' as const), which: fc.nat(), tags: changes }),
  fc.record({ do: fc.constant('remove' as const), which: fc.nat() }),
)

test('lists the same values as a model after random creations, changes and deletions', async () => {
  const { db, post } = messaging
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.constantFrom<Viewer>('tg', null),
      async (steps, viewer) => {
        await sql`delete from conversation`.execute(db)
        await sql`delete from "user" where id <> bot_id`.execute(db)
        const home = await createConversation(db, ours, 'tg', {
          integration: 'tg',
          channel: 'dm',
        })
        const things: { kind: Kind; id: string; tags: Map<string, string> }[] = []
        const make = async (kind: Kind, tags: Record<string, string>) => {
          if (kind === 'user')
            return createUser(db, ours, viewer, { integration: 'tg', tags })
          if (kind === 'conversation')
            return createConversation(db, ours, viewer, {
              integration: 'tg',
              channel: 'dm',
              tags,
            })
          return post({
            conversationId: home.id,
            userId: ours,
            tags: Object.fromEntries(
              Object.entries(tags).map(([k, v]) => [storedName(k, viewer), v]),
            ),
          })
        }
        const change = {
          user: updateUser,
          conversation: updateConversation,
          message: updateMessage,
        }
        const remove = {
          user: deleteUser,
          conversation: deleteConversation,
          message: deleteMessage,
        }
        for (const step of steps) {
          if (step.do === 'make') {
            things.push({
              kind: step.kind,
              id: (await make(step.kind, step.tags)).id,
              tags: new Map(Object.entries(step.tags)),
            })
            continue
          }
          const thing = things[step.which % (things.length || 1)]
          if (!thing) continue
          if (step.do === 'remove') {
            await remove[thing.kind](db, ours, thing.id, viewer)
            things.splice(things.indexOf(thing), 1)
            continue
          }
          await change[thing.kind](db, ours, thing.id, viewer, { tags: step.tags })
          for (const [name, value] of Object.entries(step.tags))
            value ? thing.tags.set(name, value) : thing.tags.delete(name)
        }
        for (const kind of kinds)
          for (const name of ['id', 'room', ...hostile]) {
            const expected = [
              ...new Set(
                things
                  .filter((thing) => thing.kind === kind)
                  .flatMap(({ tags }) => tags.get(name) ?? []),
              ),
            ].sort(byBytes)
            expect(
              await listTagValues(db, ours, viewer, {
                key: name,
                kind,
                position: null,
                limit: 99,
              }),
            ).toEqual(expected)
            const other = viewer === null ? 'tg' : null
            expect(
              await listTagValues(db, ours, other, {
                key: name,
                kind,
                position: null,
                limit: 99,
              }),
            ).toEqual([])
            expect(
              await listTagValues(db, ours, null, {
                key: storedName(name, viewer),
                kind,
                position: null,
                limit: 99,
              }),
            ).toEqual(expected)
          }
      },
    ),
    { numRuns: 40 },
  )
  await sql`delete from conversation`.execute(db)
  await sql`delete from "user"`.execute(db)
  expect((await sql`select * from tag_value`.execute(db)).rows).toEqual([])
}, 60_000)

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

const call = (
  as: 'asTg' | 'asOther' | 'asBot' | 'asStranger',
  line: string,
  body?: unknown,
) => {
  const [method, path] = line.split(' ') as ['GET', string]
  return scene.call(method, `/v1/chat/${path}`, { headers: scene[as], body })
}
const values = async (
  as: Parameters<typeof call>[0],
  key: string,
  query = 'type=user',
) => {
  const { status, body } = await call(
    as,
    `GET tags/${encodeURIComponent(key)}/values?${query}`,
  )
  return status === 200
    ? body.tags.map(({ value }: { value: string }) => value)
    : body.type
}

test('each caller uses its own tag names and sees only its own values', async () => {
  for (const id of ['b', 'a', 'c', 'a'])
    await call('asTg', 'POST users', { tags: { id } })
  await call('asOther', 'POST users', { tags: { id: 'theirs' } })
  await call('asBot', 'POST users', { tags: { id: 'own', 'plugin#kind': 'p' } })
  await call('asStranger', 'POST users', { tags: { id: 'foreign' } })
  expect(await values('asTg', 'id')).toEqual(['a', 'b', 'c'])
  expect(await values('asOther', 'id')).toEqual(['theirs'])
  expect(await values('asBot', 'tg:id')).toEqual(['a', 'b', 'c'])
  expect(await values('asBot', 'id')).toEqual(['own'])
  expect(await values('asBot', 'plugin#kind')).toEqual(['p'])
  expect(await values('asTg', 'tg:id')).toEqual([])
  expect(await values('asTg', 'id', 'type=conversation')).toEqual([])
  expect(await values('asTg', '__proto__')).toEqual([])
  for (const query of [
    '',
    'type=file',
    'type=user&pageSize=0',
    'type=user&pageSize=1001',
    'type=user&nextToken=x',
  ])
    expect(await values('asTg', 'id', query), query).toBe('InvalidQuery')
  expect(await values('asTg', '\0')).toBe('InvalidPayload')
})

test('pages have no repeats or gaps while values are added', async () => {
  for (let i = 0; i < 30; i++)
    await call('asTg', 'POST users', { tags: { lang: `l${String(i).padStart(2, '0')}` } })
  const seen: string[] = []
  for (let token: string | undefined = '', page = 0; token !== undefined; page++) {
    const { body }: Awaited<ReturnType<typeof call>> = await call(
      'asTg',
      `GET tags/lang/values?type=user&pageSize=7${token && `&nextToken=${token}`}`,
    )
    seen.push(...body.tags.map(({ value }: { value: string }) => value))
    token = body.meta.nextToken
    await call('asTg', 'POST users', {
      tags: { lang: `l${String(page).padStart(2, '0')}-new` },
    })
  }
  expect(seen.filter((one) => !one.endsWith('-new'))).toEqual(
    Array.from({ length: 30 }, (_, i) => `l${String(i).padStart(2, '0')}`),
  )
  expect(new Set(seen).size).toBe(seen.length)
})
