import type { RedactionRule } from '@botstead/contract'
import { expect, test } from 'vitest'
import {
  findRuleProblem,
  redactTexts,
  toEnd,
  tooSlow,
  toReadyRules,
  tryRules,
} from './matching.ts'
import { toRedactors } from './redaction.ts'

const where = ['storage' as const]
const all = (['email', 'card', 'iban', 'phone'] as const).map((kind) => ({ kind, where }))
const here = async (rules: RedactionRule[], texts: string[]) =>
  toEnd(redactTexts(toReadyRules(rules), texts)).texts
const toRedactor = (rules: RedactionRule[]) => toRedactors(rules, here).storage!
const redact = (text: string) => toRedactor(all).text(text)
const custom = (pattern: string, replacement?: string): RedactionRule => ({
  kind: 'custom',
  pattern,
  where,
  ...(replacement !== undefined && { replacement }),
})

test.each([
  ['Write to ana.b+c@mail.example.org.', 'Write to [e-mail].'],
  ['<jürgen@exämple.de>, x@y.co;', '<[e-mail]>, [e-mail];'],
  ['card 4111 1111 1111 1111, 4111-1111-1111-1111', 'card [card], [card]'],
  ['pay 12 4111111111111111 now', 'pay 12 [card] now'],
  ['order1 4111 1111 1111 1111', 'order1 [card]'],
  ['IBAN DE89 3704 0044 0532 0130 00 please', 'IBAN [iban] please'],
  ['gb82west12345698765432', '[iban]'],
  ['+49 30 1234567 or 0049-30-1234567', '[phone] or [phone]'],
  ['(030) 1234567, 030/123 45 67', '[phone], [phone]'],
  ['call (415) 555-2671 or 415-555-2671', 'call [phone] or [phone]'],
])('redacts %s', async (text, expected) => {
  expect(await redact(text)).toBe(expected)
  expect(await redact(expected)).toBe(expected)
})

const card = (separator: string, digits = '4111111111111111') =>
  digits.match(/.{4}/g)!.join(separator)
const otherDigits = (zero: number) =>
  card('').replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))

test.each([
  ['dots', card('.')],
  ['middle dots', card('·')],
  ['no-break spaces', card('\u00a0')],
  ['narrow no-break spaces', card('\u202f')],
  ['thin spaces', card('\u2009')],
  ['ideographic spaces', card('\u3000')],
  ['two spaces', card('  ')],
  ['spaced hyphens', card(' - ')],
  ['slashes', card('/')],
  ['underscores', card('_')],
  ['en dashes', card('–')],
  ['em dashes', card('—')],
  ['no-break hyphens', card('\u2011')],
  ['minus signs', card('−')],
  ['zero-width spaces', card('\u200b')],
  ['zero-width joiners between digits', [...card('')].join('\u200d')],
  ['soft hyphens', card('\u00ad')],
  ['byte order marks', card('\ufeff')],
  ['marks of direction', `\u202a${card('\u200e')}\u202c`],
  ['full-width digits', otherDigits(0xff10)],
  ['Arabic digits', otherDigits(0x660)],
  ['Devanagari digits', otherDigits(0x966)],
  ['bold digits', otherDigits(0x1d7ce)],
  ['keycaps', [...card('')].map((digit) => `${digit}\ufe0f\u20e3`).join('')],
  ['fifteen digits with dots', '3782.822463.10005'],
])('redacts a card with %s, and keeps the rest', async (_, number) => {
  const [before, after] = ['é １２３ – ', '\u00a0… \u200bok']
  const redacted = await redact(`${before}${number}${after}`)
  const invisible = /[\u200b-\u200f\u202a-\u202e]/g
  expect(redacted.replaceAll(invisible, '')).toBe(
    `${before}[card]${after}`.replaceAll(invisible, ''),
  )
})

test.each([
  ['ana＠example．org', '[e-mail]'],
  ['ana@exam\u200bple.org', '[e-mail]'],
  ['ju\u0308rgen@example.org', '[e-mail]'],
  ['DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000', '[iban]'],
  ['DE89-3704-0044-0532-0130-00', '[iban]'],
  ['ＤＥ８９３７０４００４４０５３２０１３０００', '[iban]'],
  ['+49\u00a030\u00a01234567', '[phone]'],
  ['＋49 30 1234567', '[phone]'],
  ['(030)\u20091234567', '[phone]'],
  ['415–555–2671', '[phone]'],
])('redacts %s in another form', async (text, expected) => {
  expect(await redact(`to ${text} é`)).toBe(`to ${expected} é`)
})

test('matches own patterns in the text as it is, and in its usual form', async () => {
  const redactor = toRedactor([custom('K-\\d+'), custom('№ \\d–\\d')])
  expect(await redactor.text('Ｋ‑１２３, № 1–2 é')).toBe('[redacted], [redacted] é')
})

test.each([
  'order 4111111111111112 of 2026-11-25',
  'order 123456789012, invoice 2026-004711',
  'on 01.02.2026 at 10:30, 25/11/2026 12:00',
  'user_01J4111111111111111A and evt_4111111111111111',
  'me@home, @name, a@b',
  'DE00 3704 4044 0532 0130 00',
  'version 1.2.3.4, 192.168.100.200',
  '4.111111111111111, 411.111.111.111.111.1, 41.11.11.11.11.11.11.11',
  'é ① № ２０２６–11–25 \u200b\u00a0…',
])('leaves %s', async (text) => expect(await redact(text)).toBe(text))

test('redacts values, also in JSON in texts, and neither keys nor types', async () => {
  const storage = toRedactor(all)
  const mail = 'ana@example.org'
  const value =
    JSON.parse(`{"${mail}": {"text": "to ${mail}", "n": 4111111111111111, "ok": null},
    "__proto__": ["${mail}"], "body": ${JSON.stringify(JSON.stringify({ a: [mail] }))}}`)
  expect(JSON.stringify(await storage.value(value))).toBe(
    `{"${mail}":{"text":"to [e-mail]","n":4111111111111111,"ok":null},` +
      `"__proto__":["[e-mail]"],"body":"{\\"a\\":[\\"[e-mail]\\"]}"}`,
  )
  const clean = { text: 'hello', parts: [1, '{"a": 1}'] }
  expect(await storage.value(clean)).toBe(clean)
})

test('reads JSON that is nested very deeply as a text', async () => {
  const depth = 100_000
  const text = `${'['.repeat(depth)}"ana@example.org"${']'.repeat(depth)}`
  expect(await redact(text)).toBe(text.replace('ana@example.org', '[e-mail]'))
})

test('redacts own patterns, and the earlier of overlapping rules', () => {
  const rules = toReadyRules([custom('K-\\d+', '[customer]'), custom('\\d{3,}')])
  expect(toEnd(tryRules(rules, 'K-1234 has 5678'))).toEqual({
    text: '[customer] has [redacted]',
    matches: [
      { kind: 'custom', text: 'K-1234', offset: 0 },
      { kind: 'custom', text: '5678', offset: 11 },
    ],
  })
})

test.each([
  [custom('(a'), '`rules[0].pattern` "(a" is not a valid pattern'],
  [custom('(a)\\1'), 'not a valid pattern'],
  [custom('a{1000}'.repeat(70)), 'it is too large'],
  [custom('a*'), 'matches the empty text'],
  [custom('x+', 'xx'), 'matches a pattern'],
])('rejects a pattern that cannot work: %o', (rule, problem) => {
  expect(toEnd(findRuleProblem(toReadyRules([rule])))).toContain(problem)
})

const slow = custom('(?:[a-z]{1,100}){10}[0-9]')

test('fails closed for a rule that exceeds its steps, and names it', () => {
  const rules = toReadyRules([custom('K-\\d+'), slow, custom('z')])
  const long = 'abc'.repeat(20_000)
  const redacted = toEnd(
    redactTexts(rules, [long, 'K-1', JSON.stringify({ a: long, b: 1 })]),
  )
  expect(redacted.texts).toEqual([
    tooSlow,
    '[redacted]',
    JSON.stringify({ a: tooSlow, b: 1 }),
  ])
  expect(redacted.slow).toEqual([1])
  expect(redacted.steps).toBeLessThan(30_000_000)
})

test('names the rule with the most steps when all exceed the allowance', () => {
  const rules = toReadyRules([custom('K-\\d+'), slow, custom('z')])
  const { texts, slow: named } = toEnd(
    redactTexts(rules, ['abc'.repeat(1_000)], 1_000_000),
  )
  expect({ texts, named }).toEqual({ texts: [tooSlow], named: [1] })
})

test('pauses after each turn', () => {
  const work = redactTexts(toReadyRules([slow]), Array(50).fill('abc'.repeat(100)))
  let pauses = 0
  while (!work.next().done) pauses++
  expect(pauses).toBeGreaterThan(10)
})

test('reads hostile texts in linear time', () => {
  const rules = toReadyRules([...all, custom('(a+)+$'), custom('a[^b]*b|a')])
  const hostile = [
    '@',
    'a@',
    '1 ',
    '4-',
    '4.',
    'DE89 ',
    '0049 ',
    '(0',
    'a',
    '((((',
    'DE89DE89',
    '４\u200b',
  ]
  for (const part of hostile) {
    const text = part.repeat(100_000 / part.length)
    const from = performance.now()
    toEnd(redactTexts(rules, [text]))
    expect(performance.now() - from, part).toBeLessThan(3_000)
  }
})
