// What the official command line makes of an author's sources: one CommonJS file, and the body that deploys a definition.
import { fileURLToPath } from 'node:url'
import type { BotDefinition, IntegrationDefinition } from '@botpress/sdk'
import { transforms } from '@bpinternal/zui'
import { build } from 'esbuild'

/** `folder/file.ts`, beside this file. */
export async function bundled(source: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(source, import.meta.url))],
    ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node20', write: false, logLevel: 'silent' },
  })
  return outputFiles![0]!.text
}

type Schema = Parameters<typeof transforms.toJSONSchema>[0]
const withSchema = <D extends { schema: unknown }>(given: D) => ({ ...given, schema: transforms.toJSONSchema(given.schema as Schema) })

function mapped<D, T>(given: Record<string, D> | undefined, change: (one: D) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(given ?? {}).map(([name, one]) => [name, change(one)]))
}

const actionsOf = (actions: BotDefinition['actions'] | IntegrationDefinition['actions']) =>
  mapped(actions as BotDefinition['actions'], (action) => ({ ...action, input: withSchema(action.input), output: withSchema(action.output) }))

/** Workflows are not deployed: they are compiled in. */
export const botBody = ({ user, conversation, message, configuration, states, events, recurringEvents, actions }: BotDefinition) => ({
  ...{ user, conversation, message, recurringEvents },
  ...(configuration && { configuration: withSchema(configuration) }),
  states: mapped(states, withSchema),
  events: mapped(events, withSchema),
  actions: actionsOf(actions),
})

export const integrationDefinition = ({ configuration, user, channels, states, events, actions }: IntegrationDefinition) => ({
  ...{ title: 'SDK', description: '', iconUrl: '', readmeUrl: '', visibility: 'private', verificationStatus: 'approved', lifecycleStatus: 'published' },
  ...{ identifier: {}, configurations: {}, entities: {}, interfaces: {}, attributes: {}, secrets: [] },
  configuration: { identifier: { required: false }, ...(configuration ? withSchema(configuration) : { schema: {} }) },
  user: { tags: user?.tags ?? {}, creation: nobody },
  channels: mapped(channels, ({ messages, conversation, message }) => ({
    messages: mapped(messages, withSchema),
    conversation: { tags: conversation?.tags ?? {}, creation: nobody },
    message: { tags: message?.tags ?? {} },
  })),
  states: mapped(states, withSchema),
  events: mapped(events, withSchema),
  actions: actionsOf(actions),
})

const nobody = { enabled: false, requiredTags: [] }
