import { parseScripts, toScripts } from '@botstead/flows/testing'
import { expect, test } from 'vitest'
import { toScript, toTest, toTestName } from './recorded-test.ts'

const text = (words: string) => ({ type: 'text', text: words })

test('writes a script and a test that expect the same conversation', () => {
  const choice = {
    type: 'choice',
    text: 'Tea?',
    options: [{ label: 'Yes: "1"', value: 'yes' }],
  }
  const messages = [
    { isOwn: true, payload: text('# hello\n- {{ x }}') },
    { isOwn: false, payload: text('Line: one\nline two ') },
    { isOwn: false, payload: choice },
    { isOwn: true, payload: { type: 'image', imageUrl: 'https://example.org/a.png' } },
    { isOwn: false, payload: text('nothing') },
    { isOwn: true, payload: text('nothing') },
  ]
  const script = toScript('At 9: "now"', messages)
  const [parsed, ...others] = parseScripts(script, 'file')
  expect(others).toEqual([])
  expect(parsed!.name).toBe('At 9: "now"')
  expect(parsed!.steps.map(({ line: _, ...step }) => step)).toEqual([
    { kind: 'user', message: text('# hello\n- {{ x }}') },
    { kind: 'bot', expected: { text: 'Line: one\nline two' } },
    { kind: 'bot', expected: { message: choice } },
    { kind: 'user', message: { type: 'image', imageUrl: 'https://example.org/a.png' } },
    { kind: 'bot', expected: { matches: '^\\s*nothing\\s*$' } },
    { kind: 'user', message: text('nothing') },
  ])
  const [inDocument] = toScripts({ tests: { one: toTest(messages) } } as never)
  const withoutLines = ({ steps }: typeof parsed & object) =>
    steps.map(({ line: _, ...step }) => step)
  expect(withoutLines(inDocument!)).toEqual(withoutLines(parsed!))
})

test('repeats a conversation at its time, with any booking number', () => {
  const createdAt = '2026-11-30T16:25:00.000Z'
  const booked =
    'Booked (for Saturday). Your number is 4P9GRF8K, not DELIVERY or 20261205.'
  const messages = [
    { isOwn: true, payload: text('Saturday'), createdAt },
    { isOwn: false, payload: text(booked) },
  ]
  const [script] = parseScripts(toScript('Books', messages), 'file')
  expect(script!.now).toBe(Date.parse(createdAt))
  const [inDocument] = toScripts({ tests: { Books: toTest(messages) } } as never)
  expect(inDocument!.now).toBe(script!.now)
  const { expected } = script!.steps[1] as { expected: { matches: string } }
  const pattern = new RegExp(expected.matches)
  expect(pattern.test(booked)).toBe(true)
  expect(pattern.test(booked.replace('4P9GRF8K', 'EVT9'))).toBe(true)
  expect(pattern.test(booked.replace('20261205', '20261206'))).toBe(false)
  expect(pattern.test(booked.replace('(for Saturday)', 'for Saturday'))).toBe(false)
})

test('names a test by the first message of the person', () => {
  const name = (...words: string[]) =>
    toTestName(words.map((each, index) => ({ isOwn: index > 0, payload: text(each) })))
  expect(name('Welcome', ' Two\n teas ', 'Please')).toBe('Two teas')
  expect(name('Welcome', 'x'.repeat(90))).toHaveLength(60)
  expect(toTestName([{ isOwn: true, payload: { type: 'image' } }])).toBeUndefined()
})
