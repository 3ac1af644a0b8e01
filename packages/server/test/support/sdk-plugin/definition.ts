// What the bot and the plugin of plugin-merge.test.ts declare, in the words of the official SDK.
import { InterfaceDefinition, PluginDefinition, z } from '@botpress/sdk'

export const ticketing = new InterfaceDefinition({
  name: 'ticketing',
  version: '1.0.0',
  entities: { ticket: { schema: z.object({ id: z.string() }) } },
  actions: {
    openTicket: {
      input: { schema: ({ ticket }) => z.object({ ticket }) },
      output: { schema: () => z.object({ opened: z.string() }) },
    },
  },
})

const asPackage = {
  type: 'interface',
  name: ticketing.name,
  version: ticketing.version,
  definition: ticketing,
} as const

export const support = new PluginDefinition({
  name: 'support',
  version: '1.0.0',
  configuration: { schema: z.object({ greeting: z.string() }) },
  interfaces: { desk: asPackage as never },
  user: { tags: { rank: { title: 'Rank' } } },
  conversation: { tags: { topic: { title: 'Topic' } } },
  message: { tags: { mood: { title: 'Mood' } } },
  states: { memory: { type: 'conversation', schema: z.object({ words: z.number() }) } },
  events: { asked: { schema: z.object({ about: z.string() }) } },
  recurringEvents: {
    monthly: {
      type: 'asked',
      payload: { about: 'the month' },
      schedule: { cron: '0 0 1 * *' },
    },
  },
  actions: {
    open: {
      // The type of a package does not list its entities.
      input: {
        schema: ({ entities }) =>
          z.object({ ticket: (entities.desk as { ticket: z.ZodRef }).ticket }),
      },
      output: { schema: z.object({ opened: z.string() }) },
    },
  },
})
