// The entry file of an agent, wired in the order of the file that the runtime's own build
// generates: primitives, registry, `patchHandlers`, then the handlers. Handlers that are set up
// before `patchHandlers` have no conversation, user or message in their context.

import {
  agentRegistry,
  handlers,
  initialize,
  patchHandlers,
  register,
} from '@botpress/runtime/runtime'
import { Bot } from '@botpress/sdk'
import { config, primitives } from './runtime-agent.mjs'

const bot = new Bot({
  actions: {},
  plugins: {},
  register: async (props) => handlers.trigger.triggerRegisterEvent(props),
})
initialize({ config })
register(...primitives)
agentRegistry.initialize({ integrations: [], interfaces: [], interfacesMapping: {} })
patchHandlers(bot)
for (const name of ['conversation', 'event', 'trigger', 'workflow', 'actions'])
  handlers[name].setup(bot)

export default bot
export const handler = bot.handler
