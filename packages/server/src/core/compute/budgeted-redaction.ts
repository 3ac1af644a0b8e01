// Redacts texts by the rules of a bot in threads, within a budget of steps for each workspace.
import { ApiError, type RedactionRule } from '@botstead/contract'
import { nextSlice } from '@botstead/lib'
import { openAllowances } from './allowances.ts'
import { compute } from './compute.ts'
import { packTexts, unpackTexts } from './packed-texts.ts'
import { type Redacted, tooSlow } from './text/matching.ts'
import { maxInSlice, type Redactors, toRedactors } from './text/redaction.ts'

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

/** Makes the redactors of rules. Calls `onSlow` for a rule that takes too long, with what replaces its texts. */
type OpenRedactors = (
  workspaceId: string,
  rules: RedactionRule[],
  onSlow: (rule: RedactionRule, replacement: string) => void,
) => Redactors

export function openRedaction(): OpenRedactors {
  const budget = openAllowances(allowance)
  return (workspaceId, all, onSlow) =>
    toRedactors(all, async (rules, texts) => {
      const steps = Math.min(maxSteps, Math.max(minSteps, budget.available(workspaceId)))
      budget.spend(workspaceId, steps)
      const redacted = await redactInThread(workspaceId, rules, texts, steps)
      budget.spend(workspaceId, redacted.steps - steps)
      for (const index of redacted.slow) onSlow(rules[index]!, tooSlow)
      return redacted.texts
    })
}

async function redactInThread(
  workspaceId: string,
  rules: RedactionRule[],
  texts: string[],
  steps: number,
): Promise<Redacted> {
  const isLong = texts.reduce((sum, { length }) => sum + length, 0) > maxShared
  try {
    const input = { rules, texts: packTexts(texts), allowance: steps }
    const lane = isLong ? 'alone' : 'shared'
    const result = await compute.run(workspaceId, 'redact', input, { lane, deadlineMs })
    if (texts.length > maxInSlice) await nextSlice(workspaceId)
    return { ...result, texts: unpackTexts(result.texts) }
  } catch (error) {
    if (!(error instanceof ApiError && error.type === 'OperationTimeout')) throw error
    // Rules that end their thread are too slow, too. All patterns count: the thread names none.
    const slow = rules.flatMap(({ kind }, index) => (kind === 'custom' ? [index] : []))
    return { texts: texts.map(() => tooSlow), steps, slow }
  }
}
