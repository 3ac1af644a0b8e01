// `botstead bots`: lists the bots of the workspace, one line or JSON object each.
import { openAdmin } from '../admin.ts'
import type { Connecting } from '../credentials.ts'

export async function runListBots({
  json,
  ...options
}: Connecting & { json?: boolean }): Promise<void> {
  const admin = openAdmin(options)
  let nextToken: string | undefined
  do {
    const page = await admin.listBots(nextToken)
    if (json) for (const bot of page.bots) console.log(JSON.stringify(bot))
    else
      for (const { id, name, updatedAt } of page.bots)
        console.log(`${id}  ${updatedAt.slice(0, 16).replace('T', ' ')}  ${name}`)
    nextToken = page.meta.nextToken
  } while (nextToken)
}
