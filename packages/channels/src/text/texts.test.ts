import { expect, test } from 'vitest'
import {
  findOption,
  findPressed,
  readOptions,
  toButtonData,
  writeOptions,
} from './choices.ts'
import { toRichParts } from './long-text.ts'
import { markdownNotation } from './notations.ts'
import { sliceRichText, toRichText, writeRichText } from './rich-text.ts'
import { splitRichText, splitText } from './split.ts'

const marked = (markdown: string) => {
  const { text, marks } = toRichText(markdown)
  return [
    text,
    ...marks.map(({ kind, from, to, url }) => [kind, text.slice(from, to), url]),
  ]
}

test('reads the marks of Markdown', () => {
  expect(marked('a **b _c_** `d*` ~~e~~ [f **g**](https://x.example)')).toEqual([
    'a b c d* e f g',
    ['bold', 'b c', undefined],
    ['italic', 'c', undefined],
    ['code', 'd*', undefined],
    ['strike', 'e', undefined],
    ['link', 'f g', 'https://x.example'],
    ['bold', 'g', undefined],
  ])
})

test('keeps the text of blocks: headings, lists, quotes, code, tables', () => {
  const markdown =
    '# Title\n\nFirst\nsecond\n\n- a\n  1. b\n  2. c\n- d\n\n> said\n\n```js\nx < 1\n```\n\nend'
  expect(marked(markdown)).toEqual([
    'Title\n\nFirst\nsecond\n\n• a\n  1. b\n  2. c\n• d\n\nsaid\n\nx < 1\n\nend',
    ['bold', 'Title', undefined],
    ['quote', 'said', undefined],
    ['codeBlock', 'x < 1', undefined],
  ])
  expect(toRichText('| a | b |\n|---|---|\n| 1 | 2 |').text).toBe('a | b\n1 | 2')
})

test('leaves HTML and what only looks like Markdown as it is', () => {
  expect(marked('<b>2 * 3 * 4</b> snake_case_name 5 < 6 &amp; more')).toEqual([
    '<b>2 * 3 * 4</b> snake_case_name 5 < 6 & more',
  ])
})

test('writes marks in a notation, also nested and equal ones', () => {
  expect(
    writeRichText(toRichText('a **b _c_** [d](https://x.example)'), markdownNotation),
  ).toBe('a **b _c_** [d](https://x.example)')
  const marks = [
    { kind: 'bold' as const, from: 0, to: 3 },
    { kind: 'italic' as const, from: 0, to: 3 },
  ]
  expect(writeRichText({ text: 'all', marks }, markdownNotation)).toBe('**_all_**')
  expect(writeRichText(toRichText('[d](https://x.example) **e**'), {})).toBe(
    'd (https://x.example) e',
  )
})

test('marks that a part begins or ends in are cut', () => {
  const part = sliceRichText(toRichText('a **bold text** b'), 4, 8)
  expect(part).toEqual({ text: 'ld t', marks: [{ kind: 'bold', from: 0, to: 4 }] })
})

test('divides at paragraphs, lines, sentences, words, in this order', () => {
  expect(splitText('One two.\n\nThree four. Five', 22)).toEqual([
    'One two.',
    'Three four. Five',
  ])
  expect(splitText('One two three.\nFour five six', 20)).toEqual([
    'One two three.',
    'Four five six',
  ])
  expect(splitText('One two three. Four five six', 20)).toEqual([
    'One two three.',
    'Four five six',
  ])
  expect(splitText('一二三四五。六七八九十', 8)).toEqual(['一二三四五。', '六七八九十'])
  expect(splitText('one two three four', 11)).toEqual(['one two', 'three four'])
  expect(splitText('x'.repeat(25), 10)).toEqual(['x'.repeat(10), 'x'.repeat(10), 'xxxxx'])
  expect(splitText('', 10)).toEqual([])
})

test('does not divide a character', () => {
  const family = '👨‍👩‍👧‍👦'
  const parts = splitText(family.repeat(5), 25)
  expect(parts.join('')).toBe(family.repeat(5))
  expect(parts.every((part) => part.length % family.length === 0)).toBe(true)
  // A letter with more marks than the limit is divided between them, not within.
  expect(splitText(`e${'\u0301'.repeat(100)}`, 10).join('')).toBe(
    `e${'\u0301'.repeat(100)}`,
  )
})

test.each([
  'word '.repeat(50_000),
  'x'.repeat(300_000),
  `${'\n\n'.repeat(100_000)}end`,
  '**a** '.repeat(40_000),
  '[[[[[['.repeat(20_000),
  '> '.repeat(50_000),
  '- a\n'.repeat(50_000),
])('reads 300,000 characters with turns for others in between: %#', async (markdown) => {
  let [last, longest] = [performance.now(), 0]
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  const parts = await toRichParts(markdown, 4_096)
  clearInterval(watch)
  expect(parts.every(({ text }) => text.length <= 4_096)).toBe(true)
  // Each piece takes a few milliseconds; one turn for all of them would take seconds.
  expect(longest).toBeLessThan(1_000)
})

test('parts of formatted text keep their marks', () => {
  const parts = splitRichText(toRichText('**one two three** four'), 9)
  expect(parts.map((part) => writeRichText(part, markdownNotation))).toEqual([
    '**one two**',
    '**three**',
    'four',
  ])
})

const options = [
  { label: 'Small', value: 's' },
  { label: 'Large', value: 'l' },
]

test('options are a numbered list, and found by number or label', () => {
  expect(writeOptions('Which?', options)).toBe('Which?\n\n1. Small\n2. Large')
  for (const said of ['2', ' 2. ', '2)', 'large', 'LARGE '])
    expect(findOption(options, said)).toBe(options[1])
  for (const said of ['0', '3', '2 of them', 'larg', ''])
    expect(findOption(options, said)).toBeNull()
})

test('reads the options of choices, cards and carousels, without links', () => {
  const actions = [
    { action: 'url', label: 'More', value: 'https://x.example' },
    { action: 'say', label: 'Take', value: 't' },
  ]
  expect(readOptions({ type: 'dropdown', payload: { options } })).toEqual(options)
  expect(readOptions({ type: 'card', payload: { actions } })).toEqual([actions[1]])
  expect(
    readOptions({ type: 'carousel', payload: { items: [{ actions }, { actions }] } }),
  ).toHaveLength(2)
  expect(readOptions({ type: 'text', payload: { options } })).toEqual([])
  expect(
    readOptions({ type: 'choice', payload: { options: [null, 1, { label: 'x' }] } }),
  ).toEqual([])
})

test('a pressed button is an option of its message only', async () => {
  const message = {
    id: 'msg_1',
    conversationId: 'c',
    type: 'choice',
    payload: { options },
    tags: {},
  }
  const host = { findMessage: async (id: string) => (id === 'msg_1' ? message : null) }
  expect(await findPressed(host, toButtonData('msg_1', 1))).toEqual(options[1])
  for (const data of [
    'msg_1:2',
    'msg_2:0',
    'msg_1',
    'msg_1:-1',
    '',
    '__proto__:0',
    'msg_1:1e1',
  ])
    expect(await findPressed(host, data)).toBeNull()
})
