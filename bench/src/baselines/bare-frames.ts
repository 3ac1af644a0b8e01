// Frames between the second baseline and its bot: a 4-byte length, then JSON, as the server does.
import type { Socket } from 'node:net'

export function sendFrame(socket: Pick<Socket, 'write'>, message: object): void {
  const text = JSON.stringify(message)
  const length = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(4 + length)
  frame.writeUInt32BE(length)
  frame.write(text, 4)
  socket.write(frame)
}

// biome-ignore lint/suspicious/noExplicitAny: the program and its bot agree on the messages
type Message = any

export function onFrames(
  socket: Pick<Socket, 'on'>,
  receive: (message: Message) => void,
): void {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE()) {
      const end = 4 + rest.readUInt32BE()
      const text = rest.toString('utf8', 4, end)
      rest = rest.subarray(end)
      receive(JSON.parse(text))
    }
  })
}
