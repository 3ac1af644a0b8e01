// What the command line compiles a bot to that has the plugin: configuration and aliases are in the
// code.
import { Bot } from '@botpress/sdk'
import librarian from './librarian.ts'

const keeper = {
  name: 'keeper',
  version: '0.1.0',
  integrationAlias: 'papers',
  integrationInterfaceAlias: 'keeper<paper>',
}
const words = {
  entities: { item: { name: 'paper' } },
  actions: { keep: { name: 'keepPaper' } },
  events: {},
  channels: {},
}
const props = {
  alias: 'librarian',
  configuration: { shelf: 'shelf 7' },
  interfaces: { keeper: { ...keeper, ...words } },
  integrations: {},
}

const bot = new Bot({
  actions: {},
  plugins: { librarian: librarian.initialize(props as never) },
} as never)
export default bot
export const handler = bot.handler

bot.on.message('text', async ({ client, ctx, message }) => {
  const item = { id: message.id, title: String(message.payload.text) }
  const { output } = await client.callAction({
    type: 'librarian#store',
    input: { item },
  } as never)
  const { said } = output as { said: string }
  await client.createMessage({
    conversationId: message.conversationId,
    userId: ctx.botId,
    type: 'text',
    payload: { text: said },
    tags: {},
  })
})
