import { ulid } from '@botstead/lib'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/index.ts'

interface Merging {
  /** Selects the `id` of conversations. */
  conversations: RawBuilder<unknown>
  /** Pattern for names of states. */
  name: string
  change: Record<string, unknown>
}

/** Merges a change into the bot's own states of conversations. */
export const mergeIntoStates = (
  db: Db,
  botId: string,
  { conversations, name, change }: Merging,
) =>
  sql`
    with ended as (
      ${conversations}
    )
    update state set payload = payload || ${JSON.stringify(change)}::jsonb, revision = ${ulid()},
      updated_at = greatest(now(), updated_at)
    from ended
    where bot_id = ${botId} and owner = '' and type = 'conversation' and subject_id = ended.id
      and name ~ ${name}`.execute(db)
