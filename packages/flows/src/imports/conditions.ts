// Comparisons of builders as JavaScript expressions. Builders compare texts, so values become texts first.
import { isLiteral, type Piece, toJs, toLiteral } from './pieces.ts'

export type Comparison =
  | 'equals'
  | 'notEquals'
  | 'contains'
  | 'notContains'
  | 'greater'
  | 'greaterOrEqual'
  | 'less'
  | 'lessOrEqual'
  | 'isSet'
  | 'isEmpty'
  | 'startsWith'
  | 'endsWith'
  | 'matches'
  | 'notMatches'
  | 'in'
  | 'notIn'

const asText = (js: string) => (js.startsWith('"') ? js : `String(${js} ?? "")`)
const inOne = (list: string, text: string) =>
  `[].concat(${list} ?? []).some((one) => String(one ?? "").toLowerCase().includes(${text}.toLowerCase()))`
const isEmpty = (js: string) =>
  `_.isEmpty(_.isNumber(${js}) || _.isBoolean(${js}) ? "1" : ${js})`

/** Returns a literal number as it is written in JavaScript. */
function asNumber(pieces: Piece[]): string {
  const number = isLiteral(pieces) ? Number(pieces.join('').trim()) : Number.NaN
  return Number.isFinite(number) ? String(number) : `Number(${toJs(pieces)})`
}

/** Patterns may be written as `/pattern/flags`. */
function toPattern(pieces: Piece[]): string {
  if (!isLiteral(pieces)) return `new RegExp(${asText(toJs(pieces))})`
  const [, source, flags = ''] = /^\/(.*)\/([dgimsuy]*)$/s.exec(pieces.join('')) ?? []
  if (source === undefined) return `new RegExp(${toLiteral(pieces.join(''))})`
  return `new RegExp(${toLiteral(source)}, ${toLiteral(flags.replace(/[gy]/g, ''))})`
}

/** `left` is JavaScript. */
export function toCondition(
  left: string,
  comparison: Comparison,
  pieces: Piece[] = [],
): string {
  const right = () => asText(toJs(pieces))
  const text = asText(left)
  switch (comparison) {
    case 'equals':
      return `${text} === ${right()}`
    case 'notEquals':
      return `${text} !== ${right()}`
    case 'contains':
      return inOne(left, right())
    case 'notContains':
      return `!${inOne(left, right())}`
    case 'greater':
      return `Number(${left}) > ${asNumber(pieces)}`
    case 'greaterOrEqual':
      return `Number(${left}) >= ${asNumber(pieces)}`
    case 'less':
      return `Number(${left}) < ${asNumber(pieces)}`
    case 'lessOrEqual':
      return `Number(${left}) <= ${asNumber(pieces)}`
    case 'isSet':
      return `!${isEmpty(left)}`
    case 'isEmpty':
      return isEmpty(left)
    case 'startsWith':
      return `${text}.toLowerCase().startsWith(${right()}.toLowerCase())`
    case 'endsWith':
      return `${text}.toLowerCase().endsWith(${right()}.toLowerCase())`
    case 'matches':
      return `${toPattern(pieces)}.test(${text})`
    case 'notMatches':
      return `!${toPattern(pieces)}.test(${text})`
    case 'in':
      return `[].concat(${toJs(pieces)} ?? []).map(String).includes(${text})`
    case 'notIn':
      return `![].concat(${toJs(pieces)} ?? []).map(String).includes(${text})`
  }
}

/** Without a condition, the result is always true. */
export function joinConditions(conditions: string[], operator: 'and' | 'or'): string {
  if (conditions.length <= 1) return conditions[0] ?? 'true'
  return conditions.map((one) => `(${one})`).join(operator === 'and' ? ' && ' : ' || ')
}
