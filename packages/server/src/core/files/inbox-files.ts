// Files that a member sent to a person in the inbox of the dashboard.
import { type RawBuilder, sql } from 'kysely'
import { and, type Person } from '../table-rules/index.ts'
import { contentPath } from './content-urls.ts'

/** Condition on the file `t`. */
export const isInboxFile = ({
  conversations,
}: Person): RawBuilder<boolean> => sql`exists (
  select from unnest(${conversations}::text[]) c where starts_with(t.key, 'inbox/' || c || '/'))`

/**
 * A file that a member sent before these files were in a folder of their conversation: messages to the
 * person name its URL, and no message of another conversation does. The second condition reads all
 * messages of the bot, so it is for the few files that meet the first.
 */
export const isFormerInboxFile = ({
  botId,
  conversations,
}: Person): RawBuilder<boolean> => {
  const own = sql`m.conversation_id = any(${conversations}::text[])`
  const path = `${contentPath}/${botId}/`
  return and(
    sql`starts_with(t.key, 'inbox/')`,
    sql`case when t.id in (
      select substring(part from '^[A-Za-z0-9_]+')
      from message m cross join lateral string_to_table(m.payload::text, ${path}) part
      where m.bot_id = ${botId} and ${own} and m.direction = 'outgoing'
        and strpos(m.payload::text, ${path}) > 0
    ) then not exists (
      select from message m where m.bot_id = ${botId} and not ${own}
        and strpos(m.payload::text, ${path} || t.id) > 0
    ) else false end`,
  )
}
