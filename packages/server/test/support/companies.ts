// The companies of bench/retrieval/companies: their documents as bots, and questions with answers.
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { detectLanguage } from '@botstead/extraction'
import { sql } from 'kysely'
import { parse } from 'yaml'
import { listSearchable, storable, toPassages } from '../../../extraction/src/passages.ts'
import { readBlocks } from '../../../extraction/src/readers.ts'
import { isSpelt } from '../../../extraction/src/text/searchable-text.ts'
import type { Db } from '../../src/core/db/index.ts'
import { toTitle } from '../../src/features/knowledge/search/indexer.ts'
import { replacePassages } from '../../src/features/knowledge/search/passages.ts'

export interface Company {
  name: string
  documents: Record<string, string>
  /** Texts of which a right answer has one; null if no document answers the question. */
  questions: Record<string, string[] | null>
}

const folder = fileURLToPath(
  new URL('../../../../bench/retrieval/companies/', import.meta.url),
)

export async function readCompanies(): Promise<Company[]> {
  const files = (await readdir(folder)).sort()
  return Promise.all(
    files.map(async (file) => ({
      name: file.replace('.yaml', ''),
      ...(parse(await readFile(folder + file, 'utf8')) as Omit<Company, 'name'>),
    })),
  )
}

/** Creates a bot with the documents of a company. Returns its id. */
export async function makeCompany(
  db: Db,
  workspaceId: string,
  company: Company,
): Promise<string> {
  const botId = `bot_${company.name}`
  await sql`insert into bot (id, workspace_id, name, signing_secret)
    values (${botId}, ${workspaceId}, ${company.name}, '')`.execute(db)
  for (const [key, text] of Object.entries(company.documents)) {
    await sql`insert into file (bot_id, id, key, content_type, status, owner)
      values (${botId}, ${key}, ${key}, 'text/markdown', 'indexing_completed', '{}')`.execute(
      db,
    )
    const extracted = await extract(key, text)
    await db
      .transaction()
      .execute((trx) => replacePassages(trx, { botId, fileId: key }, extracted, null))
  }
  return botId
}

async function extract(key: string, text: string) {
  const blocks = await readBlocks('markdown', new TextEncoder().encode(text), {
    cleanUp: false,
  })
  const passages = []
  for await (const passage of toPassages(storable(blocks), { title: toTitle(key) }))
    passages.push(passage)
  const words = passages.flatMap(listSearchable).filter(isSpelt)
  return { passages, words, language: await detectLanguage(text) }
}
