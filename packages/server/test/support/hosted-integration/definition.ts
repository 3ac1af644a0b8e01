// What the integration of hosted-integrations.test.ts declares, in the words of the official SDK.
import { IntegrationDefinition, z } from '@botpress/sdk'

export const definition = new IntegrationDefinition({
  name: 'mirror',
  version: '1.0.0',
  title: 'Mirror',
  configuration: { schema: z.object({ key: z.string() }) },
  user: { tags: { id: { title: 'Id' } } },
  channels: {
    dm: {
      messages: { text: { schema: z.object({ text: z.string() }) } },
      conversation: { tags: { id: { title: 'Id' } } },
      message: { tags: { id: { title: 'Id' } } },
    },
  },
  states: { login: { type: 'integration', schema: z.object({ key: z.string() }) } },
  events: { seen: { schema: z.object({ text: z.string() }) } },
  actions: {
    reverse: {
      input: { schema: z.object({ text: z.string() }) },
      output: { schema: z.object({ text: z.string() }) },
    },
  },
})
