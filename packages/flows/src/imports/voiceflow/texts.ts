// Texts and expressions of Voiceflow: `{name}` is a variable, `{{[name].id}}` an entity; rich text is a tree.
import { type Comparison, joinConditions, toCondition } from '../conditions.ts'
import { isExpression, knowsNames } from '../expressions.ts'
import { htmlToText, type Piece, splitText, toJs, toTemplate } from '../pieces.ts'
import { isObject, type Json, listIn, objectsIn, textIn, valueIn } from '../reading.ts'
import type { ImportedVariables } from '../variables.ts'

const pattern = /\{\{\[([^\]{}]{1,200})\]\.[^{}]{0,200}\}\}|\{([A-Za-z_]\w{0,100})\}/g

export class VoiceflowTexts {
  readonly #variables: ImportedVariables
  /** Names by id, of variables and entities. */
  readonly #names: Map<string, string>

  constructor(variables: ImportedVariables, names: Map<string, string>) {
    this.#variables = variables
    this.#names = names
  }

  /** `reference` is a name or an id. */
  variable(reference: string): string {
    const name = this.#names.get(reference) ?? reference
    return this.#variables.need(`voiceflow:${name}`, name)
  }

  /** Names of all variables of the file, for code. */
  names(): string[] {
    return [...new Set(this.#names.values())]
  }

  #known(name: string): string | null {
    if (name === 'last_utterance' || name === 'last_response') return 'event.preview'
    if (name === 'user_id') return '(event.userId ?? "")'
    if (name === 'timestamp') return 'Math.floor(Date.now() / 1000)'
    return this.names().includes(name) || this.#names.has(name)
      ? this.variable(name)
      : null
  }

  toPieces(text: string): Piece[] {
    return splitText(text, pattern, ([, entity, name = '']) =>
      this.#known(entity ?? name),
    )
  }

  /** Speech has tags. */
  template(text: string): string {
    return toTemplate(this.toPieces(/<[a-z]/i.test(text) ? htmlToText(text) : text))
  }

  js(text: string): string {
    return toJs(this.toPieces(text))
  }

  /** Returns the text of rich text: a list of elements. */
  richPieces(value: unknown): Piece[] {
    if (typeof value === 'string') return this.toPieces(value)
    const lines = listIn({ value }, 'value').map((element) => this.#inline(element))
    const pieces = lines.flatMap((line, index): Piece[] =>
      index === 0 ? line : ['\n', ...line],
    )
    return join(pieces)
  }

  rich(value: unknown): string {
    return toTemplate(this.richPieces(value))
  }

  #inline(element: unknown): Piece[] {
    if (typeof element === 'string') return this.toPieces(element)
    if (!isObject(element)) return []
    if (typeof element.text === 'string' && !Array.isArray(element.children))
      return this.toPieces(element.text)
    const variable =
      textIn(element, 'variableID') ||
      textIn(element, 'entityID') ||
      (element.type === 'variable' ? textIn(element, 'name') : '')
    if (variable !== '') return [{ js: this.#known(variable) ?? this.variable(variable) }]
    const inside = listIn(element, 'children').flatMap((child) => this.#inline(child))
    const url = textIn(element, 'url')
    return element.type === 'link' && url !== '' ? [...inside, ` (${url})`] : inside
  }

  /** Returns JavaScript for an expression as text; a text that is none is a literal. */
  value(text: string): string {
    const js = this.toCode(text)
    return isExpression(js) && knowsNames(js) ? js : this.js(text)
  }

  /** Replaces `{name}` in JavaScript. */
  toCode(code: string): string {
    return code.replace(
      pattern,
      (all: string, entity?: string, name?: string) =>
        this.#known(entity ?? name ?? '') ?? all,
    )
  }

  /** Both forms: trees of expressions, and groups of comparisons. */
  condition(expression: unknown): string {
    if (!isObject(expression)) return 'false'
    const type = textIn(expression, 'type')
    const value = valueIn(expression, 'value')
    if ((type === 'and' || type === 'or') && Array.isArray(value))
      return joinConditions(
        value.map((one) => this.condition(one)),
        type,
      )
    if (type === 'not') return `!(${this.condition(value)})`
    if (type === 'advance') {
      const js = this.toCode(textIn(expression, 'value'))
      return isExpression(js) && knowsNames(js) ? js : 'false'
    }
    const comparison = Object.hasOwn(comparisons, type) ? comparisons[type] : undefined
    if (!comparison || !Array.isArray(value)) return 'false'
    return toCondition(this.expression(value[0]), comparison, this.#operand(value[1]))
  }

  #operand(expression: unknown): Piece[] {
    return textIn(expression, 'type') === 'value'
      ? this.toPieces(textIn(expression, 'value'))
      : [{ js: this.expression(expression) }]
  }

  /** Returns JavaScript for a value, a variable or a computation. */
  expression(expression: unknown): string {
    if (!isObject(expression))
      return typeof expression === 'string' ? this.value(expression) : 'null'
    const type = textIn(expression, 'type')
    if (type === 'variable')
      return (
        this.#known(textIn(expression, 'value')) ??
        this.variable(textIn(expression, 'value'))
      )
    if (Object.hasOwn(operators, type)) {
      const [left, right] = listIn(expression, 'value')
      return `(Number(${this.expression(left)}) ${operators[type]} Number(${this.expression(right)}))`
    }
    if (type === 'value') {
      const text = textIn(expression, 'value')
      return text.trim() !== '' && Number.isFinite(Number(text))
        ? text.trim()
        : this.js(text)
    }
    return this.value(textIn(expression, 'value'))
  }
}

/** Joins neighbouring texts. */
const join = (pieces: Piece[]): Piece[] => {
  const joined: Piece[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    if (typeof piece === 'string' && typeof last === 'string')
      joined[joined.length - 1] = last + piece
    else joined.push(piece)
  }
  return joined
}

const operators: Record<string, string> = {
  plus: '+',
  minus: '-',
  times: '*',
  divide: '/',
}

const comparisons: Record<string, Comparison> = {
  equals: 'equals',
  not_equal: 'notEquals',
  greater: 'greater',
  greater_or_equal: 'greaterOrEqual',
  less: 'less',
  less_or_equal: 'lessOrEqual',
  contains: 'contains',
  not_contain: 'notContains',
  starts_with: 'startsWith',
  ends_with: 'endsWith',
  has_value: 'isSet',
  is_empty: 'isEmpty',
}

/** The rich text of a message of the current format: its variants refer to it by ids. */
export function findMessage(file: Json, id: string): unknown[] {
  const rows = [
    'responses',
    'responseDiscriminators',
    'responseVariants',
    'responseMessages',
    'messages',
  ].flatMap((name) => objectsIn(file, name))
  const ids = new Set([id])
  const found: unknown[] = []
  for (const row of rows) {
    const owner =
      textIn(row, 'responseID') ||
      textIn(row, 'discriminatorID') ||
      textIn(row, 'messageID')
    if (!ids.has(owner) && !ids.has(textIn(row, 'id'))) continue
    ids.add(textIn(row, 'id'))
    const text = valueIn(row, 'text') ?? valueIn(row, 'data', 'text')
    if (text !== undefined) found.push(text)
  }
  return found
}
