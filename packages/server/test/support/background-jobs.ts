import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { Scene } from './scene.ts'

/** Waits until all background jobs of tables and archives have ended. */
export async function backgroundJobsOver({ app }: Scene): Promise<void> {
  const running = sql`
    select type from table_job where status not in ('completed', 'failed')
    union all select kind from archive_job where ended_at is null`
  const unfinished = async () => (await running.execute(app.services.db)).rows
  await vi.waitFor(async () => expect(await unfinished()).toEqual([]), { timeout: 30_000 })
}
