// The words by which rows of tables are found: the same as those of messages and knowledge.
import type { Client } from '@botpress/client'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'

let scene: Scene
let client: Client
beforeAll(async () => {
  scene = await openScene()
  client = await scene.openClient({ botId: scene.botId })
})
afterAll(() => scene?.close())

let made = 0
async function createRows(texts: string[]): Promise<string> {
  const table = `Words${++made}Table`
  const name = { type: 'string', 'x-zui': { searchable: true } }
  await client.createTable({
    name: table,
    schema: { type: 'object', properties: { name } },
  })
  await client.createTableRows({ table, rows: texts.map((text) => ({ name: text })) })
  return table
}
const search = async (table: string, words: string) =>
  (await client.findTableRows({ table, search: words })).rows.map(({ name }) => name)

test.each([
  ['Error E-4021', ['E4021', 'E-4021', 'e 4021', 'E.4021', 'Ｅ４０２１']],
  [
    'Order AB-1234/5',
    ['AB12345', 'AB-1234-5', 'AB 1234 5', 'AB1234/5', 'ab-1234/5', 'AB-1234'],
  ],
  ['Part 12.345.678', ['12345678', '12 345 678', "12'345'678", '12,345,678', '١٢٣٤٥٦٧٨']],
  ['Version v2.10.1', ['2.10.1', 'v2.10.1', 'v2101']],
  ['Call +41 44 123 45 67', ['44 123 45 67', '41441234567']],
  ['Straße in Zürich', ['strasse', 'STRASSE', 'zurich', 'Zürich', 'Zu\u0308rich']],
  ['Łódź, København, Þór', ['lodz', 'kobenhavn', 'thor']],
  ['ISPARTA ırmak', ['isparta', 'ısparta', 'irmak', 'IRMAK']],
  ['Αθήνα', ['αθηνα', 'ΑΘΗΝΑ']],
  ['شَاي أخضر', ['شاي', 'أخضر']],
  ['کتاب', ['كتاب']],
  ['फूल', ['फूल']],
  ['東京タワー', ['東京', 'タワー', '京タ']],
  ['서울에서 만나요', ['서울', '서울에서']],
  ['ข้าวผัดกุ้ง', ['ข้าว', 'ผัด']],
  ['createMessage file_id', ['createMessage', 'create', 'file_id', 'file id']],
  ['wi-fi router, e-mail', ['wifi', 'wi-fi', 'wi fi', 'email']],
  ['soft\u00adware zero\u200bwidth', ['software', 'zerowidth']],
  ['two chairs', ['chair', 'chairs', 'chaors']],
])('finds the row %j by %j', async (text, queries) => {
  const table = await createRows(['something else', text])
  for (const query of queries)
    expect([query, (await search(table, query))[0]]).toEqual([query, text])
})

test('finds codes exactly, and words with one typo', async () => {
  const table = await createRows(['AB-1234', 'AB-1235', 'फल', 'फूल', 'chair'])
  expect(await search(table, 'AB1235')).toEqual(['AB-1235'])
  expect(await search(table, '1234')).toEqual(['AB-1234'])
  expect(await search(table, 'फल')).toEqual(['फल'])
  expect(await search(table, 'chaur')).toEqual(['chair'])
})

test('ranks the row with the whole code above those with its parts', async () => {
  const table = await createRows(['1234 pieces of AB', 'AB-1234', 'AB-12345'])
  expect((await search(table, 'AB 1234'))[0]).toBe('AB-1234')
})

test('replaces the words of rows from before an upgrade', async () => {
  const table = await createRows(['Error E-4021', 'Error E-4022'])
  const { db } = scene.app.services
  await sql`update table_row_terms set terms = array_to_tsvector(array['x'])`.execute(db)
  expect(await search(table, 'E4021')).toEqual([])
  await sql`insert into table_terms_refill (bot_id, bot_table_id)
    select bot_id, bot_table_id from bot_table on conflict do nothing`.execute(db)
  await expect
    .poll(async () => (await sql`select from table_terms_refill`.execute(db)).rows, {
      timeout: 20_000,
    })
    .toEqual([])
  expect(await search(table, 'E4021')).toEqual(['Error E-4021'])
})
