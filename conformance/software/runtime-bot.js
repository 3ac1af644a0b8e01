// A bot on the runtime of agents, wired as its command line generates it, with one conversation that needs no model.
import { Conversation } from '@botpress/runtime'
import {
  agentRegistry,
  defineConfig,
  handlers,
  initialize,
  patchHandlers,
  register,
} from '@botpress/runtime/runtime'
// The runtime brings its own.
import { Bot } from './node_modules/@botpress/runtime/node_modules/@botpress/sdk/dist/index.cjs'

const environment = globalThis.__ADK_GLOBAL_ENV ?? {}
agentRegistry.initialize({ integrations: [], interfaces: [], interfacesMapping: {} })
initialize({ config: defineConfig({ name: 'agent' }) })
register(
  new Conversation({
    channel: '*',
    handler: async ({ conversation, message }) => {
      const text = `${environment.type}: ${message.payload.text}`
      await conversation.send({ type: 'text', payload: { text } })
    },
  }),
)

const bot = new Bot({ actions: {}, plugins: {} })
for (const one of Object.values(handlers)) one.setup(bot)
patchHandlers(bot)
export default bot
export const handler = (request) => bot.handler(request)
