// Lists and objects in query strings, in each notation that clients use, for all APIs.
import { type Family, families } from '@botstead/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScene } from '../../../../test/support/scene.ts'

const scene = await openScene()
afterAll(() => scene.close())

const list = async (path: string, headers: Record<string, string>) =>
  scene.call('GET', path, { headers })
const notations = [
  'NAME=VALUE',
  'NAME[]=VALUE',
  'NAME%5B%5D=VALUE',
  'NAME[0]=VALUE',
  'NAME%5B7%5D=VALUE',
]
const written = (notation: string, name: string, value: string) =>
  notation.replace('NAME', name).replace('VALUE', value)

describe.each(notations)('reads %s', (notation) => {
  test('of bots', async () => {
    const found = async (value: string) =>
      (
        await list(
          `/v1/admin/bots?${written(notation, 'integrationNames', value)}`,
          scene.admin,
        )
      ).body.bots
    expect(await found('chat')).toHaveLength(1)
    expect(await found('unknown')).toEqual([])
  })

  test('of files', async () => {
    const found = async (value: string) =>
      (await list(`/v1/files?${written(notation, 'ids', value)}`, scene.asBot)).body.files
    expect(await found('file_unknown')).toEqual([])
  })

  test('of values of a tag', async () => {
    const found = async (value: string) =>
      (await list(`/v1/files?${written(notation, 'tags.colour', value)}`, scene.asBot))
        .body.files
    expect(await found('red')).toHaveLength(1)
    expect(await found('blue')).toEqual([])
  })
})

test('finds bots by a package that more than a thousand bots have', async () => {
  const { db } = scene.app.services
  const body = { name: 'Other' }
  const other = await scene.call('POST', '/v1/admin/workspaces', {
    headers: scene.admin,
    body,
  })
  await sql`
    with made as (
      insert into bot (id, workspace_id, name, signing_secret)
      select 'bot_' || lpad(i::text, 26, '0'),
        case when i > 2 then ${other.body.id} else ${scene.workspaceId} end, 'many', ''
      from generate_series(1, 1020) i returning id
    )
    insert into installation (bot_id, alias, integration_id, webhook_id, configuration)
    select made.id, 'chat', integration_id, made.id, '' from made cross join (
      select integration_id from installation where bot_id = ${scene.botId} and alias = 'chat') known
    where made.id not like '%02'`.execute(db)
  const { bots } = (await list('/v1/admin/bots?integrationNames[]=chat', scene.admin))
    .body
  const ids = bots.map(({ id }: { id: string }) => id)
  expect(ids.toSorted()).toEqual([`bot_${'1'.padStart(26, '0')}`, scene.botId])
  await sql`delete from bot where name = 'many'`.execute(db)
})

beforeAll(async () => {
  const body = { key: 'a.txt', size: 1, tags: { colour: 'red' } }
  await scene.call('PUT', '/v1/files', { headers: scene.asBot, body })
  await scene.call('POST', '/v1/tables', {
    headers: scene.asBot,
    body: { name: 'RedTable', schema: {}, tags: { colour: 'red' } },
  })
})

test.each([
  'tags=%7B%22colour%22:%22COLOUR%22%7D',
  'tags.colour=COLOUR',
  'tags[colour]=COLOUR',
  'tags%5Bcolour%5D=COLOUR',
  'tags[colour][in][0]=COLOUR&tags[colour][in][1]=other',
  'tags.colour.in[]=COLOUR&tags.colour.in[]=other',
  'tags.colour=COLOUR&tags.colour=other',
])('finds files by %s', async (query) => {
  const found = async (colour: string) =>
    (await list(`/v1/files?${query.replaceAll('COLOUR', colour)}`, scene.asBot)).body
      .files
  expect(await found('red')).toHaveLength(1)
  expect(await found('blue')).toEqual([])
})

test.each(['tags.colour=COLOUR', 'tags[colour]=COLOUR'])(
  'finds tables by %s',
  async (query) => {
    const found = async (colour: string) =>
      (await list(`/v1/tables?${query.replace('COLOUR', colour)}`, scene.asBot)).body
        .tables
    expect(await found('red')).toHaveLength(1)
    expect(await found('blue')).toEqual([])
  },
)

const unreadable = [
  'NAME[=x',
  'NAME]=x&NAME[a]=x',
  'NAME[]x=1',
  'NAME[][a]=x',
  'NAME..a=x',
  'NAME.=x',
  'NAME[a]=x',
  'NAME[-1]=x',
  'NAME[0][a]=x',
  'NAME[0]=x&NAME[]=y',
  'NAME=x&NAME[0]=y',
  'NAME=x&NAME.a=y',
  'NAME[prototype]=x',
  'NAME.constructor.prototype=x',
]

const operations = Object.values(families as Record<string, Family>).flatMap(
  ({ prefix, served }) =>
    Object.values(served).flatMap((group) =>
      Object.entries(group).map(([name, operation]) => ({ name, prefix, ...operation })),
    ),
)
type Properties = Record<string, { type?: string }>
const listed = operations.flatMap(({ name, prefix, path, access, query }) => {
  const properties = (query as { properties?: Properties } | undefined)?.properties ?? {}
  const lists = Object.keys(properties).filter((one) => properties[one]!.type === 'array')
  return lists.map((parameter) => {
    const others = lists.filter((one) => one !== parameter).map((one) => `&${one}=x`)
    return { name, path: prefix + path, access, parameter, others: others.join('') }
  })
})

test('finds parameters that are lists in several APIs', () =>
  expect(listed.length).toBeGreaterThan(8))

describe.each(listed)(
  'the parameter $parameter of $name',
  ({ path, access, parameter, others }) => {
    const headers = access === 'bot' ? scene.asBot : scene.admin
    const url = path.replaceAll(/\{\w+\}/g, scene.botId)

    test.each(unreadable)('rejects %s', async (query) => {
      const text = query.replaceAll('NAME', parameter) + others
      const { status, body } = await list(`${url}?${text}`, headers)
      expect({ status, type: body.type }).toEqual({ status: 400, type: 'InvalidQuery' })
      expect(body.message).toContain(parameter)
    })
  },
)

test('accepts huge and sparse indexes', async () => {
  const query =
    'integrationNames[999999999999999]=chat&integrationNames[4294967296]=unknown'
  const { body } = await list(`/v1/admin/bots?${query}`, scene.admin)
  expect(body.bots).toHaveLength(1)
})

test('rejects keys that would change prototypes', async () => {
  const { status, body } = await list('/v1/files?ids[__proto__]=x', scene.asBot)
  expect([status, body.message]).toEqual([400, expect.stringContaining('__proto__')])
})

test('rejects a query with too many parameters', async () => {
  const query = Array.from({ length: 1_001 }, (_, i) => `ids[${i}]=x`).join('&')
  const { status, body } = await list(`/v1/files?${query}`, scene.asBot)
  expect([status, body.message]).toEqual([
    400,
    expect.stringContaining('1000 parameters'),
  ])
})

test('ignores unknown parameters', async () => {
  const { status, body } = await list(
    '/v1/files?utm[source]=x&a..b=1&constructor[x]=1',
    scene.asBot,
  )
  expect([status, body.message]).toEqual([200, undefined])
})
