// An interface: something that keeps items of one kind.
import { InterfaceDeclaration, z } from '@botpress/sdk'

export default new InterfaceDeclaration({
  name: 'keeper',
  version: '0.1.0',
  entities: { item: { schema: z.object({ id: z.string() }) } },
  actions: {
    keep: {
      input: { schema: ({ item }) => z.object({ item }) },
      output: { schema: ({ item }) => z.object({ item }) },
    },
  },
  events: { kept: { schema: ({ item }) => z.object({ item }) } },
  channels: {},
})
