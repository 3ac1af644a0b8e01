import { expect, test } from 'vitest'
import { withoutKeys, withoutSecrets } from './api-keys.ts'

test('removes the key in each form, also beyond the characters that are kept', () => {
  const key = 'own key/"1"'
  const forms = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]
  expect(withoutKeys(`a ${forms.join(' b ')} c`, key)).toBe('a … b … b … c')
  expect(withoutKeys(`${'a '.repeat(900)}${key} is wrong`, key)).toBe(
    `${'a '.repeat(900)}… is wrong`,
  )
})

test('removes the beginning of a long word that looks like a key', () => {
  expect(withoutKeys(`no ${'sk'.repeat(500_000)}`, null)).toBe('no …')
  expect(withoutKeys(`${'sk-'.repeat(500_000)} is wrong`, null)).toBe('…')
})

test.each([
  ['whole', 'secret-of-the-server-42', 'secret-of-the-server-42'],
  ['in another case', 'secret-of-the-server-42', 'SECRET-OF-the-SERVER-42'],
  ['its beginning', 'secret-of-the-server-42', 'secret-of-the'],
  ['its end', 'secret-of-the-server-42', 'the-server-42'],
  ['in a URL', 'secret/of+the=server', 'secret%2Fof%2Bthe%3Dserver'],
  ['in base64', 'secret-of-the-server-42', btoa('secret-of-the-server-42')],
  [
    'in hexadecimal',
    'secret-of-the-server-42',
    Buffer.from('secret-of-the-server-42').toString('hex'),
  ],
  ['a short one', 'pw1', 'pw1'],
])('removes a quoted secret: %s', (_, secret, quoted) => {
  const text = withoutSecrets(`You sent "${quoted}" here`, [secret], 1_000)
  expect(text).toMatch(/^You sent "…\S{0,2}" here$/)
})

test.each([0, 1, 2, 3, 4, 5])(
  'removes a secret behind %i characters in base64',
  (length) => {
    const secret = 'secret-of-the-server-42'
    const encoded = Buffer.from(`${'u'.repeat(length)}${secret}:more`).toString('base64')
    const text = withoutSecrets(encoded, [secret], 1_000)
    const left = text
      .split('…')
      .map((part) => Buffer.from(part, 'base64').toString('latin1'))
    expect(text).toContain('…')
    for (let i = 0; i + 4 <= secret.length; i++)
      for (const part of left) expect(part).not.toContain(secret.slice(i, i + 4))
  },
)

test('keeps everything else, and takes no long time for long texts', () => {
  expect(withoutSecrets('nothing secret here', ['unrelated-secret', ''], 1_000)).toBe(
    'nothing secret here',
  )
  expect(withoutSecrets('x'.repeat(5_000_000), ['x'.repeat(200)], 500)).toBe('…')
})

test.each(['a', 'x', 'none', 'ollama'])(
  'removes the short key "%s" as a word only',
  (key) => {
    const text = `An extra parameter: nonetheless the ollamas of "${key}" failed`
    expect(withoutSecrets(text, [key], 1_000)).toBe(
      'An extra parameter: nonetheless the ollamas of "…" failed',
    )
  },
)
