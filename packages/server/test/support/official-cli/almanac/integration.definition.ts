// Knows a fact about each word, and keeps those that it is given. Needs a secret.
import { IntegrationDefinition, z } from '@botpress/sdk'
import keeper from '../keeper/interface.definition'

export default new IntegrationDefinition({
  name: 'almanac',
  version: '1.0.0',
  title: 'Almanac',
  description: 'Facts',
  icon: 'icon.svg',
  readme: 'hub.md',
  configuration: { schema: z.object({ edition: z.string() }) },
  secrets: { PUBLISHER: {}, PRINTER: { optional: true } },
  entities: {
    fact: { title: 'Fact', schema: z.object({ id: z.string(), text: z.string() }) },
  },
  actions: {
    lookUp: {
      title: 'Look up',
      input: { schema: z.object({ word: z.string() }) },
      output: { schema: z.object({ text: z.string() }) },
    },
  },
}).extend(keeper, ({ fact }) => ({ item: fact }))
