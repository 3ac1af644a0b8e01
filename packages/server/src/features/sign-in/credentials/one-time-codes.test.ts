import { describe, expect, test } from 'vitest'
import { findStep, toBase32, toCode, toOtpAuthUrl } from './one-time-codes.ts'

// RFC 6238, appendix B, for SHA-1: the last six of the eight digits.
const secret = Buffer.from('12345678901234567890')

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('computes the code of the RFC at %d seconds', (seconds, code) => {
  expect(toCode(secret, Math.floor(seconds / 30))).toBe(code)
  expect(findStep(secret, code, seconds * 1_000)).toBe(Math.floor(seconds / 30))
})

describe('a code', () => {
  const now = 1_234_567_890_000
  test('counts one period early and late', () => {
    const steps = [-61, -30, 30, 61].map((s) =>
      findStep(secret, '005924', now + s * 1_000),
    )
    expect(steps).toEqual([null, 41_152_263, 41_152_263, null])
  })

  test.each([
    '',
    '00592',
    '0059240',
    ' 005924',
    '００５９２４',
    '005924\n',
    '-05924',
    'NaNNaN',
  ])('is rejected in the form %j', (code) =>
    expect(findStep(secret, code, now)).toBeNull(),
  )
})

test('encodes the vectors of RFC 4648', () => {
  const encoded = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) =>
    toBase32(Buffer.from(text)),
  )
  expect(encoded).toEqual([
    '',
    'MY',
    'MZXQ',
    'MZXW6',
    'MZXW6YQ',
    'MZXW6YTB',
    'MZXW6YTBOI',
  ])
})

test('gives the URL that apps read', () => {
  expect(toOtpAuthUrl(secret, 'a&b@example.org')).toBe(
    'otpauth://totp/Botstead:a%26b%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' +
      '&issuer=Botstead&algorithm=SHA1&digits=6&period=30',
  )
})
