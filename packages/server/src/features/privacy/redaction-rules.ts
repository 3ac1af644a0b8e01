// Redaction rules: those of the installation are a setting, those of a bot are in its row.
import { ApiError, type Redaction, type RedactionRule } from '@botstead/contract'
import { type Cache, nextSlice, openCache } from '@botstead/lib'
import { type IssueReport, storeRules } from '../../core/bots/index.ts'
import {
  compute,
  type GetRedactors,
  maxInSlice,
  openAllowances,
  packTexts,
  type Redactors,
  tooSlow,
  toRedactors,
  unpackTexts,
} from '../../core/compute/index.ts'
import { type Db, toJson } from '../../core/db/index.ts'
import { slowRuleIssue } from './slow-rules.ts'

interface Redactions {
  of: GetRedactors
  invalidate(botId: string | null): void
}

interface Deps {
  db: Db
  /** `redact` are the rules of the operator, which apply first. */
  config: { redact: RedactionRule[] }
  /** Called when a rule exceeds its budget, and texts are replaced completely. */
  report: (botId: string, issue: IssueReport) => void
}

/**
 * Steps of the patterns of a workspace: at once, and for each second, about half a processor. When
 * they are used up, a call still gets as many as ordinary patterns take in a message.
 */
const allowance = { burst: 200_000_000, perSecond: 20_000_000 }
/** Steps of one call. */
const maxSteps = 50_000_000
const minSteps = 1_000_000
/** Longer texts get a thread alone. */
const maxShared = 100_000
const deadlineMs = 15_000

export function openRedactions(deps: Deps): Redactions {
  const budget = openAllowances(allowance)
  const redactElsewhere =
    (botId: string, tenant: string) => async (rules: RedactionRule[], texts: string[]) => {
      const steps = Math.min(maxSteps, Math.max(minSteps, budget.available(tenant)))
      budget.spend(tenant, steps)
      const isLong = texts.reduce((sum, { length }) => sum + length, 0) > maxShared
      const redacted = await compute
        .run(
          tenant,
          'redact',
          { rules, texts: packTexts(texts), allowance: steps },
          { lane: isLong ? 'alone' : 'shared', deadlineMs },
        )
        .then(async (result) => {
          if (texts.length > maxInSlice) await nextSlice(tenant)
          return { ...result, texts: unpackTexts(result.texts) }
        })
        .catch(toSlow(rules, texts, steps))
      budget.spend(tenant, redacted.steps - steps)
      for (const index of redacted.slow) deps.report(botId, slowRuleIssue(rules[index]!))
      return redacted.texts
    }
  const cache: Cache<Redactors> = openCache(
    async (botId) => {
      const { workspaceId, rules } = await findRules(deps.db, botId)
      const all = [...deps.config.redact, ...rules]
      return toRedactors(all, redactElsewhere(botId, workspaceId))
    },
    { size: 5_000, ttlMs: 60_000 },
  )
  return {
    of: (botId) => cache.get(botId),
    invalidate: (botId) =>
      botId === null ? cache.clear() : cache.invalidate((key) => key === botId),
  }
}

/** Rules that end their thread are too slow, too. All patterns count: the thread names none. */
const toSlow = (rules: RedactionRule[], texts: string[], steps: number) => (error: unknown) => {
  if (!(error instanceof ApiError && error.type === 'OperationTimeout')) throw error
  const slow = rules.flatMap(({ kind }, index) => (kind === 'custom' ? [index] : []))
  return { texts: texts.map(() => tooSlow), steps, slow }
}

async function findRules(
  db: Db,
  botId: string,
): Promise<{ workspaceId: string; rules: RedactionRule[] }> {
  const query = db.selectFrom('bot').select(['workspace_id', 'redaction']).where('id', '=', botId)
  const bot = await query.executeTakeFirst()
  return { workspaceId: bot?.workspace_id ?? '', rules: bot?.redaction ?? [] }
}

export async function findRedaction(
  db: Db,
  botId: string,
  installation: RedactionRule[],
): Promise<Redaction> {
  return { rules: (await findRules(db, botId)).rules, installation }
}

interface Changed {
  db: Db
  workspaceId: string
  botId: string
  installation: RedactionRule[]
}

/** Throws InvalidPayload. */
export async function setRedaction(
  { db, workspaceId, botId, installation }: Changed,
  rules: RedactionRule[],
): Promise<Redaction> {
  await checkRules(workspaceId, [...rules, ...installation])
  const stored = rules.length === 0 ? null : toJson(rules)
  await storeRules(db, botId, { redaction: stored })
  return { rules, installation }
}

/** Throws InvalidPayload for a rule that cannot work. */
export async function checkRules(workspaceId: string, rules: RedactionRule[]): Promise<void> {
  for (const [index, { kind, pattern }] of rules.entries())
    if ((kind === 'custom') !== (pattern !== undefined))
      throw invalid(`\`rules[${index}].pattern\` is required for the kind "custom", and only there`)
  const problem = await compute.run(workspaceId, 'findRuleProblem', rules)
  if (problem !== null) throw invalid(problem)
}

const invalid = (message: string) => new ApiError('InvalidPayload', message)
