// A bot on the runtime of agents is bundled, deployed and talked to.
import { ask, bundle, explained } from './deploy.mjs'
import { equal, perform, until } from './steps.mjs'

let bot
await perform({
  'bundle and deploy a bot without a model': async () => {
    bot = (await ask('POST', '/v1/admin/bots', { name: 'agent', code: await bundle('runtime-bot.js') })).bot
    const path = `/v1/platform/bots/${bot.id}/deployment`
    equal((await ask('GET', path)).deployment.loadError, undefined)
  },
  'answer in the chat, as a deployed bot': async () => {
    const { webhookId } = Object.values(bot.integrations).find(({ name }) => name === 'chat')
    const chat = `/chat/${webhookId}`
    const { key } = await ask('POST', `${chat}/users`, {})
    const headers = { 'x-user-key': key }
    const { conversation } = await ask('POST', `${chat}/conversations`, {}, headers)
    const payload = { type: 'text', text: 'hello' }
    await ask('POST', `${chat}/messages`, { conversationId: conversation.id, payload }, headers)
    const heard = until(async () => {
      const { messages } = await ask(
        'GET',
        `${chat}/conversations/${conversation.id}/messages`,
        undefined,
        headers,
      )
      return messages.some((message) => message.payload.text === 'production: hello')
    }, 40_000)
    await explained(bot.id, heard)
  },
})
