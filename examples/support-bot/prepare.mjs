// Gives the deployed support bot its knowledge and an order: node prepare.mjs <bot id>
import { readFileSync } from 'node:fs'
import { Client } from '@botpress/client'

const [botId] = process.argv.slice(2)
if (!botId) throw new Error('Add the id of the bot: node prepare.mjs <bot id>')
const { token, url: apiUrl } = JSON.parse(
  readFileSync(`${process.env.BOTSTEAD_DATA ?? 'data'}/credentials.json`, 'utf8'),
)
const client = new Client({ apiUrl, token, botId })

const { knowledgeBases } = await client.listKnowledgeBases({})
const shop = knowledgeBases.find(({ name }) => name === 'shop')
if (!shop) throw new Error(`The bot ${botId} has no knowledge base "shop"`)
await client.uploadFile({
  key: 'delivery.md',
  content: readFileSync(new URL('knowledge/delivery.md', import.meta.url)),
  index: true,
  tags: { source: 'knowledge-base', kbId: shop.id, title: 'Delivery and returns' },
})
const text = { type: 'string' }
await client.getOrCreateTable({
  table: 'OrdersTable',
  schema: { type: 'object', properties: { number: text, status: text, arrives: text } },
})
await client.createTableRows({
  table: 'OrdersTable',
  rows: [{ number: 'A-1001', status: 'sent', arrives: 'tomorrow' }],
})
