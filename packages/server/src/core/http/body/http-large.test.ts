// Bodies of many megabytes, which Admin and Tables accept: exact limits, a few at a time, about
// once in memory, and without delay for other requests.
import { request as send } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'

const limit = 40 * 1_048_576
let scene: Scene
let url: URL
/** A body of the maximum size: a thousand invalid rows, then spaces. */
let body: Buffer
beforeAll(async () => {
  // Checking such responses against the contract takes longer than creating them.
  scene = await openScene({ config: { checkAnswers: false } })
  url = new URL(await scene.listen())
  await scene.call('POST', '/v1/tables', {
    headers: scene.asBot,
    body: {
      name: 'LargeTable',
      factor: 30,
      schema: { text: { type: 'string' }, n: { type: 'number' } },
    },
  })
  const text = Buffer.from(
    JSON.stringify({ rows: createRows(1000).map((row) => ({ ...row, n: 'none' })) }),
  )
  body = Buffer.concat([text, Buffer.alloc(limit - text.length, ' ')])
})
afterAll(() => scene?.close())

const createRows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    n,
    text: `"ü"${String(n).padStart(41_000, 'x')}`,
  }))

interface Answer {
  status: number
  text: string
}

/** Sends the last byte after `beforeEnd`. */
function post(
  path: string,
  bytes: Buffer,
  more: Record<string, string> = {},
  beforeEnd?: () => Promise<void>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { ...scene.asBot, 'content-type': 'application/json', ...more }
    const request = send(
      { host: url.hostname, port: url.port, path, method: 'POST', headers },
      (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk) => chunks.push(chunk))
        reply.on('end', () =>
          resolve({ status: reply.statusCode!, text: Buffer.concat(chunks).toString() }),
        )
      },
    )
    request.on('error', reject)
    if (!beforeEnd) request.end(bytes)
    else
      request.write(
        bytes.subarray(0, -1),
        () => void beforeEnd().then(() => request.end(bytes.subarray(-1))),
      )
  })
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
/** Returns the bytes in use after garbage collection. */
function heldBytes(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('holds a body of 40 MB about once in memory, and answers other requests meanwhile', {
  timeout: 120_000,
}, async () => {
  const before = heldBytes()
  let maxHeld = 0
  let isDone = false
  let meanwhile = 0
  const look = async () => {
    maxHeld = heldBytes() - before
  }
  const large = post(
    '/v1/tables/LargeTable/rows',
    body,
    { 'content-length': String(limit) },
    look,
  ).finally(() => (isDone = true))
  for (; !isDone; meanwhile++)
    await fetch(new URL('/v1/tables', url), { headers: scene.asBot })
  const { status, text } = await large
  expect(status).toBe(200)
  const { rows, errors } = JSON.parse(text)
  const last = 'rows[99]: "n" must be a number, not "none"'
  expect([rows, errors[99], errors.length]).toEqual([[], last, 101])
  expect(meanwhile).toBeGreaterThan(20)
  // The complete bytes and the complete parsed value together would be twice as much.
  expect(maxHeld / limit).toBeLessThan(1.6)
})

test('writes and returns rows of many megabytes, once per idempotency key', {
  timeout: 120_000,
}, async () => {
  const rows = createRows(110)
  const add = (rows: unknown[], key: string) =>
    post(
      '/v1/tables/LargeTable/rows',
      Buffer.from(JSON.stringify({ rows, waitComputed: false })),
      {
        'idempotency-key': key,
      },
    )
  const { status, text } = await add(rows, 'many')
  const answer = JSON.parse(text)
  expect([status, answer.rows.length, answer.errors, answer.rows[109]]).toMatchObject([
    200,
    110,
    undefined,
    { id: 110, ...rows[109] },
  ])
  const inAnotherOrder = rows.map(({ n, text }) => ({ text, n }))
  expect((await add(inAnotherOrder, 'many')).text).toBe(text)
  expect((await add([...rows, { n: 1, text: '' }], 'many')).status).toBe(409)
})

test('rejects one byte more, and invalid JSON of the maximum size', {
  timeout: 60_000,
}, async () => {
  expect(
    await post('/v1/tables/LargeTable/rows', Buffer.concat([body, Buffer.from(' ')])),
  ).toMatchObject({
    status: 413,
  })
  const broken = Buffer.from(body)
  broken[broken.indexOf('}')] = 44
  const { status, text } = await post('/v1/tables/LargeTable/rows', broken)
  expect([status, JSON.parse(text).type]).toEqual([400, 'InvalidPayload'])
})

test('queues large bodies over the capacity, and frees the capacity of disconnected clients', {
  timeout: 120_000,
}, async () => {
  const five = Buffer.concat([
    Buffer.from('{"rows":[{"n":1}]'),
    Buffer.alloc(5 * 1_048_576, ' '),
    Buffer.from('}'),
  ])
  for (let round = 0; round < 4; round++) {
    const headers = {
      ...scene.asBot,
      'content-type': 'application/json',
      'content-length': String(five.length),
    }
    const leaver = send({
      host: url.hostname,
      port: url.port,
      path: '/v1/tables/LargeTable/rows',
      method: 'POST',
      headers,
    })
    leaver.on('error', () => {})
    await new Promise<void>((resolve) =>
      leaver.write(five.subarray(0, -100), () => resolve()),
    )
    leaver.destroy()
  }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => post('/v1/tables/LargeTable/rows', five)),
  )
  expect(answers.map(({ status }) => status)).toEqual(
    Array.from({ length: 8 }, () => 200),
  )
})
