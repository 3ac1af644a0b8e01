// What the integration of sdk-integration.test.ts declares, in the words of the official SDK.
import { IntegrationDefinition, z } from '@botpress/sdk'

export const definition = new IntegrationDefinition({
  name: 'helpdesk',
  version: '1.0.0',
  title: 'Help desk',
  configuration: { schema: z.object({ key: z.string() }) },
  user: { tags: { id: { title: 'Id' }, lang: { title: 'Language' } } },
  channels: {
    dm: {
      messages: { text: { schema: z.object({ text: z.string() }) } },
      conversation: { tags: { id: { title: 'Id' }, room: { title: 'Room' } } },
      message: { tags: { id: { title: 'Id' } } },
    },
  },
  states: {
    memory: {
      type: 'conversation',
      schema: z.object({ step: z.number(), note: z.string().optional() }),
    },
    login: { type: 'integration', schema: z.object({ key: z.string() }) },
  },
  events: { ticketOpened: { schema: z.object({ ticket: z.string() }) } },
  actions: {
    lookUp: {
      input: { schema: z.object({ ticket: z.string() }) },
      output: { schema: z.object({ title: z.string() }) },
    },
  },
})
