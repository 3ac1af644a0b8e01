// Answers the waiting handoffs of a bot as its owner: node answer.mjs <bot id>
import { existsSync, readFileSync } from 'node:fs'

const [botId] = process.argv.slice(2)
if (!botId) stop('Use: node examples/support-bot/answer.mjs <bot id>')
const file = `${process.env.BOTSTEAD_DATA ?? 'data'}/credentials.json`
if (!existsSync(file))
  stop(`${file} does not exist: set BOTSTEAD_DATA to the server's data folder`)
const { token, url } = JSON.parse(readFileSync(file, 'utf8'))

const { account } = await call('GET', '/v1/admin/account/me')
const { handoffs } = await call('GET', '/v1/platform/handoffs?state=waiting')
for (const { id, summary } of handoffs) {
  console.log(summary)
  const handoff = `/v1/platform/handoffs/${id}`
  await call('POST', `${handoff}/assign`, { from: null, to: account.id })
  const payload = { text: 'I send you a new one.' }
  await call('POST', `${handoff}/messages`, { type: 'text', payload })
  await call('POST', `${handoff}/close`, { outcome: 'returned' })
}

async function call(method, path, body) {
  const headers = { authorization: `Bearer ${token}`, 'x-bot-id': botId }
  if (body) headers['content-type'] = 'application/json'
  const response = await fetch(url + path, {
    method,
    headers,
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  return response.ok ? answer : stop(answer.message)
}

/** Prints why the script cannot continue, and ends it. */
function stop(message) {
  console.error(message)
  process.exit(1)
}
