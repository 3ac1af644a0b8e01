// What a developer deploys in newer-cli.test.ts: an interface, an integration that implements it,
// one that does not, and a plugin that needs the interface.
import {
  IntegrationDefinition,
  InterfaceDefinition,
  type InterfacePackage,
  PluginDefinition,
  z,
} from '@botpress/sdk'

export const keeper = new InterfaceDefinition({
  name: 'keeper',
  version: '0.1.0',
  title: 'Keeper',
  description: 'Keeps items of its own kind',
  entities: { item: { schema: z.object({ id: z.string() }) } },
  actions: {
    keep: {
      input: { schema: ({ item }) => z.object({ item }) },
      output: { schema: ({ item }) => z.object({ item }) },
    },
  },
})

/** As `bp add` leaves a package in a project: with the id that it has on the server. */
const keeperPackage = (id: string): InterfacePackage => ({
  type: 'interface',
  name: 'keeper',
  version: '0.1.0',
  id,
  definition: keeper as never,
})

export const archive = (keeperId: string, version = '1.0.0') =>
  new IntegrationDefinition({
    name: 'archive',
    version,
    title: 'Archive',
    description: 'Papers',
    configuration: { schema: z.object({ room: z.string().title('Room') }) },
    configurations: {
      borrowed: {
        title: 'Borrowed',
        description: 'Of somebody else',
        schema: z.object({ from: z.string() }),
      },
    },
    secrets: { KEY: { description: 'Of the archive' }, SPARE: { optional: true } },
    entities: {
      paper: { title: 'Paper', schema: z.object({ id: z.string(), title: z.string() }) },
    },
    states: { shelf: { type: 'integration', schema: z.object({ papers: z.number() }) } },
  }).extend(keeperPackage(keeperId), ({ entities }) => ({
    entities: { item: entities.paper },
    // The type of a package does not list its actions.
    actions: { keep: { name: 'keepPaper', title: 'Keep a paper' } } as never,
  }))

export const doorbell = new IntegrationDefinition({
  name: 'doorbell',
  version: '0.3.0',
  channels: {
    door: {
      title: 'Door',
      conversation: { tags: { id: { title: 'Id' } } },
      message: { tags: { posted: { title: 'Posted' } } },
      messages: { text: { schema: z.object({ text: z.string() }) } },
    },
  },
  user: { tags: { id: { title: 'Id' } } },
  events: { rung: { title: 'Rung', schema: z.object({ times: z.number() }) } },
})

export const librarian = (keeperId: string) =>
  new PluginDefinition({
    name: 'librarian',
    version: '0.1.0',
    title: 'Librarian',
    interfaces: { keeper: keeperPackage(keeperId) },
    configuration: { schema: z.object({ shelf: z.string() }) },
    states: { stored: { type: 'bot', schema: z.object({ ids: z.array(z.string()) }) } },
    conversation: { tags: { topic: { title: 'Topic' } } },
    actions: {
      store: {
        title: 'Store',
        // The type of a package does not list its entities.
        input: {
          schema: ({ entities }) =>
            z.object({ item: (entities.keeper as { item: z.ZodRef }).item }),
        },
        output: { schema: z.object({ said: z.string() }) },
      },
    },
  })
