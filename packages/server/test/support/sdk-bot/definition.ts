// What the bot of sdk-bot.test.ts declares, in the words of the official SDK.
import { BotDefinition, z } from '@botpress/sdk'

export const definition = new BotDefinition({
  configuration: { schema: z.object({ greeting: z.string() }) },
  user: { tags: { vip: { title: 'VIP' } } },
  conversation: { tags: { topic: { title: 'Topic' } } },
  message: { tags: { mood: { title: 'Mood' } } },
  states: {
    session: {
      type: 'conversation',
      schema: z.object({ step: z.number(), note: z.string().optional() }),
      expiry: 600_000,
    },
    profile: { type: 'user', schema: z.object({ language: z.string() }) },
    settings: { type: 'bot', schema: z.object({ registeredAs: z.string() }) },
    fleeting: {
      type: 'conversation',
      schema: z.object({ word: z.string() }),
      expiry: 200,
    },
  },
  events: {
    reminder: { schema: z.object({ about: z.string() }) },
    tick: { schema: z.object({ every: z.string() }) },
  },
  recurringEvents: {
    everyMonth: {
      type: 'tick',
      payload: { every: 'month' },
      schedule: { cron: '0 0 1 * *' },
    },
  },
  actions: {
    add: {
      input: { schema: z.object({ a: z.number(), b: z.number() }) },
      output: { schema: z.object({ sum: z.number() }) },
    },
    refuse: { input: { schema: z.object({}) }, output: { schema: z.object({}) } },
  },
  workflows: {
    order: {
      input: { schema: z.object({ dish: z.string() }) },
      output: { schema: z.object({ served: z.string() }) },
      tags: { stage: { title: 'Stage' } },
    },
  },
})
