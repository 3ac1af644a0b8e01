import { expect, test } from 'vitest'
import { messageText } from './message-text.ts'

test.each([
  [{ type: 'text', text: 'hello' }, 'hello'],
  [{ type: 'image', imageUrl: 'https://a.b/c.png' }, '[image] https://a.b/c.png'],
  [
    { type: 'file', fileUrl: 'https://a.b/c.pdf', title: 'c.pdf' },
    '[file] c.pdf https://a.b/c.pdf',
  ],
  [
    { type: 'location', latitude: 1.5, longitude: -2, address: 'There' },
    '[location] There 1.5, -2',
  ],
  [
    { type: 'choice', text: 'Which?', options: [{ label: 'One', value: '1' }] },
    'Which?\n  - One',
  ],
  [{ type: 'dropdown', text: 'Which?', options: [] }, 'Which?'],
  [
    {
      type: 'card',
      title: 'T',
      subtitle: 'S',
      actions: [{ action: 'url', label: 'Go', value: 'https://a.b' }],
    },
    'T\nS\n  - Go: https://a.b',
  ],
  [{ type: 'carousel', items: [{ title: 'A' }, { title: 'B' }] }, 'A\n\nB'],
  [
    {
      type: 'bloc',
      items: [
        { type: 'text', text: 'a' },
        { type: 'markdown', markdown: '**b**' },
      ],
    },
    'a\n**b**',
  ],
  [{ type: 'hologram', x: 1 }, '{"type":"hologram","x":1}'],
  [{ type: 'constructor' }, '{"type":"constructor"}'],
])('converts %o to text', (payload, text) => {
  expect(messageText(payload)).toBe(text)
})

test('removes control and bidirectional characters', () => {
  expect(messageText({ type: 'text', text: 'a\u001b[2Jb\u0007\u202ec\r\nd\te' })).toBe(
    'a[2Jbc\nd\te',
  )
})

test('truncates the content of data URLs', () => {
  expect(
    messageText({ type: 'image', imageUrl: `data:image/png;base64,${'A'.repeat(5000)}` })
      .length,
  ).toBeLessThan(100)
})

test.each([
  { type: 'bloc', items: [{ type: 'bloc', items: [] }, null, 3] },
  { type: 'card' },
  { type: 'choice', options: 'x' },
  {},
])('returns a text for the payload %j', (payload) => {
  expect(messageText(payload)).toBeTypeOf('string')
})
