// Bundles sources as the official command line does: one CommonJS file, deployed or run as a
// server. Also builds the body that deploys a definition.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type {
  BotDefinition,
  IntegrationDefinition,
  InterfaceDefinition,
  PluginDefinition,
} from '@botpress/sdk'
import { transforms } from '@bpinternal/zui'
import { build } from 'esbuild'

const asToolsDo = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  write: false,
  logLevel: 'silent',
} as const

/** The path of `folder/file.ts` in this folder. */
export async function bundled(source: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(source, import.meta.url))],
    ...asToolsDo,
  })
  return outputFiles[0]!.text
}

/** Bundles source text. */
export async function bundledText(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      loader: 'ts',
    },
    ...asToolsDo,
  })
  return outputFiles[0]!.text
}

/** Runs a source in a separate process with its developer's token; the source prints its port. */
export async function served(
  source: string,
  { apiUrl, token }: { apiUrl: string; token: string },
) {
  const folder = await mkdtemp(join(tmpdir(), 'botstead-sdk-'))
  const file = join(folder, 'main.cjs')
  await writeFile(file, await bundled(source))
  const env = { ...process.env, BP_API_URL: apiUrl, BP_TOKEN: token }
  const server = fork(file, {
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
  })
  const [port] = await once(server, 'message')
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Schema = Parameters<typeof transforms.toJSONSchema>[0]
export const withSchema = <D extends { schema: unknown }>(given: D) => ({
  ...given,
  schema: transforms.toJSONSchema(given.schema as Schema),
})

export function mapDefinitions<D, T>(
  given: Record<string, D> | undefined,
  change: (one: D) => T,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(given ?? {}).map(([name, one]) => [name, change(one)]),
  )
}

export const listActions = (
  actions: BotDefinition['actions'] | IntegrationDefinition['actions'],
) =>
  mapDefinitions(actions as BotDefinition['actions'], (action) => ({
    ...action,
    input: withSchema(action.input),
    output: withSchema(action.output),
  }))

/** A definition with its own schemas. TypeScript does not accept it as a general definition. */
export type Specific<Definition> = { [Key in keyof Definition]: unknown }

/** Workflows are compiled in, not deployed. */
export function botBody(definition: Specific<BotDefinition>) {
  const {
    user,
    conversation,
    message,
    configuration,
    states,
    events,
    recurringEvents,
    actions,
  } = definition as BotDefinition
  return {
    user,
    conversation,
    message,
    recurringEvents,
    ...(configuration && { configuration: withSchema(configuration) }),
    states: mapDefinitions(states, withSchema),
    events: mapDefinitions(events, withSchema),
    actions: listActions(actions),
  }
}

type Packaged = Partial<
  Pick<
    PluginDefinition,
    | 'user'
    | 'conversation'
    | 'message'
    | 'configuration'
    | 'states'
    | 'events'
    | 'actions'
  >
> &
  Partial<Pick<InterfaceDefinition, 'entities' | 'channels'>>
/** The deployment body of an interface or a plugin, without its name and dependencies. */
export const packageBody = ({
  user,
  conversation,
  message,
  configuration,
  states,
  events,
  actions,
  entities,
  channels,
}: Packaged) => ({
  ...(user && { user }),
  ...(conversation && { conversation }),
  ...(message && { message }),
  ...(configuration && { configuration: withSchema(configuration) }),
  ...(states && { states: mapDefinitions(states, withSchema) }),
  ...(entities && { entities: mapDefinitions(entities, withSchema) }),
  ...(channels && {
    channels: mapDefinitions(channels, ({ messages }) => ({
      messages: mapDefinitions(messages, withSchema),
    })),
  }),
  events: mapDefinitions(events, withSchema),
  actions: listActions(actions as BotDefinition['actions']),
})

export const integrationBody = ({
  configuration,
  user,
  channels,
  states,
  events,
  actions,
}: IntegrationDefinition) => ({
  title: 'SDK',
  description: '',
  iconUrl: '',
  readmeUrl: '',
  visibility: 'private',
  verificationStatus: 'approved',
  lifecycleStatus: 'published',
  identifier: {},
  configurations: {},
  entities: {},
  interfaces: {},
  attributes: {},
  secrets: [],
  configuration: {
    identifier: { required: false },
    ...(configuration ? withSchema(configuration) : { schema: {} }),
  },
  user: { tags: user?.tags ?? {}, creation: nobody },
  channels: mapDefinitions(channels, ({ messages, conversation, message }) => ({
    messages: mapDefinitions(messages, withSchema),
    conversation: { tags: conversation?.tags ?? {}, creation: nobody },
    message: { tags: message?.tags ?? {} },
  })),
  states: mapDefinitions(states, withSchema),
  events: mapDefinitions(events, withSchema),
  actions: listActions(actions),
})

const nobody = { enabled: false, requiredTags: [] }
