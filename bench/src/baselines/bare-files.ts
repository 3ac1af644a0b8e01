// Baseline for files: streams uploads to the disk, syncs and renames them, and streams downloads
// from there. No hashes, database, permissions or tenants.
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const folder = process.env.BARE_FOLDER!

const server = createServer(async (request, reply) => {
  const path = join(folder, request.url!.slice(1))
  if (request.method === 'PUT') {
    await pipeline(request, createWriteStream(`${path}.part`))
    for (const [synced, settle] of [
      [`${path}.part`, () => rename(`${path}.part`, path)],
      [folder, async () => {}],
    ] as const) {
      const file = await open(synced)
      await file.sync().finally(() => file.close())
      await settle()
    }
    return reply.end()
  }
  reply.setHeader('content-length', (await stat(path)).size)
  await pipeline(createReadStream(path), reply)
})
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })),
)
process.once('SIGTERM', () => process.exit())
