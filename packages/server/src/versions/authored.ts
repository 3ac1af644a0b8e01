// A bot made of flows is a bot like any other: its document becomes code and definitions (flows/compile.ts), and comes out of the code again.
import type { BotDocument } from '@botstead/contract'
import {
  type AuthoredDocument,
  compile,
  derive,
  documentIn,
  type FlowDocument,
  isFlowDocument,
  withoutDerived,
} from '@botstead/flows'
import type { Bot } from '../bots/bots.ts'
import type { Db } from '../db/open.ts'
import { listInstallations } from '../integrations/installations.ts'
import { asRefusal } from './document-check.ts'

/** What the document makes of the bot. Without flows, that is what it says. Throws InvalidPayload. */
export async function withoutFlows(
  db: Db,
  bot: Bot,
  document: AuthoredDocument | BotDocument,
): Promise<BotDocument> {
  if (!isFlowDocument(document)) return document
  const { settings, variables, flows, hooks, triggers, knowledgeBases, tables, files, ...plain } = document
  const code = asRefusal(() => compile(document))
  const integrations = document.integrations ?? (await integrationsNow(db, bot))
  return {
    ...plain,
    ...derive(document, bot.definition.configuration.data as Record<string, unknown>),
    integrations,
    code,
    url: null,
  }
}

/** Authors of flows need not know what is installed: what they do not speak of stays. */
async function integrationsNow(db: Db, bot: Bot): Promise<NonNullable<BotDocument['integrations']>> {
  const installed = await listInstallations(db, bot.id)
  return Object.fromEntries(
    installed.map((row) => [
      row.alias,
      { id: row.integration_id, name: row.name, version: row.version, enabled: row.enabled },
    ]),
  )
}

/** As its author wrote it, with what else was changed in the bot since. */
export function withFlows(document: BotDocument): BotDocument | AuthoredDocument {
  const { code, url: _url, states, recurringEvents, actions, ...rest } = document
  const authored = typeof code === 'string' ? documentIn(code) : null
  if (!authored) return document
  return {
    ...rest,
    ...flowsOf(authored),
    states: withoutDerived(states),
    recurringEvents: withoutDerived(recurringEvents),
    actions: { ...actions, ...authored.actions },
  }
}

function flowsOf(authored: FlowDocument) {
  const { settings, variables, flows, hooks, triggers, knowledgeBases, tables, files } = authored
  const all = { settings, variables, flows, hooks, triggers, knowledgeBases, tables, files }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as typeof all
}
