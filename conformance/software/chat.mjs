// The chat client of one version talks to the bot of the installation, and receives its answers.
import { createHmac } from 'node:crypto'
import * as chat from '@botpress/chat'
import { env, equal, perform, until } from './steps.mjs'

const apiUrl = env('CHAT_URL')
const heard = []
let client
let conversation
let listener

/** Before 0.4 there was no `connect`: each call carries the key of the user. */
async function connect() {
  if (chat.Client.connect) return chat.Client.connect({ apiUrl })
  const plain = new chat.Client({ apiUrl })
  const { key: xChatKey } = await plain.createUser({})
  return new Proxy(plain, {
    get: (target, name) => (input) => target[name]({ xChatKey, ...input }),
  })
}

await perform({
  connect: async () => {
    client = await connect()
  },
  'create a conversation': async () => {
    conversation = (await client.createConversation({})).conversation
  },
  'listen to the conversation': async () => {
    listener = await client.listenConversation({ id: conversation.id })
    listener.on('message_created', ({ payload }) => heard.push(payload.text))
  },
  'send a message and receive the answer': async () => {
    const payload = { type: 'text', text: 'hello' }
    await client.createMessage({ conversationId: conversation.id, payload })
    await until(() => heard.some((text) => String(text).includes('You said: "hello"')))
  },
  'list the messages': async () => {
    const list = client.listMessages ?? client.listConversationMessages
    const input = { conversationId: conversation.id, id: conversation.id }
    const { messages } = await (chat.Client.connect
      ? list.call(client, input)
      : client.listMessages(input))
    equal(messages.length, 2)
  },
  'sign a user key': async () => {
    const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ id: 'signed-by-us' })}`
    const signature = createHmac('sha256', env('CHAT_KEY'))
      .update(signed)
      .digest('base64url')
    const other = new chat.Client({ apiUrl })
    const key = `${signed}.${signature}`
    const { user } = await other.getOrCreateUser({ 'x-user-key': key, xChatKey: key })
    equal(typeof user.id, 'string')
  },
})
