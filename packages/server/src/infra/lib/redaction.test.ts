import { expect, test } from 'vitest'
import { checkRules, toRedactors, tryRules } from './redaction.ts'

const where = ['storage' as const]
const all = (['email', 'card', 'iban', 'phone'] as const).map((kind) => ({ kind, where }))
const redact = (text: string) => toRedactors(all).storage!.text(text)

test.each([
  ['Write to ana.b+c@mail.example.org.', 'Write to [e-mail].'],
  ['<jürgen@exämple.de>, x@y.co;', '<[e-mail]>, [e-mail];'],
  ['card 4111 1111 1111 1111, 4111-1111-1111-1111', 'card [card], [card]'],
  ['pay 12 4111111111111111 now', 'pay 12 [card] now'],
  ['IBAN DE89 3704 0044 0532 0130 00 please', 'IBAN [iban] please'],
  ['gb82west12345698765432', '[iban]'],
  ['+49 30 1234567 or 0049-30-1234567', '[phone] or [phone]'],
  ['(030) 1234567, 030/123 45 67', '[phone], [phone]'],
  ['call (415) 555-2671 or 415-555-2671', 'call [phone] or [phone]'],
])('redacts %s', (text, expected) => {
  expect(redact(text)).toBe(expected)
  expect(redact(expected)).toBe(expected)
})

test.each([
  'order 4111111111111112 of 2026-11-25',
  'order 123456789012, invoice 2026-004711',
  'on 01.02.2026 at 10:30, 25/11/2026 12:00',
  'user_01J4111111111111111A and evt_4111111111111111',
  'me@home, @name, a@b',
  'DE00 3704 4044 0532 0130 00',
  'version 1.2.3.4, 192.168.100.200',
])('leaves %s', (text) => expect(redact(text)).toBe(text))

test('redacts values, also in JSON in texts, and neither keys nor types', () => {
  const { storage } = toRedactors(all)
  const mail = 'ana@example.org'
  const value = JSON.parse(`{"${mail}": {"text": "to ${mail}", "n": 4111111111111111, "ok": null},
    "__proto__": ["${mail}"], "body": ${JSON.stringify(JSON.stringify({ a: [mail] }))}}`)
  expect(JSON.stringify(storage!.value(value))).toBe(
    `{"${mail}":{"text":"to [e-mail]","n":4111111111111111,"ok":null},` +
      `"__proto__":["[e-mail]"],"body":"{\\"a\\":[\\"[e-mail]\\"]}"}`,
  )
  const clean = { text: 'hello', parts: [1, '{"a": 1}'] }
  expect(storage!.value(clean)).toBe(clean)
})

test('redacts own patterns, and the earlier of overlapping rules', () => {
  const rules = [
    { kind: 'custom' as const, pattern: 'K-\\d+', replacement: '[customer]', where },
    { kind: 'custom' as const, pattern: '\\d{3,}', where },
  ]
  expect(tryRules(rules, 'K-1234 has 5678')).toEqual({
    text: '[customer] has [redacted]',
    matches: [
      { kind: 'custom', text: 'K-1234', offset: 0 },
      { kind: 'custom', text: '5678', offset: 11 },
    ],
  })
})

test('rejects patterns that cannot work', () => {
  const custom = (pattern?: string, replacement = '-') =>
    checkRules([{ kind: 'custom', ...(pattern !== undefined && { pattern }), replacement, where }])
  expect(() => custom('(a')).toThrow('`rules[0].pattern` "(a" is not a valid pattern')
  expect(() => custom('(a)\\1')).toThrow('not a valid pattern')
  expect(() => custom('a*')).toThrow('matches the empty text')
  expect(() => custom()).toThrow('is required')
  expect(() => custom('x+', 'xx')).toThrow('matches a pattern')
  expect(() => checkRules([{ kind: 'card', pattern: 'a', where }])).toThrow('only there')
})

test('reads hostile texts in linear time', () => {
  const redactor = toRedactors([...all, { kind: 'custom', pattern: '(a+)+$', where }]).storage!
  const hostile = ['@', 'a@', '1 ', '4-', 'DE89 ', '0049 ', '(0', 'a', '((((', 'DE89DE89']
  for (const part of hostile) {
    const text = part.repeat(100_000 / part.length)
    const from = performance.now()
    redactor.text(text)
    expect(performance.now() - from, part).toBeLessThan(3_000)
  }
})
