// Redaction rules: those of the installation are a setting, those of a bot are in its row.
import type { Redaction, RedactionRule } from '@botstead/contract'
import { toJson } from '../../infra/db/json.ts'
import type { Db } from '../../infra/db/open.ts'
import { type Cache, openCache } from '../../infra/lib/cache.ts'
import {
  checkRules,
  type Redactors,
  type RedactorsOf,
  toRedactors,
} from '../../infra/lib/redaction.ts'

export interface Redactions {
  of: RedactorsOf
  invalidate(botId: string | null): void
}

/** `installation`: rules of the operator, which apply first. */
export function openRedactions(db: Db, installation: RedactionRule[]): Redactions {
  const cache: Cache<Redactors> = openCache(
    async (botId) => toRedactors([...installation, ...(await findRules(db, botId))]),
    { size: 5_000, ttlMs: 60_000 },
  )
  return {
    of: (botId) => cache.get(botId),
    invalidate: (botId) =>
      botId === null ? cache.clear() : cache.invalidate((key) => key === botId),
  }
}

async function findRules(db: Db, botId: string): Promise<RedactionRule[]> {
  const query = db.selectFrom('bot').select('redaction').where('id', '=', botId)
  return (await query.executeTakeFirst())?.redaction ?? []
}

export async function findRedaction(
  db: Db,
  botId: string,
  installation: RedactionRule[],
): Promise<Redaction> {
  return { rules: await findRules(db, botId), installation }
}

/** Throws InvalidPayload. */
export async function setRedaction(
  db: Db,
  botId: string,
  rules: RedactionRule[],
  installation: RedactionRule[],
): Promise<Redaction> {
  checkRules([...rules, ...installation])
  const stored = rules.length === 0 ? null : toJson(rules)
  await db.updateTable('bot').set({ redaction: stored }).where('id', '=', botId).execute()
  return { rules, installation }
}
