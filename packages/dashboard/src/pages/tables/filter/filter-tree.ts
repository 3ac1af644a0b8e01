// The filter language as a tree of groups and rules, which the builder edits. Every condition of the
// language is true or false, so conditions of one field and groups of fields have the same form.

export type Match = 'all' | 'any' | 'notAll' | 'none'
export type Operator =
  | 'eq'
  | 'ne'
  | 'contains'
  | 'begins'
  | 'regex'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'in'
  | 'nin'
  | 'mod'
  | 'size'
  | 'filled'
  | 'empty'

export interface FilterRule {
  kind: 'rule'
  key: number
  path: string
  op: Operator
  /** A list for `in` and `nin`, a pair for `mod`. */
  value: unknown
  /** Of texts and patterns. */
  ignoreCase: boolean
}

export interface FilterGroup {
  kind: 'group'
  key: number
  match: Match
  of: FilterNode[]
}

export type FilterNode = FilterRule | FilterGroup
export type Filter = Record<string, unknown>

let lastKey = 0
const newKey = () => ++lastKey

export const newGroup = (match: Match, of: FilterNode[] = []): FilterGroup => ({
  kind: 'group',
  key: newKey(),
  match,
  of,
})

export const newRule = (
  path: string,
  op: Operator,
  value: unknown,
  ignoreCase = false,
): FilterRule => ({ kind: 'rule', key: newKey(), path, op, value, ignoreCase })

export const ruleCount = (node: FilterNode): number =>
  node.kind === 'rule' ? 1 : node.of.reduce((sum, one) => sum + ruleCount(one), 0)

class Unknown extends Error {}

/** Returns null for a filter with forms that the language does not have. */
export function toTree(filter: Filter): FilterGroup | null {
  try {
    const nodes = toNodes(filter)
    const [only] = nodes
    return nodes.length === 1 && only?.kind === 'group' ? only : newGroup('all', nodes)
  } catch (error) {
    if (error instanceof Unknown) return null
    throw error
  }
}

function toNodes(filter: unknown): FilterNode[] {
  if (!isObject(filter)) throw new Unknown()
  return Object.entries(filter).map(([key, value]) => {
    if (key === '$and') return newGroup('all', toList(value).map(oneOf))
    if (key === '$or') return newGroup('any', toList(value).map(oneOf))
    if (key === '$not') return negated(toNodes(value))
    if (key.startsWith('$')) throw new Unknown()
    return joined(toConditions(key, value))
  })
}

const oneOf = (filter: unknown) => joined(toNodes(filter))

/** The builder leaves out groups without rules, which would change the meaning of this filter. */
function notEmpty<T>(nodes: T[]): T[] {
  if (nodes.length === 0) throw new Unknown()
  return nodes
}

const joined = (nodes: FilterNode[]): FilterNode =>
  nodes.length === 1 ? nodes[0]! : newGroup('all', notEmpty(nodes))

function negated(nodes: FilterNode[]): FilterGroup {
  const [only] = notEmpty(nodes)
  return nodes.length === 1 && only?.kind === 'group' && only.match === 'any'
    ? { ...only, match: 'none' }
    : newGroup('notAll', nodes)
}

function toConditions(path: string, condition: unknown): FilterNode[] {
  const isPlain =
    !isObject(condition) || !Object.keys(condition).some((key) => key.startsWith('$'))
  if (isPlain) return [equal(path, condition)]
  const { $options, ...operators } = condition
  if (!isOptions($options, '$regex' in operators)) throw new Unknown()
  return Object.entries(operators).map(([key, value]) => {
    const inner = (one: unknown) => joined(toConditions(path, one))
    switch (key) {
      case '$and':
        return newGroup('all', toList(value).map(inner))
      case '$or':
        return newGroup('any', toList(value).map(inner))
      case '$not':
        return negated(toConditions(path, value))
      case '$regex':
        return textRule(path, value, $options)
      default:
        return toRule(path, key, value)
    }
  })
}

const isOptions = (options: unknown, hasPattern: boolean) =>
  options === undefined || (hasPattern && (options === 'i' || options === 'c'))

const equal = (path: string, value: unknown) =>
  value === null ? newRule(path, 'empty', null) : newRule(path, 'eq', value)

function toRule(path: string, key: string, value: unknown): FilterRule {
  if (key === '$eq') return equal(path, value)
  if (key === '$ne' && value === null) return newRule(path, 'filled', null)
  if (key === '$exists' && typeof value === 'boolean')
    return newRule(path, value ? 'filled' : 'empty', null)
  const op = (['ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'mod', 'size'] as const).find(
    (known) => key === `$${known}`,
  )
  const needsList = op === 'in' || op === 'nin' || op === 'mod'
  if (!op || (needsList && !Array.isArray(value))) throw new Unknown()
  return newRule(path, op, value)
}

/** A pattern that is a plain text is shown as that text. */
function textRule(path: string, pattern: unknown, options: unknown): FilterRule {
  if (typeof pattern !== 'string') throw new Unknown()
  const ignoreCase = options === 'i'
  const begins = pattern.startsWith('^') ? plainText(pattern.slice(1)) : null
  if (begins !== null) return newRule(path, 'begins', begins, ignoreCase)
  const text = plainText(pattern)
  return text === null
    ? newRule(path, 'regex', pattern, ignoreCase)
    : newRule(path, 'contains', text, ignoreCase)
}

const plainText = (pattern: string) =>
  /^(?:[^.*+?^${}()|[\]\\]|\\[.*+?^${}()|[\]\\])*$/u.test(pattern)
    ? pattern.replaceAll(/\\(.)/gu, '$1')
    : null
const toPattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&')

/** Groups without rules are left out. */
export function toFilter(node: FilterNode): Filter {
  if (node.kind === 'rule') return { [node.path]: toCondition(node) }
  const parts = node.of.filter((one) => ruleCount(one) > 0).map(toFilter)
  if (parts.length === 0) return {}
  if (node.match === 'any') return parts.length === 1 ? parts[0]! : { $or: parts }
  if (node.match === 'none')
    return { $not: parts.length === 1 ? parts[0]! : { $or: parts } }
  return node.match === 'all' ? allOf(parts) : { $not: allOf(parts) }
}

/** One object, if no name occurs twice. */
function allOf(parts: Filter[]): Filter {
  const names = parts.flatMap(Object.keys)
  return new Set(names).size === names.length
    ? Object.fromEntries(parts.flatMap(Object.entries))
    : { $and: parts }
}

function toCondition({ op, value, ignoreCase }: FilterRule): unknown {
  const $options = ignoreCase ? { $options: 'i' } : {}
  switch (op) {
    case 'eq':
      return isObject(value) ? { $eq: value } : value
    case 'filled':
      return { $exists: true }
    case 'empty':
      return null
    case 'contains':
      return { $regex: toPattern(String(value)), ...$options }
    case 'begins':
      return { $regex: `^${toPattern(String(value))}`, ...$options }
    case 'regex':
      return { $regex: String(value), ...$options }
    default:
      return { [`$${op}`]: value }
  }
}

const isObject = (value: unknown): value is Filter =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function toList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Unknown()
  return notEmpty(value)
}
