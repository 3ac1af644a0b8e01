// Calls the bundled handler as the server does. A local server records the requests of the bot.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { json } from 'node:stream/consumers'
import { after, before, test } from 'node:test'

const sent = []
const api = createServer(async (request, response) => {
  sent.push(await json(request))
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ message: { id: 'msg_2' } }))
})
let handler

before(async () => {
  await once(api.listen(0, '127.0.0.1'), 'listening')
  process.env.BP_API_URL = `http://127.0.0.1:${api.address().port}`
  process.env.BP_TOKEN = 'token'
  handler = createRequire(import.meta.url)('../dist/bot.cjs').handler
})
after(() => api.close())

function receive(text) {
  const message = {
    id: 'msg_1',
    type: 'text',
    payload: { text },
    conversationId: 'conv_1',
  }
  const payload = { message, user: { id: 'user_1' }, conversation: { id: 'conv_1' } }
  return handler({
    method: 'POST',
    path: '/',
    query: '',
    headers: {
      'x-bot-id': 'bot_1',
      'x-bp-operation': 'event_received',
      'x-bp-type': 'message_created',
      'x-bp-configuration': Buffer.from('{}').toString('base64'),
    },
    body: JSON.stringify({ event: { id: 'evt_1', type: 'message_created', payload } }),
  })
}

test('counts the words of a message', async () => {
  await receive('one two three')
  await receive('hello')
  assert.deepEqual(
    sent.map(({ conversationId, payload }) => [conversationId, payload.text]),
    [
      ['conv_1', 'You wrote 3 words.'],
      ['conv_1', 'You wrote 1 word.'],
    ],
  )
})
