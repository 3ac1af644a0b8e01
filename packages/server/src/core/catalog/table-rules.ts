import { sql } from 'kysely'
import {
  and,
  isBefore,
  isConversation,
  isOfBot,
  isUser,
  mentions,
  or,
  sealedBytes,
  sealedObject,
  type Tables,
} from '../table-rules/index.ts'

const signingSecret = (column: string) =>
  sealedBytes(column, (row) => `integration.signing_secret/${row.id}`, {
    isNullable: true,
  })

const configuration = (table: string) =>
  sealedBytes(
    'configuration',
    (row) => `${table}.configuration/${row.bot_id}/${row.alias}`,
    {
      fresh: () => '{}',
    },
  )

export const tables = {
  bot_plugin: {
    owner: 'derived',
    sealed: { configuration: configuration('bot_plugin') },
  },
  installation: {
    owner: 'derived',
    sealed: { configuration: configuration('installation') },
  },
  integration: {
    owner: 'derived',
    sealed: {
      signing_secret: signingSecret('signing_secret'),
      previous_signing_secret: signingSecret('previous_signing_secret'),
    },
  },
  integration_code: { owner: 'derived' },
  integration_log: {
    owner: 'derived',
    person: {
      kind: 'logs',
      step: 60,
      belongs: (person) =>
        and(
          sql`t.integration_id in (select i.integration_id from installation i
          where i.bot_id = ${person.botId})`,
          isOfBot(person),
          or(isUser(person), isConversation(person), mentions(sql`t.message`, person)),
        ),
    },
    retention: {
      kind: 'logs',
      step: 70,
      old: (age) => sql`t.integration_id in (
      select i.integration_id from installation i where i.bot_id = ${age.botId})
      and ${isBefore('at')(age)}`,
    },
  },
  integration_view: { owner: 'derived' },
  interface: { owner: 'derived' },
  package_asset: { owner: 'derived', plainBytes: ['content'] },
  package_line: {
    owner: 'derived',
    sealed: {
      secrets: sealedObject('secrets', (row) => `package_line.secrets/${row.id}`),
    },
  },
  plugin: { owner: 'derived' },
  plugin_code: { owner: 'derived' },
  plugin_dependency: { owner: 'derived' },
} satisfies Tables
