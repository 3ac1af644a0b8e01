// A minimal hosted bot: no SDK, one request per answer, like the bot of the bare program.
'use strict'
const { Agent, request } = require('node:http')

const agent = new Agent({ keepAlive: true })

exports.handler = async ({ headers, body }) => {
  if (headers['x-bp-operation'] !== 'event_received') return { status: 200 }
  const { type, payload } = JSON.parse(body).event
  if (type !== 'message_created') return { status: 200 }
  const botId = headers['x-bot-id']
  const { conversationId } = payload.message
  await post('/v1/chat/messages', botId, {
    conversationId,
    userId: botId,
    type: 'text',
    payload: { text: payload.message.payload.text },
    tags: {},
  })
  return { status: 200 }
}

function post(path, botId, body) {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      authorization: `Bearer ${process.env.BP_TOKEN}`,
      'x-bot-id': botId,
    }
    const posted = request(
      `${process.env.BP_API_URL}${path}`,
      { method: 'POST', agent, headers },
      (reply) => {
        reply
          .resume()
          .on('end', () =>
            reply.statusCode === 201
              ? resolve()
              : reject(new Error(`createMessage returned status ${reply.statusCode}`)),
          )
      },
    )
    posted.on('error', reject).end(text)
  })
}
