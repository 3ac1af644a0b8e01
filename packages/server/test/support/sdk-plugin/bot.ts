// A bot that has nothing but a plugin, put together as the official command line does it: what the
// plugin works through is compiled in.
import { Bot } from '@botpress/sdk'
import { plugin } from './plugin.ts'

const bot = new Bot({
  actions: {},
  plugins: {
    support: plugin.initialize({
      alias: 'support',
      configuration: { greeting: 'hello' },
      integrations: {},
      interfaces: {
        desk: {
          name: 'ticketing',
          version: '1.0.0',
          integrationAlias: 'helpdesk',
          integrationInterfaceAlias: 'ticketing<case>',
          entities: { ticket: { name: 'case' } },
          actions: {},
          events: {},
          channels: {},
        },
      },
    }) as never,
  },
} as never)
export default bot
export const handler = bot.handler
