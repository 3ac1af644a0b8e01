import type { Db } from '../db/index.ts'

interface Withholding {
  botId: string
  lane: string
  /** The event with the delivery that continues. */
  cause: string | null
}

/** Keeps the pending events of a lane from the bot. Returns their deliveries. */
export const withholdPending = (db: Db, { botId, lane, cause }: Withholding) =>
  db
    .updateTable('delivery')
    .set({ withheld: true })
    .where('bot_id', '=', botId)
    .where('lane', '=', lane)
    .where('kind', '=', 'event')
    .where('dead_at', 'is', null)
    .where('subject_id', 'is distinct from', cause)
    .returning(['id', 'subject_id'])
    .execute()
