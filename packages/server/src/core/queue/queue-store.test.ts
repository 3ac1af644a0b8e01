// Assumptions of the queue's model about the real statements.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { createLaneStore } from './store.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

test('only the owner of a lane reads it, also when the owner has changed', async () => {
  const { db, database } = scene.app.services
  const store = createLaneStore(database)
  const lane = { botId: scene.botId, lane: 'conv_1' }
  // Otherwise the scene's server takes the lane over.
  await sql`insert into worker (id, host, pid, alive_until)
    values ('one', 'h', 1, 'infinity'), ('other', 'h', 1, 'infinity')`.execute(db)
  await sql`
    with lane as (
      insert into lane (bot_id, key, owner, pending, last_number)
      values (${scene.botId}, 'conv_1', 'one', 1, 1))
    insert into delivery (bot_id, lane, number, id, kind, subject_id)
    values (${scene.botId}, 'conv_1', 1, 'dlv_1', 'event', 'evt_1')`.execute(db)
  expect((await store.load('one', lane, '0', 10)).map(({ id }) => id)).toEqual(['dlv_1'])
  expect(await store.load('other', lane, '0', 10)).toEqual([])
  await sql`update lane set owner = 'other' where bot_id = ${scene.botId} and key = 'conv_1'`.execute(
    db,
  )
  expect(await store.load('one', lane, '0', 10)).toEqual([])
  expect(await store.load('other', lane, '0', 10)).toHaveLength(1)
  expect(await store.load('other', lane, '1', 10)).toEqual([])
})
