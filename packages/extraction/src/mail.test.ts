import { expect, test } from 'vitest'
import type { Block } from './blocks.ts'
import { readBlocks } from './readers.ts'

async function read(...lines: string[]) {
  const bytes = Buffer.from(lines.join('\r\n'), 'latin1')
  const blocks: Block[] = []
  for await (const block of await readBlocks('eml', bytes, { cleanUp: true }))
    blocks.push(block)
  return blocks
}

const head = [
  'From: =?utf-8?q?J=C3=BCrgen?= <jurgen@bakery.example>',
  'To: Ann <ann@guest.example>, team: a@x.example, b@x.example;',
  'Subject: =?utf-8?b?w5ZmZm51bmdzemVpdGVu?=',
  'Date: Mon, 02 Mar 2026 10:00:00 +0100',
]

test('reads subject, people, date and text', async () => {
  const blocks = await read(
    ...head,
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Wir haben ge=F6ffnet.',
    '',
    'Bis bald',
  )
  expect(blocks[0]).toEqual({ kind: 'heading', level: 1, text: 'Öffnungszeiten' })
  expect(blocks[1]!.text).toContain('From: Jürgen <jurgen@bakery.example>')
  expect(blocks[1]!.text).toContain(
    'Ann <ann@guest.example>, team: <a@x.example>, <b@x.example>',
  )
  expect(blocks[1]!.text).toContain('Date: 2026-03-02T09:00:00.000Z')
  expect(blocks.slice(2).map(({ text }) => text.trim())).toEqual([
    'Wir haben geöffnet.',
    'Bis bald',
  ])
})

const part = (headers: string, body: string) => ['--b', ...headers.split('|'), '', body]

test('reads the HTML of an e-mail, and its attachments below their names', async () => {
  const csv = Buffer.from('Article,Price\nLoaf,3 €\n').toString('base64')
  const blocks = await read(
    ...head,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...part('Content-Type: text/html', '<h2>Hours</h2><p>Open <b>daily</b>.</p>'),
    ...part(
      'Content-Type: text/csv; name=prices.csv|Content-Transfer-Encoding: base64|' +
        'Content-Disposition: attachment; filename=prices.csv',
      csv,
    ),
    ...part(
      'Content-Type: image/png|Content-Disposition: attachment; filename=shop.png',
      'x',
    ),
    ...part(
      'Content-Type: application/pdf|Content-Disposition: attachment; filename=a.pdf',
      'x',
    ),
    '--b--',
  )
  expect(blocks.slice(2)).toEqual([
    { kind: 'heading', level: 2, text: 'Hours' },
    { kind: 'paragraph', text: 'Open daily.' },
    { kind: 'heading', level: 1, text: 'prices.csv' },
    { kind: 'table', header: 'Article | Price', text: 'Loaf | 3 €' },
    { kind: 'heading', level: 1, text: 'shop.png' },
    { kind: 'paragraph', text: 'Attachment: image/png' },
    { kind: 'heading', level: 1, text: 'a.pdf' },
    { kind: 'paragraph', text: 'This attachment cannot be read. The PDF is damaged' },
  ])
})

test('reads a forwarded e-mail as a part of the e-mail', async () => {
  const blocks = await read(
    ...head,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...part('Content-Type: text/plain', 'See below.'),
    ...part('Content-Type: message/rfc822', 'Subject: Inner\r\n\r\nThe answer is 42.'),
    '--b--',
  )
  expect(blocks.map(({ text }) => text).join('\n')).toContain('The answer is 42.')
})

test('rejects a file that is no e-mail', async () => {
  await expect(read('')).rejects.toThrow(/no e-mail/)
})
