import { expect, test } from 'vitest'
import { type Piece, separateThoughts, ThoughtFilter } from './thoughts.ts'

const cases: [name: string, text: string, answer: string, reasoning: string][] = [
  ['a thought', '<think>\nHm.\n</think>\n\nHello', 'Hello', 'Hm.'],
  ['an upper-case tag', '<THINK>Hm.</THINK>Hello', 'Hello', 'Hm.'],
  ['<thinking>', '<thinking>Hm.</thinking>\nHello', 'Hello', 'Hm.'],
  ['<thought>', '<thought>Hm.</thought>\nHello', 'Hello', 'Hm.'],
  ['<reasoning>', ' \n<reasoning>Hm.</reasoning>\nHello', 'Hello', 'Hm.'],
  ['[THINK]', '[THINK]Hm.[/THINK]Hello', 'Hello', 'Hm.'],
  ['◁think▷', '◁think▷Hm.◁/think▷Hello', 'Hello', 'Hm.'],
  ['a missing opening tag', 'Hm.\n</think>\n\nHello', 'Hello', 'Hm.'],
  ['a missing opening tag in one line', 'Hm.</thinking>Hello', 'Hello', 'Hm.'],
  ['an empty thought', '<think>\n\n</think>\n\nHello', 'Hello', ''],
  ['two thoughts', '<think>A</think><think>B</think>Hello', 'Hello', 'AB'],
  [
    'a thought between texts',
    '<think>A</think>Hello\n<think>B</think>there',
    'Hello\nthere',
    'AB',
  ],
  ['an unfinished thought', '<think>Hm. I', '', 'Hm. I'],
  [
    'other tags inside',
    '<think>a <b> </thinkx> c</think>Hello <b>you</b>',
    'Hello <b>you</b>',
    'a <b> </thinkx> c',
  ],
  ['JSON', '<think>{"a":1}</think>{"a":2}', '{"a":2}', '{"a":1}'],
  ['no thought', 'Hello <b>you</b>, 1 < 2 [t', 'Hello <b>you</b>, 1 < 2 [t', ''],
  ['white space', '\n Hello \n', '\n Hello \n', ''],
  [
    'a quoted tag',
    'Write `<think>` and `</think>` around it.',
    'Write `<think>` and `</think>` around it.',
    '',
  ],
  ['a tag in a sentence', 'The tag <think> opens.', 'The tag <think> opens.', ''],
  [
    'a closing tag after the thought',
    '<think>A</think>It ends with </think> then.',
    'It ends with </think> then.',
    'A',
  ],
  ['an unfinished tag', 'Hello <thi', 'Hello <thi', ''],
]

test.each(cases)('separates %s', (_, text, answer, reasoning) =>
  expect(separateThoughts(text)).toEqual({ text: answer, reasoning }),
)

/** The text and reasoning that a reader of the stream has in the end. */
function read(chunks: string[]) {
  const filter = new ThoughtFilter()
  const pieces: Piece[] = [
    ...chunks.flatMap((chunk) => filter.write(chunk)),
    ...filter.end(),
  ]
  let [text, reasoning] = ['', '']
  for (const piece of pieces) {
    if (piece.type === 'restart') text = reasoning = ''
    else if (piece.type === 'text') text += piece.text
    else reasoning += piece.text
  }
  return { text, reasoning: reasoning.trim() }
}

test.each(cases)('separates %s in pieces of any length', (_, text, answer, reasoning) => {
  for (const length of [1, 2, 3, 5, 7]) {
    const chunks = text.match(new RegExp(`[^]{1,${length}}`, 'g'))!
    expect(read(chunks)).toEqual({ text: answer, reasoning })
  }
})

test('passes text on at once', () => {
  const filter = new ThoughtFilter()
  expect(filter.write('Hello')).toEqual([{ type: 'text', text: 'Hello' }])
  expect(filter.write(' you <')).toEqual([{ type: 'text', text: ' you ' }])
  expect(filter.write('b>')).toEqual([{ type: 'text', text: '<b>' }])
})

test('reads a long text of many brackets in linear time', () => {
  const text = '<'.repeat(200_000)
  expect(separateThoughts(text).text).toBe(text)
  const filter = new ThoughtFilter()
  const streamed = Array.from({ length: 20_000 }, () => filter.write('a <')).flat()
  expect(streamed.every(({ type }) => type === 'text')).toBe(true)
})
