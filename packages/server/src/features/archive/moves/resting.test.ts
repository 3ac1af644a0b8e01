// The background work of an installation from which workspaces have moved: their rows stay, and
// reject writes. Each statement must skip them, with one moved workspace and with two.
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { captureLog } from '../../../../test/support/captured-log.ts'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { makeTenant, type Tenant } from '../../../../test/support/tenants.ts'
import { tableRules } from '../../../app/tables.ts'
import type { Db } from '../../../core/db/database.ts'
import { newId } from '../../../core/lib/ids.ts'
import { installLog } from './change-log.ts'

let scene: Scene
let captured: ReturnType<typeof captureLog>
beforeEach(async () => {
  captured = captureLog()
  scene = await openScene({ log: captured.log, config: { messageSearch: true } })
}, 60_000)
afterEach(() => scene.close())

/** As after the decision of the target. */
async function moveAway({ things }: Tenant): Promise<void> {
  const workspaceId = things.workspace[0]!
  const { database, db } = scene.app.services
  const id = newId('move')
  await sql`insert into resting_bot (bot_id, workspace_id)
    select id, workspace_id from bot where workspace_id = ${workspaceId}`.execute(db)
  await sql`insert into workspace_move (workspace_id, id, target_url, secret, state, is_stopped)
    values (${workspaceId}, ${id}, 'https://there.example.org', '', 'moved', true)`.execute(
    db,
  )
  await installLog({ database, tableRules }, { id, workspaceId })
}

/** Makes everything due, and everything old, in all workspaces. */
async function makeDue(db: Db): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type like 'timestamp%' and table_name not in
      ('worker', 'migration', 'session', 'root_key', 'token', 'workspace_move')
      and column_name in ('due_at', 'next_at', 'expires_at', 'timeout_at', 'embed_at', 'upload_until',
        'created_at', 'at', 'last_at', 'answered_at')`.execute(db)
  await db.transaction().execute(async (trx) => {
    await sql`set local botstead.moving = 'on'`.execute(trx)
    await sql`set local session_replication_role = 'replica'`.execute(trx)
    for (const { table, column } of rows)
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = now() - interval '3 hours'
        where ${sql.ref(column)} is not null`.execute(trx)
    await sql`insert into message_search_fill (bot_id) select id from bot on conflict do nothing`.execute(
      trx,
    )
  })
}

test.for([1, 2])(
  'works for the others beside %i moved workspaces',
  { timeout: 90_000 },
  async (n) => {
    const tenants = await Promise.all(
      Array.from({ length: n + 1 }, (_, i) => makeTenant(scene, `tenant-${i}`)),
    )
    for (const tenant of tenants.slice(1)) await moveAway(tenant)
    await pause(500)
    const before = captured.text().length
    await makeDue(scene.app.services.db)
    await pause(6_000)
    const warnings = captured
      .text()
      .slice(before)
      .split('\n')
      .filter((line) => line && JSON.parse(line).level >= 40)
    expect(warnings).toEqual([])
    const { rows } = await sql<{ moved: number; here: number }>`
    select count(*) filter (where r.bot_id is not null)::int as moved,
      count(*) filter (where r.bot_id is null)::int as here
    from message_search_fill f left join resting_bot r using (bot_id)`.execute(
      scene.app.services.db,
    )
    expect(rows[0]!.here).toBe(0)
    expect(rows[0]!.moved).toBeGreaterThan(0)
  },
)
