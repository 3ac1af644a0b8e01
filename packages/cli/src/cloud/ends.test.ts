import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isPathPart, openPages, rejectForeign } from './ends.ts'
import { openFindings } from './findings.ts'
import { openJournal } from './journal.ts'

const folder = mkdtempSync(join(tmpdir(), 'botstead-journal-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  'https://files.bpcontent.cloud/a',
  'https://api.example.org/v1/files/a',
  'https://media.example.org/a',
])('downloads from %s', (url) => {
  const allowed = ['https://media.example.org']
  expect(rejectForeign(url, 'https://api.example.org', allowed).href).toBe(url)
})

test.each([
  'http://files.bpcontent.cloud/a',
  'https://bpcontent.cloud.example.org/a',
  'https://evilbpcontent.cloud/a',
  'http://api.example.org/a',
  'https://api.example.org:8443/a',
  'http://169.254.169.254/latest/meta-data',
  'http://127.0.0.1:4000/v1',
  'file:///etc/passwd',
  'not a url',
])('does not download from %s', (url) => {
  expect(() => rejectForeign(url, 'https://api.example.org', [])).toThrow('--files-from')
})

test.each(['', '.', '..', 'a'.repeat(501), 7, null])(
  '%s is not a part of a path',
  (value) => {
    expect(isPathPart(value)).toBe(false)
  },
)

test('ends at a listing that repeats its page', async () => {
  const pages = openPages()(async () => ({ items: [1], nextToken: 'again' }))
  const read = async () => {
    for await (const page of pages) expect(page.items).toEqual([1])
  }
  await expect(read()).rejects.toThrow('repeats a page')
})

const ends = { from: 'https://a', workspace: 'w', to: 'http://b', toWorkspace: 'v' }

test('the journal keeps any key, and rejects the file of another migration', () => {
  const file = join(folder, 'state.json')
  openJournal(file, ends).set('__proto__', 'constructor')
  expect(openJournal(file, ends).get('__proto__')).toBe('constructor')
  expect(openJournal(file, ends).get('constructor')).toBeUndefined()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(() => openJournal(file, { ...ends, toWorkspace: 'x' })).toThrow(
    'another migration',
  )
  writeFileSync(file, readFileSync(file).subarray(0, 20))
  expect(() => openJournal(file, ends)).toThrow('cannot read')
})

test('rejections survive an interruption, until a complete run tries again', () => {
  const file = join(folder, 'rejections.json')
  const open = () => openFindings(openJournal(file, ends))
  open().reject('Bot', 'messages', new Error('too\u001b[31m large'), 'msg_1')
  open().reject('Bot', 'versions', 'no document', 'One')
  const first = open()
  first.begin()
  expect(first.rejected()).toEqual([
    { bot: 'Bot', what: 'messages', count: 1, reason: 'too large', example: 'msg_1' },
    { bot: 'Bot', what: 'versions', count: 1, reason: 'no document', example: 'One' },
  ])
  first.complete()
  const second = open()
  second.begin()
  expect(second.rejected().map(({ what }) => what)).toEqual(['versions'])
})
