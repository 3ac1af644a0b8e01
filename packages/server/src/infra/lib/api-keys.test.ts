import { expect, test } from 'vitest'
import { withoutKeys } from './api-keys.ts'

test('removes the key in each form, also beyond the characters that are kept', () => {
  const key = 'own key/"1"'
  const forms = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]
  expect(withoutKeys(`a ${forms.join(' b ')} c`, key)).toBe('a … b … b … c')
  expect(withoutKeys(`${'a '.repeat(998)}${key} is wrong`, key)).toBe(`${'a '.repeat(998)}… is`)
})

test('removes the beginning of a long word that looks like a key', () => {
  expect(withoutKeys(`no ${'sk'.repeat(500_000)}`, null)).toBe('no …')
  expect(withoutKeys(`${'sk-'.repeat(500_000)} is wrong`, null)).toBe('…')
})
