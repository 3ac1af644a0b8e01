// Redaction rules: those of the installation are a setting, those of a bot are in its row.
import { ApiError, type Redaction, type RedactionRule } from '@botstead/contract'
import { openCache } from '@botstead/lib'
import { type IssueReport, storeRules } from '../../core/bots/index.ts'
import { compute, type GetRedactors, openRedaction } from '../../core/compute/index.ts'
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

export function openRedactions({ db, config, report }: Deps): Redactions {
  const openRedactors = openRedaction()
  const cache = openCache(
    async (botId: string) => {
      const { workspaceId, rules } = await findRules(db, botId)
      return openRedactors(workspaceId, [...config.redact, ...rules], (...slow) =>
        report(botId, slowRuleIssue(...slow)),
      )
    },
    { size: 5_000, ttlMs: 60_000 },
  )
  return {
    of: (botId) => cache.get(botId),
    invalidate: (botId) =>
      botId === null ? cache.clear() : cache.invalidate((key) => key === botId),
  }
}

async function findRules(
  db: Db,
  botId: string,
): Promise<{ workspaceId: string; rules: RedactionRule[] }> {
  const query = db
    .selectFrom('bot')
    .select(['workspace_id', 'redaction'])
    .where('id', '=', botId)
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
export async function checkRules(
  workspaceId: string,
  rules: RedactionRule[],
): Promise<void> {
  for (const [index, { kind, pattern }] of rules.entries())
    if ((kind === 'custom') !== (pattern !== undefined))
      throw invalid(
        `\`rules[${index}].pattern\` is required for the kind "custom", and only there`,
      )
  const problem = await compute.run(workspaceId, 'findRuleProblem', rules)
  if (problem !== null) throw invalid(problem)
}

const invalid = (message: string) => new ApiError('InvalidPayload', message)
