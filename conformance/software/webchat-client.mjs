// The webchat client of one version opens a conversation with the bot of the installation.
import { createClient, initialize } from '@botpress/webchat-client'
import { env, equal, perform, until } from './steps.mjs'

const visitor = { clientId: env('CLIENT_ID'), apiUrl: env('API_URL') }
const heard = []
let opened
let client
let conversationId

const open = (more = {}) =>
  new Promise((resolve) => {
    opened = initialize({ ...visitor, ...more })
    opened.on('init', resolve)
    opened.on('message_created', ({ payload }) => heard.push(payload.text))
  })

await perform({
  connect: async () => {
    const { conversation, user } = await open()
    conversationId = conversation.id
    client = createClient({ ...visitor, userKey: user.userKey })
  },
  'report the start of the conversation': async () => {
    const payload = { type: 'conversation_started', data: {} }
    const start = async () =>
      (await client.createEvent({ conversationId, payload })).event
    equal((await start()).payload.data.status, { isInitial: true })
    equal((await start()).payload.data.status, { isInitial: false })
  },
  'send a message and receive the answer': async () => {
    await client.createMessage({
      conversationId,
      payload: { type: 'text', text: 'hello' },
    })
    await until(() => heard.some((text) => String(text).includes('You said: "hello"')))
  },
  'list conversations and messages': async () => {
    const { messages } = await client.listConversationMessages({ conversationId })
    equal(messages.length, 2)
    const { conversations } = await client.listConversations({})
    equal(conversations[0].lastMessage.id, messages[0].id)
  },
  'rate a message': async () => {
    const { messages } = await client.listConversationMessages({ conversationId })
    await client.addMessageFeedback({ messageId: messages[0].id, value: 'positive' })
    equal((await client.getMessage({ messageId: messages[0].id })).message.feedback, {
      value: 'positive',
    })
  },
  'upload a file': async () => {
    const { file } = await client.createFile({
      key: 'note.txt',
      size: 4,
      accessPolicies: ['public_content'],
    })
    await fetch(file.uploadUrl, { method: 'PUT', body: 'note' })
    equal(await (await fetch(file.url)).text(), 'note')
  },
  'open a new conversation without the key': async () => {
    const { user } = await client.getUser()
    opened.disconnect()
    const again = await open({ conversationId, userToken: undefined })
    equal(again.messages, [])
    equal(again.user.id === user.id, false)
  },
})
