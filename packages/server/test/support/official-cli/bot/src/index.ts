// Answers each text with what the almanac knows of it.

import * as bp from '.botpress'
import { z } from '@botpress/sdk'

const bot = new bp.Bot({
  integrations: {
    chat: new bp.chat.Chat({ enabled: true, config: {} as never }),
    almanac: new bp.almanac.Almanac({ enabled: true, config: { edition: 'first' } }),
    doorbell: new bp.doorbell.Doorbell({ enabled: true, config: {} }),
  },
  configuration: { schema: z.object({}) },
  states: { session: { type: 'conversation', schema: z.object({ words: z.number() }) } },
  events: { reminder: { schema: z.object({ about: z.string() }) } },
  recurringEvents: {
    monthly: {
      type: 'reminder',
      payload: { about: 'rent' },
      schedule: { cron: '0 0 1 * *' },
    },
  },
})

bot.message(async ({ message, client, ctx }) => {
  const { output } = await client.callAction({
    type: 'almanac:lookUp',
    input: { word: String(message.payload.text) },
  })
  const { conversationId } = message
  await client.createMessage({
    conversationId,
    userId: ctx.botId,
    tags: {},
    type: 'text',
    payload: { text: output.text },
  })
})

export default bot
