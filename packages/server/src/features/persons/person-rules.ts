// Owns the table person_rules: which verified addresses merge users of a bot.
import type { PersonRules } from '@botstead/contract'
import type { Db } from '../../core/db/index.ts'

export async function findPersonRules(db: Db, botId: string): Promise<PersonRules> {
  const found = await db
    .selectFrom('person_rules')
    .select('merge_by')
    .where('bot_id', '=', botId)
    .executeTakeFirst()
  return { mergeBy: (found?.merge_by ?? []) as PersonRules['mergeBy'] }
}

export const storePersonRules = (
  db: Db,
  botId: string,
  { mergeBy: merge_by }: PersonRules,
) =>
  db
    .insertInto('person_rules')
    .values({ bot_id: botId, merge_by })
    .onConflict((conflict) => conflict.column('bot_id').doUpdateSet({ merge_by }))
    .execute()
