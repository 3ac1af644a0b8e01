// `botstead bots`: what there is to talk to, one line each.
import { openAdmin } from '../admin.ts'
import type { Connecting } from '../credentials.ts'

export async function listBots(options: Connecting): Promise<void> {
  const admin = openAdmin(options)
  let nextToken: string | undefined
  do {
    const page = await admin.listBots(nextToken)
    for (const { id, name, updatedAt } of page.bots) console.log(`${id}  ${updatedAt.slice(0, 16).replace('T', ' ')}  ${name}`)
    nextToken = page.meta.nextToken
  } while (nextToken)
}
