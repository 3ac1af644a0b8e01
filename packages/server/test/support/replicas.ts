// One server at two addresses of loopback, with a name server that returns both for each name, as Docker's
// does for the replicas of a service.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import {
  type AddressInfo,
  connect,
  createServer,
  type Server,
  type Socket,
} from 'node:net'

const addresses = ['127.0.0.1', '127.0.0.2']

export async function openReplicas(upstream: string) {
  const first = await openRelay(addresses[0]!, 0, upstream)
  const all = [first, await openRelay(addresses[1]!, first.port, upstream)]
  const names = createSocket('udp4')
  names.on('message', (query, { port, address }) =>
    names.send(answerTo(query), port, address),
  )
  names.bind(0, '127.0.0.1')
  await once(names, 'listening')
  return {
    all,
    port: first.port,
    dns: `127.0.0.1:${names.address().port}`,
    async close() {
      for (const { end } of all) end()
      names.close()
      await once(names, 'close')
    },
  }
}

async function openRelay(host: string, port: number, upstream: string) {
  let count = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const onward = connect(Number(upstream.split(':')[1]), '127.0.0.1')
    for (const socket of [client, onward]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    client.on('data', (data) => {
      if (data.includes(' /chat/')) count++
    })
    client.pipe(onward).pipe(client)
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** Of the Chat API. */
    requests: () => count,
    end: () => endAll(server, sockets),
  }
}

function endAll(server: Server, sockets: Set<Socket>) {
  server.close()
  for (const socket of sockets) socket.destroy()
}

const headerBytes = 12
const typeAddress = 1

/** Repeats the question, and answers it with all addresses; without any, if it is not about IPv4. */
function answerTo(query: Buffer): Buffer {
  let end = headerBytes
  while (query[end] !== 0) end += query[end]! + 1
  const question = query.subarray(headerBytes, end + 5)
  const found = query.readUInt16BE(end + 1) === typeAddress ? addresses : []
  const header = Buffer.from(query.subarray(0, headerBytes))
  // A response without an error: one question, the answers, and no other records.
  header.writeUInt16BE(0x8180, 2)
  for (const [at, count] of [1, found.length, 0, 0].entries())
    header.writeUInt16BE(count, 4 + 2 * at)
  const records = found.map((address) => {
    // The name of the question, of type A in the class IN, for one second, with four bytes.
    const fields = [0xc0, headerBytes, 0, typeAddress, 0, 1, 0, 0, 0, 1, 0, 4]
    return Buffer.from([...fields, ...address.split('.').map(Number)])
  })
  return Buffer.concat([header, question, ...records])
}
