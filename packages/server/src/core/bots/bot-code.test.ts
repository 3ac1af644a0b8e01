// Code of bots, integrations and versions is read from PostgreSQL in pieces.
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { findIntegrationCode } from '../catalog/integrations/integration-code.ts'
import { deployCode, findCode, readCode } from './bot-code.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const pieceBytes = 524_288

/** Notes how long each value of a result is. */
function noteSizes(sizes: number[]): KyselyPlugin {
  return {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      for (const value of result.rows.flatMap((row) => Object.values(row)))
        sizes.push((value as string).length)
      return result
    },
  }
}

/** Except the null byte and halves of pairs, which the database cannot store. */
function allCharacters(): string {
  const codes = Array.from({ length: 0x110000 }, (_, code) => code)
  const storable = codes.filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
  return storable.map((code) => String.fromCodePoint(code)).join('')
}

const texts: [string, string][] = [
  ['empty', ''],
  ['of one character', 'x'],
  ['of exactly one piece', 'x'.repeat(pieceBytes)],
  ['of one byte more than a piece', 'x'.repeat(pieceBytes + 1)],
  ...[1, 2, 3].map((shift): [string, string] => [
    `with characters over each end of a piece, by ${shift}`,
    'x'.repeat(shift) + '😀'.repeat((5 * pieceBytes) / 4),
  ]),
  ['with characters of all lengths', 'xé漢😀\ufeff\u0085\r\n'.repeat(300_000)],
  ['with all characters', allCharacters()],
]

test.each(texts)('reads code in pieces: %s', async (_, text) => {
  const sizes: number[] = []
  const db = scene.app.services.db.withPlugin(noteSizes(sizes))
  const bytes = await readCode(db, sql`select ${Buffer.from(text)}::text`)
  expect(bytes?.equals(Buffer.from(text))).toBe(true)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(pieceBytes)
})

test('finds no code', async () => {
  expect(await readCode(scene.app.services.db, sql`select 'a' where false`)).toBeNull()
})

test.each(texts)('finds the code of a bot as it was deployed: %s', async (_, code) => {
  const { db } = scene.app.services
  const { id } = (
    await scene.call('POST', '/v1/admin/bots', {
      headers: scene.admin,
      body: { name: 'large' },
    })
  ).body.bot
  expect(await findCode(db, id)).toBeNull()
  await deployCode(db, id, code)
  expect((await findCode(db, id))?.equals(Buffer.from(code))).toBe(true)
})

test('finds the code of an integration in pieces, as it was deployed', async () => {
  const code = `exports.handler = () => {} // ${'é漢😀'.repeat(200_000)}`
  const { body } = await scene.call('POST', '/v1/admin/integrations', {
    headers: scene.admin,
    body: { name: 'large', version: '1.0.0', code },
  })
  const sizes: number[] = []
  const db = scene.app.services.db.withPlugin(noteSizes(sizes))
  const found = await findIntegrationCode(db, body.integration.id)
  expect(found?.equals(Buffer.from(code))).toBe(true)
  expect(sizes.length).toBeGreaterThan(1)
})

test('a version returns large code as it was stored', async () => {
  const call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
    scene.call(method, `/v1/admin/bots${path}`, {
      headers: scene.admin,
      ...(body && { body }),
    })
  const code = `exports.handler = () => {} // ${'é漢😀'.repeat(200_000)}`
  const { id } = (await call('POST', '', { name: 'versions', code })).body.bot
  const { id: versionId } = (await call('POST', `/${id}/versions`, { name: 'one' })).body
    .version
  await call('PUT', `/${id}`, { code: 'exports.handler = () => {}' })
  expect((await call('POST', `/${id}/versions/deploy`, { versionId })).status).toBe(200)
  expect(String(await findCode(scene.app.services.db, id)) === code).toBe(true)
  expect((await call('GET', `/${id}/bot-json`)).body.code === code).toBe(true)
})
