// The socket from the process of a bot to the server.
import net from 'node:net'
import type { FromHost, ToHost } from '../runner/frames.ts'

const socket = new net.Socket({ fd: 3, readable: true, writable: true })

export function send(message: FromHost): void {
  const text = JSON.stringify(message)
  const length = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(4 + length)
  frame.writeUInt32BE(length)
  frame.write(text, 4)
  socket.write(frame)
}

export function listen({ receive, receivePiece }: Receivers): void {
  let chunks: Buffer[] = []
  let size = 0
  let wanted = 4
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size < wanted) return
    let buffered = Buffer.concat(chunks)
    for (;;) {
      const length = buffered.length < 4 ? 0 : buffered.readUInt32BE()
      wanted = 4 + (length & 0x7fff_ffff)
      if (buffered.length < 4 || buffered.length < wanted) break
      const frame = buffered.subarray(4, wanted)
      buffered = buffered.subarray(wanted)
      if (length > 0x7fff_ffff) receivePiece(frame.readUInt32BE(), frame.subarray(4))
      else receive(JSON.parse(frame.toString('utf8')))
    }
    chunks = [buffered]
    size = buffered.length
  })
  // The server has closed the connection.
  for (const event of ['end', 'close', 'error']) socket.on(event, () => process.exit(0))
}

interface Receivers {
  receive(message: ToHost): void
  receivePiece(id: number, piece: Buffer): void
}
