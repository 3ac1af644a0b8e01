// The floor for files: a bare stream. What is PUT goes to the disk for good and gets its name when it is whole; what is asked for comes from there.
// No hash, no rows, no permissions, no tenants.
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const folder = process.env.BARE_FOLDER!

const server = createServer(async (request, reply) => {
  const place = join(folder, request.url!.slice(1))
  if (request.method === 'PUT') {
    await pipeline(request, createWriteStream(`${place}.part`))
    for (const [path, settle] of [
      [`${place}.part`, () => rename(`${place}.part`, place)],
      [folder, async () => {}],
    ] as const) {
      const file = await open(path)
      await file.sync().finally(() => file.close())
      await settle()
    }
    return reply.end()
  }
  reply.setHeader('content-length', (await stat(place)).size)
  await pipeline(createReadStream(place), reply)
})
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })),
)
process.once('SIGTERM', () => process.exit())
