// Adds further words to passages of requests from before an upgrade (searchable-text.ts); stored files are
// read again (jobs.ts). Earlier passages and words stay until then, so searches find them meanwhile.
// Each step is one transaction that holds the row of a file's index: a kill repeats at most one step, and two
// servers work on different files.

import { searchableText, searchableWords, wordsVersion } from '@botstead/extraction'
import { nextSlice } from '@botstead/lib'
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import { isAwake } from '../../../core/queue/index.ts'
import { toTitle } from './indexer.ts'

/** Passages per transaction. */
const batch = 50
/** How long a run may work; the next run begins after the same time. */
const maxRunMs = 500

interface OldIndex {
  bot_id: string
  file_id: string
  language: string
  words_position: number
  key: string
}

/** Resolves with the delay of the next run if more passages have earlier words. */
export async function refillWords(db: Db): Promise<number | undefined> {
  const begun = performance.now()
  while (await db.transaction().execute(refillBatch)) {
    const elapsed = performance.now() - begun
    if (elapsed > maxRunMs) return elapsed
  }
  return undefined
}

/** Returns false if no file has earlier words. */
async function refillBatch(trx: Db): Promise<boolean> {
  const { rows } = await sql<OldIndex>`
    select i.bot_id, i.file_id, i.language, i.words_position, f.key
    from file_index i join file f on f.bot_id = i.bot_id and f.id = i.file_id
    where i.words_version < ${sql.lit(wordsVersion)} and (i.checksum is null or f.blob is null)
      and ${sql.raw(isAwake('i.bot_id'))}
    limit 1 for no key update of i skip locked`.execute(trx)
  const [index] = rows
  if (!index) return false
  const passages = await sql<{ position: number; headings: string[]; content: string }>`
    select position, headings, content from passage
    where bot_id = ${index.bot_id} and file_id = ${index.file_id} and position >= ${index.words_position}
    order by position limit ${batch}`.execute(trx)
  await addWords(trx, index, passages.rows)
  await endBatch(
    trx,
    index,
    passages.rows.at(-1)?.position ?? 0,
    passages.rows.length < batch,
  )
  return true
}

/** New words of the first lines count as words of the text, although some of the lines are headings. */
async function addWords(
  trx: Db,
  { bot_id, file_id, language, key }: OldIndex,
  passages: { position: number; headings: string[]; content: string }[],
): Promise<void> {
  const rows = []
  for (const { position, headings, content } of passages) {
    const body = searchableText(content)
    const above = searchableText([toTitle(key), ...headings].join(' '))
    rows.push({ position, above, body, tokens: searchableWords(body).length })
    await nextSlice()
  }
  await sql`
    update passage p set tokens = r.tokens, words = p.words
      || setweight(ts_delete(to_tsvector(${language}::regconfig, r.above), tsvector_to_array(p.words)), 'A')
      || ts_delete(to_tsvector(${language}::regconfig, r.body), tsvector_to_array(p.words))
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (position integer, above text, body text, tokens integer)
    where p.bot_id = ${bot_id} and p.file_id = ${file_id} and p.position = r.position`.execute(
    trx,
  )
}

async function endBatch(
  trx: Db,
  { bot_id, file_id }: OldIndex,
  last: number,
  isLast: boolean,
): Promise<void> {
  const tokens = sql`(select coalesce(sum(p.tokens), 0) from passage p
    where p.bot_id = ${bot_id} and p.file_id = ${file_id})`
  const change = isLast
    ? sql`words_version = ${sql.lit(wordsVersion)}, words_position = 0, tokens = ${tokens}`
    : sql`words_position = ${last + 1}`
  await sql`update file_index set ${change}
    where bot_id = ${bot_id} and file_id = ${file_id}`.execute(trx)
}
