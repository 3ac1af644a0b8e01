// A bot made of flows is an ordinary bot: flows/compile.ts turns its document into code and
// definitions, and the code contains the document for export.
import type { BotDocument } from '@botstead/contract'
import {
  type AuthoredDocument,
  derive,
  type FlowDocument,
  isFlowDocument,
  withoutDerived,
} from '@botstead/flows'
import type { Bot } from '../../core/bots/index.ts'
import { installationStore } from '../../core/catalog/index.ts'
import type { Db } from '../../core/db/index.ts'
import type { CheckedDocument } from './document-check.ts'

/** Replaces flows by their compiled code; returns a document without flows unchanged. */
export async function withoutFlows(
  db: Db,
  bot: Bot,
  { document, code }: CheckedDocument | { document: BotDocument; code: null },
): Promise<BotDocument> {
  if (code === null || !isFlowDocument(document)) return document
  const {
    settings,
    languages,
    variables,
    flows,
    hooks,
    triggers,
    knowledgeBases,
    tables,
    tests,
    files,
    ...plain
  } = document
  const integrations = document.integrations ?? (await integrationsNow(db, bot))
  return {
    ...plain,
    ...derive(document, bot.definition.configuration.data as Record<string, unknown>),
    integrations,
    code,
    url: null,
  }
}

/** Keeps installed integrations, because authors of flows need not list them. */
async function integrationsNow(
  db: Db,
  bot: Bot,
): Promise<NonNullable<BotDocument['integrations']>> {
  const installed = await installationStore.list(db, bot.id)
  return Object.fromEntries(
    installed.map((row) => [
      row.alias,
      {
        id: row.integration_id,
        name: row.name,
        version: row.version,
        enabled: row.enabled,
      },
    ]),
  )
}

/** Returns the document of flows as its author wrote it, with later changes of the bot. */
export function withFlows(
  { url: _url, states, recurringEvents, actions, ...rest }: Omit<BotDocument, 'code'>,
  authored: FlowDocument,
): BotDocument | AuthoredDocument {
  return {
    ...rest,
    ...toFlows(authored),
    states: withoutDerived(states),
    recurringEvents: withoutDerived(recurringEvents),
    actions: { ...withoutDerived(actions), ...authored.actions },
  }
}

function toFlows(authored: FlowDocument) {
  const { settings, languages, variables, flows, hooks, triggers, knowledgeBases } =
    authored
  const { tables, tests, files } = authored
  const before = { settings, languages, variables, flows, hooks, triggers }
  const all = { ...before, knowledgeBases, tables, tests, files }
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as typeof all
}
