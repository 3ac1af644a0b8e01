// The rules of persons in all tables. Every table with ids of users, conversations, messages or events has
// one; `erasures.test.ts` fails otherwise.
import { sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'
import type { Person, PersonRule, Tables } from '../../core/table-rules/index.ts'

/** Rows of one kind. */
export interface PersonStep extends PersonRule {
  table: string
}

/** Returns the tables with rows of persons in the order of deletion. Erasures store an index into it. */
export const listPersonSteps = (tables: Tables): PersonStep[] =>
  Object.entries(tables)
    .flatMap(([table, { person }]) =>
      person && 'kind' in person ? [{ ...person, table }] : [],
    )
    .sort((one, other) => one.step - other.step)

/** Columns that name people, or what people wrote. */
const personalColumn =
  /^(user_id|conversation_id|message_id|event_id|subject_id|shown_.*_id|cause|file_id|row_id)$/

/** Returns the tables without a rule of persons although a column may name a person. */
export const findUndecided = (
  tables: { name: string; columns: { name: string }[] }[],
  rules: Tables,
) =>
  tables
    .filter(({ name }) => !rules[name]?.person)
    .filter(({ columns }) => columns.some(({ name }) => personalColumn.test(name)))
    .map(({ name }) => name)

/**
 * Finds the conversations of a person without other people. Agents who answered in place of the bot
 * do not count, nor does anyone who never wrote and has left.
 */
export async function findOwnConversations(
  db: Db,
  { botId, userId }: Pick<Person, 'botId' | 'userId'>,
): Promise<string[]> {
  const isOther = (column: string) => sql`${sql.ref(column)} not in (${userId}, ${botId})
    and not exists (select from "user" me join "user" u on u.bot_id = me.bot_id
      and u.home_id = me.home_id where me.bot_id = ${botId} and me.id = ${userId}
      and u.id = ${sql.ref(column)})
    and not exists (select from handoff_agent a where a.bot_id = ${botId}
      and a.user_id = ${sql.ref(column)})`
  const { rows } = await sql<{ id: string }>`
    with candidate as materialized (
      select p.conversation_id as id from participant p
        where p.bot_id = ${botId} and p.user_id = ${userId}
      union
      select c.id from conversation c where c.bot_id = ${botId} and c.owner_id = ${userId}
    )
    select id from candidate
    where not exists (select from participant p where p.bot_id = ${botId}
        and p.conversation_id = candidate.id and ${isOther('p.user_id')})
      and not exists (select from message m where m.bot_id = ${botId}
        and m.conversation_id = candidate.id and ${isOther('m.user_id')})
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}
