// The issue of a redaction rule that takes too long.
import type { RedactionRule } from '@botstead/contract'
import type { IssueReport } from '../../core/bots/index.ts'

/** `replacement` is stored in place of the texts. */
export function slowRuleIssue(
  { kind, pattern }: RedactionRule,
  replacement: string,
): IssueReport {
  const rule = pattern === undefined ? `of the kind "${kind}"` : `"${pattern}"`
  return {
    code: 'redaction_rule_slow',
    message:
      `The redaction rule ${rule} is too slow: texts are stored as "${replacement}". ` +
      'Simplify its pattern',
  }
}
