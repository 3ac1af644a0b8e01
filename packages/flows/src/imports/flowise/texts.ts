// Texts of Flowise: simple HTML in which `{{ name }}` is the question, a value of the state or the form, or
// the output of a node.
import type { Assembly } from '../assembly.ts'
import { type Comparison, toCondition } from '../conditions.ts'
import { htmlToText, type Piece, splitText, toJs, toTemplate } from '../pieces.ts'
import { type Json, textIn } from '../reading.ts'

const historyKey = 'history'
const questionKey = 'question'

export class FlowiseTexts {
  readonly #bot: Assembly
  readonly #labels: Map<string, string>

  constructor(bot: Assembly, labels: Map<string, string>) {
    this.#bot = bot
    this.#labels = labels
    bot.variables.declare(questionKey, 'question')
  }

  get question(): string {
    return this.#bot.variables.need(questionKey)
  }

  get history(): string {
    return this.#bot.variables.need(historyKey)
  }

  /** Returns the path of an output of a node: its text, or its structured values. */
  output(
    node: string,
    kind: 'text' | 'values' | 'index' | 'item' | 'feedback' = 'text',
  ): string {
    const label = this.#labels.get(node) ?? node
    return this.#bot.variables.need(
      `${kind}:${node}`,
      kind === 'text' ? label : `${label} ${kind}`,
    )
  }

  state(key: string): string {
    return this.#bot.variables.need(`state:${key}`, key)
  }

  form(key: string): string {
    return this.#bot.variables.need(`form:${key}`, key)
  }

  /** `node` is the one with the text: `output` is its own output, `$iteration` that around it. */
  toPieces(html: string, node: { id: string; parent?: string | undefined }): Piece[] {
    return splitText(
      htmlToText(html),
      /\{\{\s*([^{}]{1,200}?)\s*\}\}/g,
      ([, name = '']) => this.#reference(name.trim(), node),
    )
  }

  template(html: string, node: { id: string; parent?: string | undefined }): string {
    return toTemplate(this.toPieces(html, node))
  }

  js(html: string, node: { id: string; parent?: string | undefined }): string {
    return toJs(this.toPieces(html, node))
  }

  condition(condition: Json, node: { id: string; parent?: string | undefined }): string {
    const operation = textIn(condition, 'operation')
    if (!Object.hasOwn(comparisons, operation)) return 'false'
    const left = this.js(textIn(condition, 'value1'), node)
    return toCondition(
      left,
      comparisons[operation]!,
      this.toPieces(textIn(condition, 'value2'), node),
    )
  }

  #reference(
    name: string,
    { id, parent }: { id: string; parent?: string | undefined },
  ): string | null {
    const [first = '', ...rest] = name.split('.')
    const members = (names: string[]) =>
      names.map((one) => `?.[${JSON.stringify(one)}]`).join('')
    if (first === 'question') return this.question
    if (first === 'chat_history') return `JSON.stringify(${this.history} ?? [])`
    if (first === 'runtime_messages_length') return `(${this.history}?.length ?? 0) * 2`
    if (first === 'current_date_time') return 'new Date().toISOString()'
    if (first === 'output')
      return rest.length > 0 ? this.output(id, 'values') + members(rest) : this.output(id)
    if (first === '$form') return this.form(rest.join('.'))
    if (first === '$vars') return this.#bot.variables.configuration(rest.join('.'))
    if (first === '$iteration')
      return parent ? this.output(parent, 'item') + members(rest) : null
    if (first === '$flow') {
      if (rest[0] === 'state') return this.state(rest[1] ?? '') + members(rest.slice(2))
      if (rest[0] === 'input') return this.question
      return rest[0] === 'sessionId' || rest[0] === 'chatId'
        ? '(event.conversationId ?? "")'
        : null
    }
    if (!this.#labels.has(first)) return null
    if (rest[0] === 'output' && rest.length > 1)
      return this.output(first, 'values') + members(rest.slice(1))
    return this.output(first)
  }
}

const comparisons: Record<string, Comparison> = {
  equal: 'equals',
  notEqual: 'notEquals',
  contains: 'contains',
  notContains: 'notContains',
  startsWith: 'startsWith',
  endsWith: 'endsWith',
  regex: 'matches',
  isEmpty: 'isEmpty',
  notEmpty: 'isSet',
  larger: 'greater',
  largerEqual: 'greaterOrEqual',
  smaller: 'less',
  smallerEqual: 'lessOrEqual',
}
