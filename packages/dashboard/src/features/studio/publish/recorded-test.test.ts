import { parseScripts } from '@botstead/flows/testing'
import { expect, test } from 'vitest'
import { toScript } from './recorded-test.ts'

const text = (words: string) => ({ type: 'text', text: words })

test('writes a script that expects the same conversation', () => {
  const choice = { type: 'choice', text: 'Tea?', options: [{ label: 'Yes: "1"', value: 'yes' }] }
  const script = toScript('At 9: "now"', [
    { isOwn: true, payload: text('# hello\n- {{ x }}') },
    { isOwn: false, payload: text('Line: one\nline two ') },
    { isOwn: false, payload: choice },
    { isOwn: true, payload: { type: 'image', imageUrl: 'https://example.org/a.png' } },
    { isOwn: false, payload: text('nothing') },
    { isOwn: true, payload: text('nothing') },
  ])
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
})
