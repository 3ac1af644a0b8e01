// The bot of the bare program: reads messages from stdin, posts answers over HTTP, and writes the
// id of each finished delivery to stdout. With FRAMED, both are frames on file descriptor 3.
import { Agent, request } from 'node:http'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { onFrames, sendFrame } from './bare-frames.ts'

const agent = new Agent({ keepAlive: true })

if (process.env.FRAMED) {
  const socket = new Socket({ fd: 3, readable: true, writable: true })
  onFrames(socket, async ({ deliveryId, message }) => {
    await answer(message)
    sendFrame(socket, { deliveryId })
  })
} else
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const { deliveryId, message } = JSON.parse(line)
    await answer(message)
    process.stdout.write(`${deliveryId}\n`)
  })

const answer = ({
  conversationId,
  payload,
}: {
  conversationId: string
  payload: object
}) => post('/answers', { conversationId, userId: 'bot', payload })

function post(path: string, body: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }
    const posted = request(
      `${process.env.API}${path}`,
      { method: 'POST', agent, headers },
      (reply) => {
        reply.resume().on('end', resolve)
      },
    )
    posted.on('error', reject).end(text)
  })
}
