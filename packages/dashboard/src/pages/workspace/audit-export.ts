// Downloads audit entries as one JSON object per line.
import type { Client } from '@botstead/client'
import { saveFile } from '../../parts/files/save-file.ts'

/** Exports the entries that match the search, or all. Reports their number meanwhile. */
export async function exportEntries(
  client: Client,
  search: string | undefined,
  onProgress: (count: number) => void,
): Promise<void> {
  const parts: string[] = []
  let count = 0
  let nextToken: string | undefined
  do {
    const query = {
      pageSize: 100,
      ...(search && { search }),
      ...(nextToken && { nextToken }),
    }
    const { entries, meta } = await client.platform.listAuditEntries({ query })
    parts.push(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
    count += entries.length
    onProgress(count)
    nextToken = meta.nextToken
  } while (nextToken)
  saveFile('audit-log.jsonl', new Blob(parts, { type: 'application/x-ndjson' }))
}
