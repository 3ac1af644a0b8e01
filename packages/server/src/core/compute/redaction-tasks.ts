// Redacts texts, and tries rules.
import type { RedactionRule } from '@botstead/contract'
import { type PackedTexts, packTexts, unpackTexts } from './packed-texts.ts'
import {
  findRuleProblem as findProblem,
  type ReadyRule,
  redactTexts,
  toReadyRules,
  tryRules as tryReady,
} from './text/matching.ts'

interface Redaction {
  rules: RedactionRule[]
  texts: PackedTexts
  /** Steps of all rules. */
  allowance: number
}

/** The result has null for a text without matches. */
export function* redact({ rules, texts, allowance }: Redaction) {
  const redacted = yield* redactTexts(
    readyRules(rules),
    unpackTexts(texts) as string[],
    allowance,
  )
  return { ...redacted, texts: packTexts(redacted.texts) }
}

export const tryRules = ({ rules, text }: { rules: RedactionRule[]; text: string }) =>
  tryReady(toReadyRules(rules), text)

export const findRuleProblem = (rules: RedactionRule[]) =>
  findProblem(toReadyRules(rules))

const maxReady = 200
/** Compiled rules, by their JSON; the oldest first. */
const ready = new Map<string, ReadyRule[]>()

function readyRules(rules: RedactionRule[]): ReadyRule[] {
  const key = JSON.stringify(rules)
  const compiled = ready.get(key) ?? toReadyRules(rules)
  ready.delete(key)
  ready.set(key, compiled)
  if (ready.size > maxReady) ready.delete(ready.keys().next().value!)
  return compiled
}
