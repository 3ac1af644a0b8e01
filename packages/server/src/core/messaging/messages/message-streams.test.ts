// The end of a stream, with the listeners of a process.
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Signal } from '../../realtime/signal.ts'
import { Signals } from '../../realtime/signals.ts'
import { MessageStream } from './message-streams.ts'

let signals: Signals
let received: Signal[]
const conversation = { id: 'conv_1', fid: 'chosen', last_number: '4' }
const listTypes = () => received.map(({ type }) => type)

beforeEach(() => {
  vi.useFakeTimers()
  received = []
  signals = new Signals({
    read: async () => [],
    notify: () => {},
    log: pino({ level: 'silent' }),
  })
  const send = (signal: Signal) => void received.push(signal)
  signals.listen('bot_1', 'conv_1', '4', { userId: 'user_1', send, end: () => {} })
})
afterEach(() => {
  signals.close()
  vi.useRealTimers()
})

async function streamed(): Promise<MessageStream> {
  await vi.advanceTimersByTimeAsync(0) // the listener has read what it missed
  const stream = new MessageStream(signals, {
    botId: 'bot_1',
    conversation,
    streamId: 's',
    clientMessageId: 'c',
  })
  for (const text of ['a', 'b', 'c']) stream.write(text)
  return stream
}

test('publishes the first text at once, and the following together', async () => {
  await streamed()
  await vi.advanceTimersByTimeAsync(100)
  expect(received.map(({ data }) => data)).toMatchObject([
    { sequence: 0, delta: 'a', conversationId: 'chosen', clientMessageId: 'c' },
    { sequence: 1, delta: 'bc' },
  ])
})

test('aborts a stream that no message completes', async () => {
  const stream = await streamed()
  stream.finish()
  expect(listTypes()).toEqual(['message_stream_delta', 'message_stream_delta'])
  await vi.advanceTimersByTimeAsync(29_000)
  expect(received).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(listTypes().slice(2)).toEqual(['message_stream_abort'])
  expect(signals.listeners).toBe(1)
})

test('ends with the message that completes it', async () => {
  const stream = await streamed()
  stream.finish()
  await vi.advanceTimersByTimeAsync(1_000)
  const message = { id: 'msg_1' }
  signals.publish(
    ...(['bot_1', 'conv_1', '5'] as const),
    () => ({ type: 'message_created', data: message }),
    () => ({ type: 'message_stream_complete', data: { streamId: 's', message } }),
  )
  await vi.advanceTimersByTimeAsync(60_000)
  expect(listTypes().slice(2)).toEqual(['message_stream_complete', 'message_created'])
  expect(signals.listeners).toBe(1)
})

test('begins again after an abort, and aborts nothing that was not published', async () => {
  const stream = await streamed()
  stream.abort()
  stream.abort()
  stream.write('new')
  expect(
    received.map(({ type, data }) => [type, (data as { sequence?: number }).sequence]),
  ).toEqual([
    ['message_stream_delta', 0],
    ['message_stream_abort', undefined],
    ['message_stream_delta', 0],
  ])
})
