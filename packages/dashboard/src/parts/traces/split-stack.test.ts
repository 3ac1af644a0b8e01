import { expect, test } from 'vitest'
import { splitStack } from './split-stack.ts'

test('keeps the message and the frames of the bot, and separates the others', () => {
  const own = [
    'Error: No luck',
    'at all',
    '    at answer (bot.cjs:3:9)',
    '    at bot.cjs:9:1',
    '    at src/bot.ts:4:2',
  ]
  const inner = [
    '    at handle (file:///opt/bot-host.js:423:20)',
    '    at node:internal/process:1:1',
  ]
  const text = [...own.slice(0, 3), inner[0], ...own.slice(3), inner[1]].join('\n')
  expect(splitStack(text)).toEqual({ own: own.join('\n'), inner })
})

test('keeps all frames of a trace without frames of the bot', () => {
  const text = 'Error: late\n    at Timeout (node:internal/timers:1:1)'
  expect(splitStack(text)).toEqual({ own: text, inner: [] })
})
