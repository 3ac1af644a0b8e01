// Conditions of wizards in words. People know variables by their names, and buttons by their dialogue.
import { type Condition, readCondition } from '@botstead/flows/wizards'
import { texts } from '../../../texts/texts.ts'
import { nameFlow } from './names.ts'

const t = texts.studio

/** Returns null for a condition that stays code. */
export function describeCondition(text: string): string | null {
  const condition = readCondition(text)
  return condition && toWords(condition)
}

function toWords(condition: Condition): string {
  const { kind } = condition
  if (kind === 'begins')
    return t.conditions.begins(nameFlow(condition.flow), condition.words)
  if (kind === 'isButton') return t.conditions.isButton(nameFlow(condition.flow))
  const variable = nameVariable(condition.variable)
  if (kind === 'equalsVariable')
    return t.conditions.equalsVariable(variable, nameVariable(condition.other))
  if (kind === 'equals') return t.conditions.equals(variable, condition.value)
  if (kind === 'isLess' || kind === 'isAtMost')
    return t.conditions[kind](variable, condition.value)
  return t.conditions[kind](variable)
}

/** `workflow.city` is `city`; variables of other scopes have them in brackets. */
function nameVariable(path: string): string {
  const [scope = '', name = ''] = path.split('.')
  return scope === 'workflow' ? name : t.inScope(name, t.variableScopes[scope] ?? scope)
}
