import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { Scene } from './scene.ts'

const ofTables = sql`select type from table_job where status not in ('completed', 'failed')
  union all select 'erasure' from erasure where next_at <= now()
  union all select 'website' from knowledge_source where next_at <= now()
  union all select 'retention' from retention_sweep where next_at <= now()`
const ofAll = sql`${ofTables} union all select kind from archive_job where ended_at is null`

/** Waits until jobs of tables, erasures, sweeps of old data and refreshes of websites have ended. */
export const tableJobsOver = (scene: Scene) => none(scene, ofTables)

/** As `tableJobsOver`, and until all jobs of archives have ended. */
export const backgroundJobsOver = (scene: Scene) => none(scene, ofAll)

async function none({ app }: Scene, running: typeof ofTables): Promise<void> {
  const unfinished = async () => (await running.execute(app.services.db)).rows
  await vi.waitFor(async () => expect(await unfinished()).toEqual([]), {
    timeout: 30_000,
  })
}
