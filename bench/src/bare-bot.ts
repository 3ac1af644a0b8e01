// The bot of the bare program: reads messages from stdin, posts answers over HTTP, and writes the
// id of each finished delivery to stdout.
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'

const agent = new Agent({ keepAlive: true })

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { deliveryId, message } = JSON.parse(line)
  await post('/answers', {
    conversationId: message.conversationId,
    userId: 'bot',
    payload: message.payload,
  })
  process.stdout.write(`${deliveryId}\n`)
})

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
