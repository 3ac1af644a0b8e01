// Bodies of many megabytes, which Admin and Tables let in: exact at the byte, a few at a time, and nobody else waits for them.
import { request as send } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from './scene.ts'

const limit = 40 * 1_048_576
let scene: Scene
let url: URL
/** As large as may be: a thousand rows, none of which can be kept, and space around. */
let body: Buffer
beforeAll(async () => {
  // Comparing such answers with the contract takes longer than making them.
  scene = await openScene({ config: { checkAnswers: false } })
  url = new URL(await scene.listen())
  await scene.call('POST', '/v1/tables', {
    headers: scene.asBot,
    body: { name: 'LargeTable', factor: 30, schema: { text: { type: 'string' }, n: { type: 'number' } } },
  })
  const text = Buffer.from(JSON.stringify({ rows: rowsOf(1000).map((row) => ({ ...row, n: 'none' })) }))
  body = Buffer.concat([text, Buffer.alloc(limit - text.length, ' ')])
})
afterAll(() => scene?.close())

const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ n, text: `"ü"${String(n).padStart(41_000, 'x')}` }))

interface Answer {
  status: number
  text: string
}

/** `sent` is told when all of it has left. */
function post(path: string, bytes: Buffer, sent = () => {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { ...scene.asBot, 'content-type': 'application/json' }
    const asked = send({ host: url.hostname, port: url.port, path, method: 'POST', headers }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk) => chunks.push(chunk))
      reply.on('end', () => resolve({ status: reply.statusCode!, text: Buffer.concat(chunks).toString() }))
    })
    asked.on('error', reject)
    asked.on('finish', sent)
    asked.end(bytes)
  })
}

test('while a body of 40 MB is parsed, others are answered again and again', { timeout: 120_000 }, async () => {
  let isSent = false
  let isDone = false
  const large = post('/v1/tables/LargeTable/rows', body, () => (isSent = true)).finally(() => (isDone = true))
  let meanwhile = 0
  while (!isDone) {
    await fetch(new URL('/v1/tables', url), { headers: scene.asBot })
    if (isSent && !isDone) meanwhile++
  }
  const { status, text } = await large
  expect(status).toBe(200)
  const { rows, errors } = JSON.parse(text)
  expect([rows, errors[99], errors.length]).toEqual([[], 'rows[99]: "n" must be a number', 101])
  // Parsed as a whole, it would keep them waiting for all of the time, but between one step and the next.
  expect(meanwhile).toBeGreaterThan(20)
})

test('rows of many megabytes are written, and come back', { timeout: 120_000 }, async () => {
  const { status, text } = await post('/v1/tables/LargeTable/rows', Buffer.from(JSON.stringify({ rows: rowsOf(110) })))
  const { rows, errors } = JSON.parse(text)
  expect([status, rows.length, errors, rows[109]]).toMatchObject([200, 110, undefined, { id: 110, ...rowsOf(110)[109] }])
})

test('one byte more is too many, and a broken one of that size is refused', { timeout: 60_000 }, async () => {
  expect(await post('/v1/tables/LargeTable/rows', Buffer.concat([body, Buffer.from(' ')]))).toMatchObject({ status: 413 })
  const broken = Buffer.from(body)
  broken[broken.indexOf('}')] = 44
  const { status, text } = await post('/v1/tables/LargeTable/rows', broken)
  expect([status, JSON.parse(text).type]).toEqual([400, 'InvalidPayload'])
})

test('more than may be held at a time wait for their turn, and who goes away keeps no place', { timeout: 120_000 }, async () => {
  const five = Buffer.concat([Buffer.from('{"rows":[{"n":1}]'), Buffer.alloc(5 * 1_048_576, ' '), Buffer.from('}')])
  for (let round = 0; round < 4; round++) {
    const headers = { ...scene.asBot, 'content-type': 'application/json', 'content-length': String(five.length) }
    const leaver = send({ host: url.hostname, port: url.port, path: '/v1/tables/LargeTable/rows', method: 'POST', headers })
    leaver.on('error', () => {})
    await new Promise<void>((resolve) => leaver.write(five.subarray(0, -100), () => resolve()))
    leaver.destroy()
  }
  const answers = await Promise.all(Array.from({ length: 8 }, () => post('/v1/tables/LargeTable/rows', five)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
})
