import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PartsParser } from './large-json.ts'

const parse = (part: Buffer) => JSON.parse(part.toString()) as unknown
/** Chunks of any size, split at any byte. */
async function inParts(text: string, size = 65_521) {
  const parser = new PartsParser(64, parse)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size)
    await parser.take([bytes.subarray(at, at + size)])
  return parser.end()
}

/** Values larger than a part: nested, in a row, between small values, and with spaces around. */
const filler = 'é"\\,]}'.repeat(60_000)
/** Each fits no part, and a part may end at each of its bytes. */
const escaped = 'a\u{1f600}\\\\"\u2028é\n'.repeat(40_000)
const bigs = fc.constantFrom<unknown>(
  filler,
  escaped,
  Array.from({ length: 60_000 }, (_, i) => ({ i, t: '[{' })),
  Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`k${i}`, [i]])),
)
const smalls = fc.constantFrom<unknown>(1, 'a,b', null, [], {}, [[]], { a: {} }, '\\"')
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof({ weight: 1, arbitrary: bigs }, { weight: 2, arbitrary: smalls }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b"', 'ü', ''), tie('value'), { maxKeys: 3 }),
  ),
}))

test('parses in parts to the same value as JSON.parse', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      anyValue,
      fc.constantFrom(undefined, 1, '\t'),
      fc.integer({ min: 1_000, max: 400_000 }),
      async (value, space, size) => {
        const text = JSON.stringify(value, null, space)
        expect((await inParts(text, size)) as object).toEqual(JSON.parse(text))
      },
    ),
    { numRuns: 10 },
  )
})

const big = JSON.stringify(filler)
test.each([
  [`[${big},]`],
  [`[,${big}]`],
  [`[[${big}],]`],
  [`[[${big}],,1]`],
  [`[[${big}] [${big}]]`],
  [`[[${big}] 1]`],
  [`[1 [${big}]]`],
  [`{"a":{"b":${big}},}`],
  [`{"a":{"b":${big}} "c":1}`],
  [`{{"b":[${big}]}}`],
  [`{"a" {"b":[${big},${big}]}}`],
  [`{"a":1,"b":[${big},${big}]]`],
  [`[${big}`],
  [`[${big}]]`],
  [`[]${' '.repeat(600_000)}]`],
  [`[]${' '.repeat(300_000)}\u0001${' '.repeat(300_000)}`],
  [`${' '.repeat(600_000)}1,`],
  [`[${big}] 1`],
  [`1 [${big},${big}]`],
  [`[${big},${big}`],
  [`[${big.slice(0, -1)}]`],
  [`[${big},{"a":[${big}}]]`],
  [`${'['.repeat(65)}${big}${']'.repeat(65)}`],
])('rejects what JSON.parse rejects, %#', async (text) => {
  if (!text.startsWith('[[[[')) expect(() => JSON.parse(text)).toThrow()
  await expect(inParts(text)).rejects.toThrow()
})

/** With escapes of all characters outside ASCII, as in JSON of Python. */
const toAscii = (json: string) =>
  json.replace(
    /[^\0-\x7f]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

test('parses no more than a part of a long text at once', async () => {
  for (const value of ['x'.repeat(3_000_000), escaped.repeat(4)])
    for (const json of [JSON.stringify(value), toAscii(JSON.stringify(value))])
      for (const [text, expected] of [
        [json, value],
        [
          `{"a":1,"code" : ${json} ,"b":[${json},${json}]}`,
          { a: 1, code: value, b: [value, value] },
        ],
      ] as const) {
        const sizes: number[] = []
        const parser = new PartsParser(64, (part) => {
          sizes.push(part.length)
          return parse(part)
        })
        const bytes = Buffer.from(text)
        for (let at = 0; at < bytes.length; at += 65_537)
          await parser.take([bytes.subarray(at, at + 65_537)])
        expect(await parser.end()).toEqual(expected)
        expect(Math.max(...sizes)).toBeLessThan(600_000)
      }
})

test.each(['\\', '\\u0z', '\\x', '\n', '"x', '\\ud83d\\'])(
  'rejects %j in a long text',
  async (bad) => {
    const filling = 'a'.repeat(400_000)
    const text = `{"a":"${filling}${bad}${bad.endsWith('\\') ? '"}' : `${filling}"}`}`
    expect(() => JSON.parse(text)).toThrow()
    await expect(inParts(text, 65_536)).rejects.toThrow()
  },
)

test('rejects a long name, and a long number', async () => {
  const long = 'a'.repeat(400_000)
  await expect(inParts(`{"${long}":1}`)).rejects.toThrow('a property name has more than')
  await expect(inParts(`{"a":${'1'.repeat(20_000_000)}}`)).rejects.toThrow(
    'spaces or digits',
  )
})

test('yields to other work after each part', async () => {
  let turns = 0
  let isDone = false
  const turn = () => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  turn()
  await inParts(
    JSON.stringify(Array.from({ length: 200 }, () => 'x'.repeat(41_000))),
  ).finally(() => (isDone = true))
  expect(turns).toBeGreaterThan(20)
})

test('accepts the last byte in a separate chunk', async () => {
  const text = JSON.stringify('x'.repeat(599_998))
  expect(await inParts(text, text.length - 1)).toBe(JSON.parse(text))
})

test('keeps the last of equal names', async () => {
  expect(await inParts(`{"a":[${big}],"b":1,"a":[${big},2],"b":{"c":${big}}}`)).toEqual({
    a: [filler, 2],
    b: { c: filler },
  })
})
