// `botstead bots`: lists the bots of the workspace, one line or JSON object each.
import { openAdmin } from '../admin.ts'
import type { Connecting } from '../credentials.ts'
import { itemsOf } from '../server-client.ts'

export async function runListBots({
  json,
  ...options
}: Connecting & { json?: boolean }): Promise<void> {
  const { client } = openAdmin(options)
  const bots = itemsOf(async (query) => {
    const { bots, meta } = await client.admin.listBots({ query })
    return { items: bots, ...meta }
  })
  for await (const bot of bots) {
    const { id, name, updatedAt } = bot
    console.log(
      json ? JSON.stringify(bot) : `${id}  ${updatedAt.slice(0, 16).replace('T', ' ')}  ${name}`,
    )
  }
}
