// Texts and expressions of Typebot: variables are `{{Name}}`, code is `{{=code=}}`.
import { type Comparison, joinConditions, toCondition } from '../conditions.ts'
import { isExpression, knowsNames } from '../expressions.ts'
import { htmlToText, type Piece, splitText, toJs, toTemplate } from '../pieces.ts'
import { isObject, type Json, objectsIn, textIn, valueIn } from '../reading.ts'
import type { ImportedVariables } from '../variables.ts'

export class TypebotTexts {
  readonly #variables: ImportedVariables
  readonly #byName = new Map<string, string>()

  constructor(variables: ImportedVariables, declared: { id: string; name: string }[]) {
    this.#variables = variables
    for (const { id, name } of declared)
      if (id !== '' && !this.#byName.has(name))
        this.#byName.set(name, variables.declare(id, name))
      else if (id !== '') variables.declare(id, name)
  }

  /** Returns the path of the variable with this id. */
  variable(id: string): string | undefined {
    return this.#variables.find(id)
  }

  toPieces(text: string): Piece[] {
    return splitText(
      text,
      /\{\{=([\s\S]*?)=\}\}|\{\{([^{}]{1,500})\}\}/g,
      ([, code, name = '']) => {
        if (code === undefined) return this.#byName.get(name.trim()) ?? null
        const js = this.toCode(code)
        return isExpression(js) ? js : null
      },
    )
  }

  template(text: string): string {
    return toTemplate(this.toPieces(text))
  }

  /** Returns a JavaScript expression with the text. */
  js(text: string): string {
    return toJs(this.toPieces(text))
  }

  /** Replaces variables in JavaScript. */
  toCode(code: string): string {
    return code.replace(
      /(["'`]?)\{\{([^{}=]{1,500})\}\}\1/g,
      (all, _quote, name: string) => {
        return this.#byName.get(name.trim()) ?? all
      },
    )
  }

  /** Returns a value for a `set` card, and for code a body; null if it can be neither. */
  toValue(expression: string, isCode: boolean): { value: unknown } | { body: string } {
    const js = this.toCode(expression.trim()).replace(/;$/, '')
    if (!js.includes('{{') && isExpression(js) && knowsNames(js))
      return { value: toSimple(js) }
    if (isCode || /\breturn\b/.test(js)) return { body: js }
    return { value: this.template(expression) }
  }

  condition(content: unknown): string {
    const all = objectsIn(content, 'comparisons').map((one) => this.#comparison(one))
    return joinConditions(all, textIn(content, 'logicalOperator') === 'OR' ? 'or' : 'and')
  }

  #comparison(comparison: Json): string {
    const path = this.variable(textIn(comparison, 'variableId'))
    const operator = textIn(comparison, 'comparisonOperator')
    if (!path || !Object.hasOwn(comparisons, operator)) return 'false'
    return toCondition(
      path,
      comparisons[operator]!,
      this.toPieces(textIn(comparison, 'value')),
    )
  }
}

/** A number or a text stays one; other values are expressions. */
function toSimple(js: string): unknown {
  try {
    const value: unknown = JSON.parse(js)
    if (typeof value !== 'string') return value
  } catch {
    // Not JSON.
  }
  return toTemplate([{ js }])
}

const comparisons: Record<string, Comparison> = {
  'Equal to': 'equals',
  'Not equal': 'notEquals',
  Contains: 'contains',
  'Does not contain': 'notContains',
  'Greater than': 'greater',
  'Greater or equal to': 'greaterOrEqual',
  'Less than': 'less',
  'Less or equal to': 'lessOrEqual',
  'Is set': 'isSet',
  'Is empty': 'isEmpty',
  'Starts with': 'startsWith',
  'Ends with': 'endsWith',
  'Matches regex': 'matches',
  'Does not match regex': 'notMatches',
}

/** Returns the plain text of a text block, with its variables. */
export function toPlainText(content: unknown): string {
  const rich = valueIn(content, 'richText')
  if (Array.isArray(rich) && rich.length > 0) return rich.map(toLine).join('\n').trim()
  return textIn(content, 'plainText') || htmlToText(textIn(content, 'html'))
}

function toLine(element: unknown): string {
  if (!isObject(element)) return ''
  if (typeof element.text === 'string') return element.text
  const children = Array.isArray(element.children) ? element.children : []
  const isList = element.type === 'ul' || element.type === 'ol'
  const inside = children.map(toLine).join(isList ? '\n' : '')
  if (element.type === 'li') return `- ${inside}`
  const url = textIn(element, 'url')
  return element.type === 'a' && url && url !== inside ? `${inside} (${url})` : inside
}
