import { InterfaceDefinition, z } from '@botpress/sdk'

export default new InterfaceDefinition({
  name: 'ledger',
  version: '0.2.0',
  entities: {
    line: { title: 'Line', schema: z.object({ id: z.string() }).passthrough() },
  },
  events: { recorded: { schema: ({ line }) => z.object({ line }) } },
  actions: {
    record: {
      title: 'Record',
      input: { schema: ({ line }) => z.object({ line }) },
      output: { schema: ({ line }) => z.object({ line }) },
    },
  },
})
