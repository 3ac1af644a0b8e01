import { expect, test } from 'vitest'
import { isNoIndexHeader, readHead } from './page-head.ts'

test.each<[string, boolean]>([
  ['noindex', true],
  ['NoFollow, NOINDEX', true],
  ['none', true],
  ['index, follow', false],
  ['nofollow', false],
  ['googlebot: noindex', false],
  ['googlebot: nofollow, noindex', false],
  ['googlebot: noindex\nnoindex', true],
  ['Botstead: noindex', true],
  ['max-snippet: 20, noindex', true],
  ['noindexing', false],
  ['unavailable_after: Wed, 25 Jun 2025 15:00:00 GMT', true],
  ['unavailable_after: 25 Jun 2199 15:00:00 GMT', false],
  ['otherbot: unavailable_after: 25 Jun 2025 15:00:00 GMT', false],
  ['', false],
])('the header "%s" forbids indexing: %s', (value, expected) =>
  expect(isNoIndexHeader(value)).toBe(expected),
)

const page = (head: string) =>
  Buffer.from(`<html><head>${head}</head><body><p>x</p></body></html>`)

test.each<[string, boolean]>([
  ['<meta name="robots" content="noindex">', true],
  ['<META CONTENT="NOINDEX,follow" NAME="Robots" />', true],
  ["<meta name=robots content='nofollow none'>", true],
  ['<meta name="botstead" content="noindex">', true],
  ['<meta name="googlebot" content="noindex">', false],
  ['<!-- <meta name="robots" content="noindex"> -->', false],
  ['<meta name="robots" content="index"><meta name="robots" content="noindex">', true],
  ['<title>a</title><meta name="robots" content="noindex">', true],
  ['<meta name="description" content="noindex">', false],
])('a page with %s forbids indexing: %s', (head, expected) =>
  expect(readHead(page(head)).isNoIndex).toBe(expected),
)

test('reads the first title', () =>
  expect(
    readHead(page('<title> A\n&amp; b </title><svg><title>no</title></svg>')).title,
  ).toBe('A & b'))
