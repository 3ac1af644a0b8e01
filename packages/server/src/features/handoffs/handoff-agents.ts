// Owns the table handoff_agent: the users under whose names members answer.
import type { Selectable } from 'kysely'
import type { Db, Schema } from '../../core/db/index.ts'
import { newId } from '../../core/lib/index.ts'
import { botUsers, getOrCreate } from '../../core/messaging/index.ts'

/** Returns the user of the bot under whose name the member answers. */
export async function agentUser(
  db: Db,
  botId: string,
  {
    id: accountId,
    name,
    picture_url: pictureUrl,
  }: Pick<Selectable<Schema['account']>, 'id' | 'name' | 'picture_url'>,
): Promise<string> {
  const { row } = await getOrCreate(db, [botId, 'agent', accountId], {
    find: (db) =>
      db
        .selectFrom('handoff_agent')
        .select('user_id')
        .where('bot_id', '=', botId)
        .where('account_id', '=', accountId)
        .executeTakeFirst(),
    // The member may have changed them since.
    async update(row) {
      await botUsers.rename(db, { botId, id: row.user_id, name, pictureUrl })
      return row
    },
    async create(db) {
      const id = newId('user')
      await botUsers.insertOwn(db, { botId, id, name, pictureUrl })
      return db
        .insertInto('handoff_agent')
        .values({ bot_id: botId, account_id: accountId, user_id: id })
        .returning('user_id')
        .executeTakeFirstOrThrow()
    },
  })
  return row.user_id
}

const maxMembers = 100

/** Returns the ids of the users of members who take part in the conversation. */
export async function listMembers(
  db: Db,
  botId: string,
  conversationId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('handoff_agent')
    .innerJoin('participant', (join) =>
      join
        .onRef('participant.bot_id', '=', 'handoff_agent.bot_id')
        .onRef('participant.user_id', '=', 'handoff_agent.user_id'),
    )
    .select('handoff_agent.user_id')
    .where('handoff_agent.bot_id', '=', botId)
    .where('participant.conversation_id', '=', conversationId)
    .orderBy('participant.joined_at')
    .limit(maxMembers)
    .execute()
  return rows.map((row) => row.user_id)
}
