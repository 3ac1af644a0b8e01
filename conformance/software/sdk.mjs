// A bot and an integration written with the SDK of one version are bundled, deployed and talked to.
import { ask, bundle, explained } from './deploy.mjs'
import { env, equal, perform, until } from './steps.mjs'

const made = {}
const object = (properties) => ({ schema: { type: 'object', properties } })
const text = { type: 'string' }

await perform({
  'deploy an integration': async () => {
    const { integration } = await ask('POST', '/v1/admin/integrations', {
      name: 'greeter',
      version: env('VERSION'),
      code: await bundle('sdk-integration.js'),
      configuration: object({ word: text }),
      actions: {
        greet: { input: object({ name: text }), output: object({ greeting: text }) },
      },
      channels: {
        door: {
          messages: { text: object({ text }) },
          conversation: { tags: {} },
          message: { tags: {} },
        },
      },
    })
    made.integrationId = integration.id
  },
  'deploy a bot with it': async () => {
    const { bot } = await ask('POST', '/v1/admin/bots', {
      name: 'sdk',
      code: await bundle('sdk-bot.js'),
    })
    const installed = {
      integrationId: made.integrationId,
      enabled: true,
      configuration: { word: 'Hello' },
    }
    made.bot = (
      await ask('PUT', `/v1/admin/bots/${bot.id}`, {
        integrations: { greeter: installed },
      })
    ).bot
    equal(made.bot.integrations.greeter.status, 'registered')
  },
  'answer in a conversation that a webhook starts': async () => {
    const { webhookId } = made.bot.integrations.greeter
    const reply = await fetch(`${env('API_URL')}/webhooks/${webhookId}`, {
      method: 'POST',
      body: 'Ann',
    })
    const conversationId = await reply.text()
    equal(reply.status, 200)
    const path = `/v1/chat/messages?conversationId=${conversationId}`
    const heard = until(async () => {
      const { messages } = await ask('GET', path, undefined, { 'x-bot-id': made.bot.id })
      return messages.some(({ payload }) => payload.text === 'Hello Ann')
    }, 40_000)
    await explained(made.bot.id, heard)
  },
})
