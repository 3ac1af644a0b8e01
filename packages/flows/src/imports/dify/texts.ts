// References of Dify: `{{#node.output#}}` in texts, and lists of names elsewhere. Each output of a node is a
// variable of the conversation, because all flows of the bot read it.
import type { Assembly } from '../assembly.ts'
import { type Comparison, joinConditions, toCondition } from '../conditions.ts'
import { type Piece, splitText, toJs, toTemplate } from '../pieces.ts'
import { type Json, objectsIn, textIn, textsIn, valueIn } from '../reading.ts'

/** The user's message of this run. */
export const queryVariable = 'sys.query'

export class DifyTexts {
  readonly #bot: Assembly
  readonly #titles: Map<string, string>
  /** Outputs that a later run must not see. */
  readonly resets = new Set<string>()

  constructor(bot: Assembly, titles: Map<string, string>) {
    this.#bot = bot
    this.#titles = titles
  }

  /** Returns the path of an output of a node. */
  output(node: string, name: string): string {
    return this.#bot.variables.need(
      `${node}.${name}`,
      `${this.#titles.get(node) ?? 'node'} ${name}`,
    )
  }

  /** Returns JavaScript for a reference; null for one to nothing that the file has. */
  reference(selector: readonly string[]): string | null {
    const [node = '', name = '', ...rest] = selector
    const members = rest.map((one) => `?.[${JSON.stringify(one)}]`).join('')
    if (node === 'sys' || node === 'userinput') return toSystemValue(this.#bot, name)
    if (node === 'env') return this.#bot.variables.configuration(name)
    const known = this.#bot.variables.find(`${node}.${name}`)
    if (known) return known + members
    return this.#titles.has(node) && name !== ''
      ? this.output(node, name) + members
      : null
  }

  toPieces(text: string): Piece[] {
    return splitText(text, /\{\{#([\w-]+(?:\.[\w-]+)*)#\}\}/g, ([, path = '']) =>
      path === 'context' ? '"`context`"' : this.reference(path.split('.')),
    )
  }

  template(text: string): string {
    return toTemplate(this.toPieces(text))
  }

  js(text: string): string {
    return toJs(this.toPieces(text))
  }

  /** Returns JavaScript for a constant, a text with references, or a reference as a list of names. */
  value(value: unknown, isReference: boolean): string {
    if (isReference) return this.reference(textsIn({ value }, 'value')) ?? 'null'
    return typeof value === 'string' ? this.js(value) : JSON.stringify(value ?? null)
  }

  /** `toLeft` returns JavaScript for the left side. */
  conditions(
    conditions: Json[],
    operator: string,
    toLeft: (condition: Json) => string | null = (condition) =>
      this.reference(textsIn(condition, 'variable_selector')),
  ): string {
    const all = conditions.map((condition) => {
      const left = toLeft(condition)
      const name = textIn(condition, 'comparison_operator')
      if (left === null || !Object.hasOwn(comparisons, name)) return 'false'
      const value = valueIn(condition, 'value')
      const pieces = Array.isArray(value)
        ? [{ js: JSON.stringify(value) }]
        : this.toPieces(textIn(condition, 'value'))
      return toCondition(left, comparisons[name]!, pieces)
    })
    return joinConditions(all, operator === 'or' ? 'or' : 'and')
  }

  /** Returns the inputs of code and templates by name. */
  inputs(data: Json): [string, string][] {
    return objectsIn(data, 'variables').map((one) => [
      textIn(one, 'variable'),
      this.reference(textsIn(one, 'value_selector')) ?? 'null',
    ])
  }
}

function toSystemValue(bot: Assembly, name: string): string {
  if (name === 'query') return bot.variables.need(queryVariable, 'query')
  if (name === 'user_id') return '(event.userId ?? "")'
  if (name === 'conversation_id') return '(event.conversationId ?? "")'
  if (name === 'files')
    return '[event.payload].filter((one) => one?.fileUrl ?? one?.imageUrl)'
  if (name === 'dialogue_count')
    return `(${bot.variables.need(historyVariable, 'history')}?.length ?? 0)`
  return '""'
}

/** Earlier messages, for models with a memory. */
export const historyVariable = 'history'

const comparisons: Record<string, Comparison> = {
  contains: 'contains',
  'not contains': 'notContains',
  'start with': 'startsWith',
  'end with': 'endsWith',
  is: 'equals',
  'is not': 'notEquals',
  '=': 'equals',
  '≠': 'notEquals',
  '>': 'greater',
  '<': 'less',
  '≥': 'greaterOrEqual',
  '≤': 'lessOrEqual',
  empty: 'isEmpty',
  'is empty': 'isEmpty',
  'not empty': 'isSet',
  'is not empty': 'isSet',
  null: 'isEmpty',
  'is null': 'isEmpty',
  'not null': 'isSet',
  'is not null': 'isSet',
  exists: 'isSet',
  'not exists': 'isEmpty',
  in: 'in',
  'not in': 'notIn',
}
