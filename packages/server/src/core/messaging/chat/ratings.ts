// What users say about a message: their rating, and their selection. Both are tags of the message,
// which the bot reads.
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { storedName } from '../tags/tags.ts'

export interface Rating {
  feedback?: { value: 'positive' | 'negative'; comment?: string }
  /** User that selected the message. */
  selectedBy?: string
}

/** The tags of a rating, in the form of the integration; null removes the rating. */
export const ratingTags = (
  feedback: { value: string; comment?: string | undefined } | null,
): Record<string, string | null> => ({
  feedback: feedback?.value ?? null,
  feedbackComment: feedback?.comment || null,
})

export function toRating(tags: Record<string, string>, alias: string): Rating {
  const tag = (name: string) => tags[storedName(name, alias)]
  const [value, comment, selectedBy] = [
    tag('feedback'),
    tag('feedbackComment'),
    tag('selectedBy'),
  ]
  return {
    ...((value === 'positive' || value === 'negative') && {
      feedback: { value, ...(comment !== undefined && { comment }) },
    }),
    ...(selectedBy !== undefined && { selectedBy }),
  }
}

/** Marks the message as selected. Returns false if another user selected it, or it was deleted. */
export async function selectMessage(
  db: Db,
  botId: string,
  id: string,
  alias: string,
  selectedBy: string,
): Promise<boolean> {
  const name = storedName('selectedBy', alias)
  const { rows } = await sql`
    update message set tags = tags || jsonb_build_object(${name}::text, ${selectedBy}::text),
      updated_at = greatest(now(), updated_at)
    where bot_id = ${botId} and id = ${id}
      and coalesce(tags ->> ${name}, ${selectedBy}) = ${selectedBy} returning id`.execute(
    db,
  )
  return rows.length > 0
}
