// The progress of search by meaning: how many passages of a bot have a vector of the current model.
import type { MeaningProgress } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import { type FileFilter, tagFilter } from '../../../core/files/index.ts'
import type { EmbeddingSource } from './embedder.ts'

const maxFiles = 20_000

/** Counts the passages of all files, or of one knowledge base. */
export async function findMeaningProgress(
  db: Db,
  botId: string,
  knowledgeBaseId: string | undefined,
  { model, state }: EmbeddingSource,
): Promise<MeaningProgress> {
  const tags: FileFilter['tags'] = knowledgeBaseId
    ? [['kbId', { in: [knowledgeBaseId] }]]
    : []
  const { rows } = await sql<Counts>`
    with indexed as (
      select i.file_id, i.passages, coalesce(i.vectors, i.passages) as vectors,
        i.embed_at > now() as is_begun,
        i.embed_at is null and i.model is not distinct from ${model} as is_done
      from file_index i join file on file.bot_id = i.bot_id and file.id = i.file_id
      where i.bot_id = ${botId} and ${tagFilter.matches(tags)} limit ${maxFiles}
    ), counted as (
      select passages, case when is_done then vectors else coalesce(begun.embedded, 0) end as embedded,
        case when is_done then passages - vectors else coalesce(begun.words_only, 0) end as words_only
      from indexed left join lateral (
        select count(*) filter (where length(signs) > 0) as embedded,
          count(*) filter (where length(signs) = 0) as words_only
        -- before its first batch, a file has no vectors of the model; afterwards, its due time is postponed
        from passage_vector v where indexed.is_begun and v.bot_id = ${botId}
          and v.file_id = indexed.file_id and v.model = ${model}
      ) begun on not is_done
    )
    select coalesce(sum(passages), 0)::int as passages, coalesce(sum(embedded), 0)::int as embedded,
      coalesce(sum(words_only), 0)::int as "wordsOnly"
    from counted`.execute(db)
  const { passages, embedded, wordsOnly } = rows[0]!
  if (model === null) return { model, state, passages, embedded: 0, wordsOnly: passages }
  return { model, state, passages, embedded, wordsOnly }
}

type Counts = Pick<MeaningProgress, 'passages' | 'embedded' | 'wordsOnly'>
