// Calls the bundled handler as the server does. A local server records the requests of the integration.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { json } from 'node:stream/consumers'
import { after, before, test } from 'node:test'

const events = []
const api = createServer(async (request, response) => {
  events.push(await json(request))
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ event: { id: 'evt_1' } }))
})
let handler

before(async () => {
  await once(api.listen(0, '127.0.0.1'), 'listening')
  process.env.BP_API_URL = `http://127.0.0.1:${api.address().port}`
  process.env.BP_TOKEN = 'token'
  handler = createRequire(import.meta.url)('../dist/integration.cjs').handler
})
after(() => api.close())

const call = (operation, body) =>
  handler({
    method: 'POST',
    path: '/',
    query: '',
    headers: {
      'x-bot-id': 'bot_1',
      'x-bot-user-id': 'user_1',
      'x-integration-id': 'intver_1',
      'x-integration-alias': 'mine',
      'x-webhook-id': 'webhook_1',
      'x-bp-operation': operation,
      'x-bp-configuration': Buffer.from('{}').toString('base64'),
    },
    body: JSON.stringify(body),
  })

test('sends an event for a request to the webhook', async () => {
  const req = { method: 'POST', path: '/', query: '', headers: {}, body: 'hello' }
  assert.equal((await call('webhook_received', { req })).status, 202)
  assert.deepEqual(
    events.map(({ type, payload }) => [type, payload]),
    [['received', { text: 'hello' }]],
  )
})

test('reverses a text', async () => {
  const { body } = await call('action_triggered', {
    type: 'reverse',
    input: { text: 'abc' },
  })
  assert.deepEqual(JSON.parse(body).output, { text: 'cba' })
})
