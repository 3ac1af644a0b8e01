import { afterEach, expect, test, vi } from 'vitest'
import { printList, printObject, toJson, toTable } from './printing.ts'

afterEach(() => vi.restoreAllMocks())

/** Returns the output of work on a terminal or elsewhere. */
async function output(work: () => unknown, isTTY: boolean): Promise<string> {
  let text = ''
  const write = (chunk: unknown) => {
    text += chunk
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(write)
  vi.spyOn(process.stderr, 'write').mockImplementation(write)
  const before = process.stdout.isTTY
  process.stdout.isTTY = isTTY
  try {
    await work()
  } finally {
    process.stdout.isTTY = before
  }
  return text
}

const columns = {
  id: ({ id }: { id: string }) => id,
  text: () => 'hello\tyou\n\u001b[2Jthere',
}
const items = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `i${i}` }))

test('a table is aligned by the width of characters, and its last column fits the terminal', () => {
  const rows = [
    ['a', '日本', 'x'.repeat(60)],
    ['bcd', '👩‍👩‍👧', 'short'],
  ]
  expect(toTable(['id', 'name', 'text'], rows, { terminal: 40 }).split('\n')).toEqual([
    'ID   NAME  TEXT',
    `a    日本  ${'x'.repeat(28)}…`,
    'bcd  👩‍👩‍👧    short',
  ])
})

test('a table of paths shows their ends', () => {
  const rows = [['a', `knowledge/${'x'.repeat(60)}/日本.md`]]
  expect(
    toTable(['id', 'key'], rows, { terminal: 24, keepsEnd: true }).split('\n'),
  ).toEqual(['ID  KEY', `a   …${'x'.repeat(11)}/日本.md`])
})

test('lists are tables on a terminal, tab-separated elsewhere, and never control the terminal', async () => {
  expect(await output(() => printList(items(2), { columns }, {}), true)).toBe(
    'ID  TEXT\ni0  hello you there\ni1  hello you there\n',
  )
  expect(await output(() => printList(items(1), { columns }, {}), false)).toBe(
    'i0\thello you there\n',
  )
  expect(await output(() => printList(items(2), { columns }, { json: true }), true)).toBe(
    '{"id":"i0"}\n{"id":"i1"}\n',
  )
})

test('a terminal gets 100 entries and a note, scripts all, and --limit both', async () => {
  const onTerminal = await output(() => printList(items(101), { columns }, {}), true)
  expect(onTerminal.split('\n')).toHaveLength(1 + 1 + 100 + 1)
  expect(onTerminal).toMatch(/^Only the first 100; --limit/)
  const lines = async (count: number, limit: string) =>
    (await output(() => printList(items(count), { columns }, { limit }), false))
      .trim()
      .split('\n')
  expect(await lines(150, '120')).toHaveLength(120)
  const elsewhere = await output(() => printList(items(150), { columns }, {}), false)
  expect(elsewhere.trim().split('\n')).toHaveLength(150)
})

test('JSON escapes characters that control terminals or reverse text', () => {
  const text = 'a\u009b31m\u202eb\u007f'
  expect(toJson({ text })).toBe('{"text":"a\\u009b31m\\u202eb\\u007f"}')
  expect(JSON.parse(toJson({ text }))).toEqual({ text })
})

test('an object has a line for each field that is not empty', async () => {
  const object = {
    id: 'x',
    createdAt: '2026-01-31T12:30:00.000Z',
    tags: {},
    name: null,
    size: 0,
  }
  expect(await output(() => printObject(object, {}), true)).toBe(
    'id          x\ncreated at  2026-01-31 12:30\nsize        0\n',
  )
})
