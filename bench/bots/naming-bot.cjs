// A hosted bot that answers each message with its id and its text.
'use strict'
const { BP_API_URL, BP_TOKEN } = process.env

exports.handler = async ({ headers, body }) => {
  if (headers['x-bp-operation'] !== 'event_received') return { status: 200 }
  const { type, payload } = JSON.parse(body).event
  if (type !== 'message_created') return { status: 200 }
  const botId = headers['x-bot-id']
  const { id, conversationId, payload: content } = payload.message
  const reply = await fetch(`${BP_API_URL}/v1/chat/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${BP_TOKEN}`,
      'x-bot-id': botId,
    },
    body: JSON.stringify({
      conversationId,
      userId: botId,
      type: 'text',
      payload: { text: `${id} ${content.text}` },
      tags: {},
    }),
  })
  await reply.arrayBuffer()
  return { status: reply.status === 201 ? 200 : 500 }
}
