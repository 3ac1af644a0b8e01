// Values that JavaScript, JSON or the database treat specially: the server stores them unchanged or
// rejects them with their path, never with a 500.
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { expectTyped } from '../../../../test/support/raw-http.ts'
import { openStoredPayloads } from '../../../../test/support/stored-payloads.ts'
import { parseJson } from './json.ts'

const { scene, user, chat, post, toEvent, keep, expectKept, expectNotKept } =
  await openStoredPayloads()
afterAll(() => scene.close())

const nested = (depth: number, open = '{"a":', close = '}') =>
  `${open.repeat(depth)}1${close.repeat(depth)}`

describe('depth', () => {
  test('stores 64 levels, including the enclosing ones', async () => {
    await expectKept(nested(63))
    await expectKept(`{"a":${nested(31, '[{"a":', '}]')}}`)
  })

  test.each([64, 65, 1_000, 5_000, 20_000, 100_000])(
    'rejects %i levels in the payload',
    (depth) => expectNotKept(nested(depth), 'nested deeper'),
  )

  test('rejects deep lists and unclosed brackets', async () => {
    await expectNotKept(nested(10_000, '[', ']'), 'nested deeper')
    expectTyped(400, (await post('/events', '['.repeat(500_000))).body, 'InvalidPayload')
  })

  test.each([
    ['Runtime', 'POST', '/v1/chat/messages', scene.asBot],
    ['Admin', 'PUT', `/v1/admin/bots/${scene.botId}`, scene.admin],
    ['Files', 'PUT', '/v1/files', scene.asBot],
    ['Tables', 'POST', '/v1/tables', scene.asBot],
  ] as const)('rejects deep bodies in the %s API', async (_, method, path, headers) => {
    const { status, body } = await scene.call(method, path, {
      headers: { ...headers, 'content-type': 'application/json' },
      body: `{"a":${nested(5_000)}}`,
    })
    expect(status).toBe(400)
    expect(body.message).toContain('nested deeper')
  })

  test('does not count brackets in texts', () =>
    expectKept(JSON.stringify({ text: '[{"'.repeat(1_000), back: '\\"[' })))
})

describe('keys', () => {
  const clean = Object.getOwnPropertyNames(Object.prototype).join()
  const odd = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'valueOf',
    'hasOwnProperty',
    '__defineGetter__',
    'toJSON',
    'then',
    '',
    '0',
    'length',
    '$ref',
  ]
  const key = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...odd) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
  )
  const { value } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>(
    (tie) => ({
      object: fc
        .array(fc.tuple(key, tie('value')), { maxLength: 4 })
        .map((entries) => entriesToJson(entries)),
      value: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        fc.string({ unit: 'binary', maxLength: 8 }),
        fc.double(),
        fc.constantFrom(null, true),
        tie('object'),
      ),
    }),
  )

  /** Creates only own properties, as JSON.parse does. */
  function entriesToJson(entries: [string, unknown][]): Record<string, unknown> {
    const object = {}
    for (const [name, value] of entries)
      Object.defineProperty(object, name, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    return object
  }

  test('does not change Object.prototype while parsing 100,000 objects', {
    timeout: 60_000,
  }, () => {
    let kept = 0
    let rejected = 0
    const many = fc.array(value, { minLength: 100, maxLength: 100, size: 'max' })
    fc.assert(
      fc.property(many, (values) => {
        for (const value of values) {
          const text = JSON.stringify({ value })
          try {
            if (
              JSON.stringify(parseJson(Buffer.from(text))) !== text ||
              text.includes('"__proto__":')
            )
              throw new Error(text)
            kept++
          } catch (error) {
            if ((error as { type?: string }).type !== 'InvalidPayload') throw error
            rejected++
          }
        }
        expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(clean)
      }),
      { numRuns: 1_000 },
    )
    expect(kept + rejected).toBe(100_000)
    expect(Math.min(kept, rejected)).toBeGreaterThan(2_000)
  })

  test('returns accepted objects unchanged through the API', async () => {
    const samples = fc.sample(
      value.filter((value) => typeof value === 'object' && value !== null),
      { numRuns: 100, seed: 7 },
    )
    let kept = 0
    const tryOne = async (sample: unknown) => {
      const text = JSON.stringify(sample)
      const { status, body } = await keep(text)
      if (status === 201)
        expect([++kept, body]).toEqual([expect.any(Number), JSON.parse(text)])
      else expectTyped(400, body, 'InvalidPayload')
    }
    await Promise.all(samples.map(tryOne))
    expect(kept).toBeGreaterThan(20)
    expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(clean)
  })

  test('rejects __proto__ at any depth, escaped or not', async () => {
    await expectNotKept('{"a":[{"__proto__":{"polluted":1}}]}', '/payload/a/0')
    await expectNotKept('{"\\u005f_proto__":1}', '/payload')
    expectTyped(
      400,
      (await post('/events', '{"__proto__":{"conversationId":"a"}}')).body,
      'InvalidPayload',
    )
    await expectKept('{"constructor":{"prototype":{"polluted":1}}}')
    await expectKept('{"text":"__proto__"}')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test.each(odd.filter((name) => name !== '__proto__' && name !== ''))(
    'accepts %s as the name of a tag and a property',
    async (name) => {
      const { body: made } = await scene.call('POST', '/v1/chat/users', {
        headers: scene.asBot,
        body: { tags: { [name]: 'a' }, properties: { [name]: 'b' } },
      })
      const { body: read } = await scene.call('GET', `/v1/chat/users/${made.user?.id}`, {
        headers: scene.asBot,
      })
      expect([read.user?.tags, read.user?.properties]).toEqual([
        { [name]: 'a' },
        { [name]: 'b' },
      ])
      for (const where of ['tags.', '']) {
        const listing = await scene.call(
          'GET',
          `/v1/chat/conversations?${where}${name}=a`,
          {
            headers: scene.asBot,
          },
        )
        expect(listing.status, where).toBeLessThan(500)
      }
      const { status: missing } = await scene.call(
        'GET',
        chat(`/conversations/${name}`),
        {
          headers: user.headers,
        },
      )
      expect(missing).toBe(404)
    },
  )

  test('rejects __proto__ as the name of a tag in a query', async () => {
    const { status, body } = await scene.call(
      'GET',
      '/v1/chat/conversations?tags.__proto__=a',
      {
        headers: scene.asBot,
      },
    )
    expect(status).toBe(400)
    expectTyped(400, body)
  })
})

describe('equal keys', () => {
  const say = (payload: string) => post('/messages', toEvent(payload))

  test('validates and stores the last of equal keys', async () => {
    const { status, body } = await say(
      '{"type":"nonsense","text":1,"type":"text","text":"first","text":"last"}',
    )
    expect([status, body.message.payload]).toEqual([201, { type: 'text', text: 'last' }])
    expect((await say('{"type":"text","text":"a","text":1}')).status).toBe(400)
    expect((await say('{"type":"text","text":"a","t\\u0079pe":"nonsense"}')).status).toBe(
      400,
    )
    await expectKept('{"a":1,"a":{"b":2}}', { a: { b: 2 } })
  })
})

describe('numbers', () => {
  test.each(['1e400', '-1e400', '1E+309', `1${'0'.repeat(400)}`, `-${'9'.repeat(310)}`])(
    'rejects %s as too large',
    (number) => expectNotKept(`{"a":[${number}]}`, '/payload/a/0'),
  )

  test('rejects a number that is too large for a number field', async () => {
    const { status, body } = await scene.call('PUT', '/v1/files', {
      headers: { ...scene.asBot, 'content-type': 'application/json' },
      body: '{"key":"a","size":1e400}',
    })
    expect([status, body.message]).toEqual([400, expect.stringContaining('/size')])
  })

  test('stores the largest and smallest numbers of JavaScript', async () => {
    await expectKept(
      '{"a":[1.7976931348623157e308,-1.7976931348623157e308,5e-324,0.1,1e300]}',
    )
  })

  test('rounds numbers as JavaScript does', async () => {
    await expectKept('{"a":9007199254740993}', { a: 9_007_199_254_740_992 })
    await expectKept('{"a":1e-400}', { a: 0 })
    await expectKept('{"a":-0}', { a: 0 })
    await expectKept('{"a":-0.0}', { a: 0 })
  })
})
