import { expect, test } from 'vitest'
import type { Context, OutgoingMessage } from '../channel.ts'
import { lineChannel } from './line.ts'

/** Sends six messages after an attempt that noted some, and returns the sizes of the calls and the parts. */
async function sendAfter(sentParts: number) {
  const calls: number[] = []
  const request: Context['request'] = async (_, { body } = {}) => {
    const { messages } = JSON.parse(String(body))
    calls.push(messages.length)
    const answer = { sentMessages: messages.map(() => ({ id: '1' })) }
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) }
  }
  const context = {
    configuration: { channelAccessToken: 't' },
    request,
  } as unknown as Context
  const items = Array.from({ length: 6 }, (_, i) => ({
    type: 'text',
    payload: { text: `${i}` },
  }))
  const conversation = { id: 'c', channel: 'channel', tags: { usrId: 'U1' } }
  const message: OutgoingMessage = {
    id: 'm',
    type: 'bloc',
    payload: { items },
    conversation,
    sentParts,
  }
  let parts = sentParts
  for await (const _ of lineChannel.send(context, message)) parts++
  return { calls, parts }
}

test.each([
  [0, [5, 1]],
  [2, [1]],
  [5, [1]],
  [6, []],
])(
  'after %i noted messages, LINE gets only calls that it has not taken',
  async (sent, calls) => {
    expect(await sendAfter(sent)).toEqual({ calls, parts: 6 })
  },
)
