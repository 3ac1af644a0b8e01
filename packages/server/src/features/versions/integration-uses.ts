// Finds everything in a bot that uses an installed integration, so that its removal breaks nothing
// unnoticed. Only reads the tables of others.
import { sql } from 'kysely'
import { botCode } from '../../core/bots/index.ts'
import type { Db } from '../../core/db/index.ts'
import { findReferences } from './coded-document.ts'

/** Rows up to which anything is counted. */
const maxCounted = 10_000

interface IntegrationUses {
  conversations: number
  users: number
  sandbox_conversations: number
  /** Aliases of plugins that work through the integration. */
  plugins: string[]
  /** Interval of its `register` calls. */
  register_schedule: string | null
  identifier: string | null
  /** Paths in the document of a bot made of flows: `flows.main.nodes.start.cards.0.action`. */
  references: string[]
}

/** The installation exists; callers have checked the bot. Throws as Compute for code with a document. */
export async function findIntegrationUses(
  db: Db,
  workspaceId: string,
  botId: string,
  alias: string,
): Promise<IntegrationUses> {
  const counted = (rows: ReturnType<typeof sql>) =>
    sql`(select count(*)::int from (${rows} limit ${maxCounted}) counted)`
  const named = sql`jsonb_path_exists(p.interfaces || p.integrations,
    '$.* ? (@.integrationAlias == $alias)', jsonb_build_object('alias', ${alias}::text))`
  const { rows } = await sql<Omit<IntegrationUses, 'references'>>`
    select t.identifier, t.register_schedule,
      ${counted(sql`select from conversation where bot_id = ${botId} and integration = ${alias}
        order by created_at desc`)} as conversations,
      ${counted(sql`select from "user" where bot_id = ${botId} and integration = ${alias}
        order by created_at desc`)} as users,
      ${counted(sql`select from sandbox_conversation where bot_id = ${botId}
        and alias = ${alias}`)} as sandbox_conversations,
      array(select p.alias from bot_plugin p where p.bot_id = ${botId} and ${named}
        order by p.alias) as plugins
    from installation t where t.bot_id = ${botId} and t.alias = ${alias}`.execute(db)
  const references = await findReferences(
    workspaceId,
    await botCode.find(db, botId),
    alias,
  )
  return { ...rows[0]!, references }
}
