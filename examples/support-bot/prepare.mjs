// Gives the deployed support bot its knowledge and an order: node prepare.mjs <bot id>
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { Client } from '@botpress/client'

const [botId] = process.argv.slice(2)
if (!botId) stop('Use: node examples/support-bot/prepare.mjs <bot id>')
const file = `${process.env.BOTSTEAD_DATA ?? 'data'}/credentials.json`
if (!existsSync(file))
  stop(`${file} does not exist: set BOTSTEAD_DATA to the server's data folder`)
const { token, url: apiUrl } = JSON.parse(readFileSync(file, 'utf8'))
const client = new Client({ apiUrl, token, botId })

const { knowledgeBases } = await client
  .listKnowledgeBases({})
  .catch(({ message }) => stop(message))
const shop = knowledgeBases.find(({ name }) => name === 'shop')
if (!shop) stop(`The bot ${botId} has no knowledge base "shop"`)
const { file: delivery } = await client.uploadFile({
  key: 'delivery.md',
  content: readFileSync(new URL('knowledge/delivery.md', import.meta.url)),
  index: true,
  tags: { source: 'knowledge-base', kbId: shop.id, title: 'Delivery and returns' },
})
// The bot answers from the document once it is indexed. The response of the upload has an earlier status.
let status
do {
  await setTimeout(200)
  status = (await client.getFile({ id: delivery.id })).file.status
  if (/failed/.test(status)) stop(`knowledge/delivery.md is not indexed: ${status}`)
} while (status !== 'indexing_completed')
const text = { type: 'string' }
await client.getOrCreateTable({
  table: 'OrdersTable',
  schema: { type: 'object', properties: { number: text, status: text, arrives: text } },
})
await client.createTableRows({
  table: 'OrdersTable',
  rows: [{ number: 'A-1001', status: 'sent', arrives: 'tomorrow' }],
})

/** Prints why the script cannot continue, and ends it. */
function stop(message) {
  console.error(message)
  process.exit(1)
}
