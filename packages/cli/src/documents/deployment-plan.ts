// `botstead deploy --dry-run`: compares a document with the bot that a deployment would change.
import { isDeepStrictEqual } from 'node:util'
import { findMissingData, type MissingData } from '@botstead/client'
import { derive, isFlowDocument } from '@botstead/flows'
import type { Admin } from '../server/admin.ts'
import type { ReadDocument } from './bot-document.ts'
import { knowledgeFolders } from './knowledge-folders.ts'

type Document = ReadDocument['document']

interface Changes {
  create: string[]
  update: string[]
  delete: string[]
}

interface Plan extends MissingData {
  /** Null for a new bot. */
  id: string | null
  name: string
  code: 'new' | 'changed' | 'unchanged'
  /** Aliases of integrations. A document without `integrations` keeps them all. */
  integrations: Changes
  schedules: Changes
  /** Folders with documents of knowledge bases. */
  documents: string[]
}

export async function planDeployment(
  admin: Admin,
  read: ReadDocument,
  { botId, name }: { botId?: string | undefined; name: string },
): Promise<Plan> {
  const { document } = read
  const deployed = botId === undefined ? null : await readDeployed(admin, botId)
  const { bot, document: before } = deployed ?? { bot: null, document: null }
  return {
    id: bot?.id ?? null,
    name: bot?.name ?? name,
    code: codeChange(before, document),
    integrations: document.integrations
      ? findChanges(
          before?.integrations ?? {},
          document.integrations,
          ({ name, version }) => [name, version].join(' '),
        )
      : { create: [], update: [], delete: [] },
    schedules: findChanges(
      bot?.recurringEvents ?? {},
      toSchedules(document),
      ({ schedule, payload }) => [schedule.cron, payload],
    ),
    ...(await findMissingData(bot && admin.as(bot.id), document)),
    documents: knowledgeFolders(read).map(({ folder }) => folder),
  }
}

async function readDeployed({ client }: Admin, id: string) {
  const { bot } = await client.admin.getBot({ params: { id } })
  const document = (await client.admin.getBotJson({
    params: { id },
  })) as Partial<Document>
  return { bot, document }
}

const toSchedules = (document: Document) =>
  isFlowDocument(document)
    ? derive(document, {}).recurringEvents
    : (document.recurringEvents ?? {})

/** Fields that become the code of the bot. */
const fields = [
  'code',
  'settings',
  'languages',
  'variables',
  'flows',
  'hooks',
  'triggers',
  'knowledgeBases',
  'tables',
  'files',
  'actions',
] as const

function codeChange(before: Partial<Document> | null, after: Document): Plan['code'] {
  if (!before) return 'new'
  const isSame = fields.every((field) =>
    isDeepStrictEqual(before[field] ?? {}, after[field] ?? {}),
  )
  return isSame ? 'unchanged' : 'changed'
}

function findChanges<Before extends After, After>(
  before: Record<string, Before>,
  after: Record<string, After>,
  getContent: (one: After) => unknown,
): Changes {
  const has = (all: object, name: string) => Object.hasOwn(all, name)
  const [old, wanted] = [Object.keys(before), Object.keys(after)]
  return {
    create: wanted.filter((name) => !has(before, name)),
    update: wanted.filter(
      (name) =>
        has(before, name) &&
        !isDeepStrictEqual(getContent(before[name]!), getContent(after[name]!)),
    ),
    delete: old.filter((name) => !has(after, name)),
  }
}

export function planLines(plan: Plan): string[] {
  const { id, name, code, documents, tables, columns, knowledgeBases } = plan
  const none = { update: [], delete: [] }
  const missing = Object.entries(columns).map(
    ([table, names]) => `${table}: ${names.join(', ')}`,
  )
  return [
    id === null ? `Would create the bot ${name}` : `Would update ${name} (${id})`,
    line('Code', [code === 'unchanged' ? code : `${code}, saved as a new version`]),
    line('Integrations', toWords(plan.integrations)),
    line('Schedules', toWords(plan.schedules)),
    line('Knowledge bases', toWords({ ...none, create: knowledgeBases })),
    line(
      'Documents',
      documents.map((folder) => `upload changed files of ${folder}`),
    ),
    line('Tables', toWords({ ...none, create: tables })),
    line(
      'Columns',
      missing.map((one) => `add to ${one}`),
    ),
  ]
}

const line = (title: string, parts: string[]) =>
  `  ${title.padEnd(16)} ${parts.join('; ') || 'unchanged'}`

const toWords = (changes: Changes) =>
  Object.entries(changes)
    .filter(([, names]) => names.length > 0)
    .map(([verb, names]) => `${verb} ${names.join(', ')}`)
