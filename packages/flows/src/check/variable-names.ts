// Reports variables in expressions, texts and inline code that are not declared. The type check
// covers code files and knows their lines. Also warns of members that the declared type of a variable
// does not have. Code is scanned, not parsed. A scope is skipped if its
// name also occurs without a member, because it may be a local variable there. So correct code is
// never reported.
import { CodeError } from '../code/code-error.ts'
import { onceForText } from '../code/once-for-text.ts'
import { expressionsIn, wholeExpression } from '../code/template.ts'
import type {
  AgentNode,
  Flow,
  FlowDocument,
  FlowNode,
  Variable,
} from '../document/document.ts'
import { escapePointer } from '../document/pointer.ts'
import type { Problem } from '../document/problems.ts'
import { codeLocations } from '../document/scripts.ts'
import { listVariables } from '../document/variables.ts'
import { once } from './known-parts.ts'
import { closestName } from './suggestion.ts'

const scopes = ['workflow', 'conversation', 'user', 'bot', 'env'] as const
type Scope = (typeof scopes)[number]
type Declared = Record<Scope, ReadonlyMap<string, Variable['type']>>

/** Finding a suggestion is slow. Authors correct the first problems first. */
const maxSuggestions = 100

export const checkVariableNames = (document: FlowDocument): Problem[] =>
  codeIn(document)
    .flatMap(({ pointer, code, declared }) =>
      [...undeclaredIn(code, declared)].map((path) => ({ pointer, path, declared })),
    )
    .map(({ pointer, path, declared }, index) => {
      const [scope, name] = path.split('.') as [Scope, string]
      const closest =
        index < maxSuggestions ? closestName(name, declared[scope].keys()) : null
      return {
        pointer,
        message:
          `uses the variable "${path}", which is not declared. ` +
          (closest ? `Did you mean \`${closest}\`?` : 'Declare it, or correct the name'),
      }
    })

/** Correct code can read a member that does not exist, so these are warnings. */
export const checkMemberNames = (document: FlowDocument): Problem[] =>
  codeIn(document)
    .flatMap(({ pointer, code, declared }) =>
      [...unknownMembersIn(code, declared)].map(([path, unknown]) => ({
        pointer,
        path,
        ...unknown,
      })),
    )
    .map(({ pointer, path, member, type }, index) => {
      const closest =
        index < maxSuggestions ? closestName(member, membersByType[type]!) : null
      return {
        pointer,
        message:
          `reads "${path}", but a variable of type "${type}" has no member "${member}". ` +
          (closest ? `Did you mean \`${closest}\`?` : 'Correct the name'),
      }
    })

interface InlineCode {
  pointer: string
  code: string
  declared: Declared
}

/** Returns expressions, texts and inline code, each with the variables that it may use. */
function codeIn(document: FlowDocument): InlineCode[] {
  const found: InlineCode[] = []
  const anywhere = declaredIn(document, Object.values(document.flows))
  const inFlows = new Map<string, Declared>()
  for (const [name, flow] of Object.entries(document.flows)) {
    const declared = { ...anywhere, workflow: toTypes(listVariables(flow)) }
    inFlows.set(name, declared)
    for (const [node, content] of Object.entries(flow.nodes))
      for (const [pointer, code] of codeOfNode(content))
        found.push({ pointer: `/flows/${name}/nodes/${node}${pointer}`, code, declared })
  }
  for (const [name, { when }] of Object.entries(document.triggers ?? {}))
    if (when !== undefined)
      for (const code of compiled(() => [wholeExpression(when)]))
        found.push({
          pointer: `/triggers/${escapePointer(name)}/when`,
          code,
          declared: anywhere,
        })
  for (const { pointer, text } of codeLocations(document)) {
    if (text === undefined) continue
    const flow = /^\/flows\/([^/]+)\//.exec(pointer)?.[1]
    found.push({ pointer, code: text, declared: (flow && inFlows.get(flow)) || anywhere })
  }
  return found
}

const declaredIn = ({ variables = {} }: FlowDocument, flows: Flow[]): Declared => ({
  workflow: toTypes(...flows.map(listVariables)),
  conversation: toTypes(variables.conversation),
  user: toTypes(variables.user),
  bot: toTypes(variables.bot),
  env: toTypes(variables.configuration),
})

/** Variables of several flows may have the same name and different types. */
function toTypes(
  ...all: (Record<string, Variable> | undefined)[]
): Map<string, Variable['type']> {
  const types = new Map<string, Variable['type']>()
  for (const [name, { type }] of all.flatMap((declared) =>
    Object.entries(declared ?? {}),
  ))
    types.set(name, types.has(name) && types.get(name) !== type ? 'any' : type)
  return types
}

const membersIn = (prototype: object) =>
  new Set([
    ...Object.getOwnPropertyNames(prototype),
    ...Object.getOwnPropertyNames(Object.prototype),
  ])

/** Members of values of a known type; objects may have any. */
const membersByType: Partial<Record<Variable['type'], ReadonlySet<string>>> = {
  string: membersIn(String.prototype),
  date: membersIn(String.prototype),
  number: membersIn(Number.prototype),
  boolean: membersIn(Boolean.prototype),
  array: membersIn(Array.prototype),
}

/** Returns pointers relative to the node. */
const codeOfNode = once((node: FlowNode): [string, string][] => {
  const ofCards = (node.cards ?? []).flatMap((card, index) =>
    listCode(`/cards/${index}`, card),
  )
  return node.type === 'agent' ? [...ofCards, ...codeOfAgent(node)] : ofCards
})

const codeOfAgent = ({ instructions, model, exits = {} }: AgentNode) => [
  ...listCode('', { instructions, model }),
  ...Object.entries(exits).flatMap(([name, { when }]) =>
    when === undefined ? [] : listCode(`/exits/${name}`, { when }),
  ),
]

/**
 * Returns the expressions of a card with their pointers, except `code`, which codeLocations
 * returns.
 */
function listCode(pointer: string, card: object): [string, string][] {
  return Object.entries(card).flatMap(([name, value]): [string, string][] => {
    if (['type', 'name', 'code', 'pattern', 'output'].includes(name)) return []
    const at = `${pointer}/${name}`
    if (name === 'when' || name === 'validate')
      return compiled(() => [wholeExpression(String(value))]).map((code) => [at, code])
    return textsIn(at, value).flatMap(([location, text]) =>
      compiled(() => expressionsIn(text)).map((code): [string, string] => [
        location,
        code,
      ]),
    )
  })
}

export function textsIn(pointer: string, value: unknown): [string, string][] {
  if (typeof value === 'string') return [[pointer, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inside]) =>
    textsIn(`${pointer}/${escapePointer(name)}`, inside),
  )
}

/** Returns nothing for an expression that does not compile, which expressions.ts reports. */
function compiled(find: () => string[]): string[] {
  try {
    return find()
  } catch (error) {
    if (error instanceof CodeError) return []
    throw error
  }
}

const member =
  /(?<![\w$.])(workflow|conversation|user|bot|env)\s*\??\.\s*([A-Za-z_$][\w$]*)/g
const alone = (scope: Scope) =>
  new RegExp(`(?<![\\w$.])${scope}(?![\\w$]|\\s*\\??\\.\\s*[A-Za-z_$])`)

type Mention = readonly [scope: Scope, name: string, member: string | undefined]

const memberOfMember = new RegExp(
  `${member.source}\\s*\\??\\.\\s*([A-Za-z_$][\\w$]*)`,
  'g',
)

/** Returns variables that the code names, and their members. Leaves out scopes that may be local variables. */
const listMentions = onceForText((code): { variables: Mention[]; members: Mention[] } => {
  if (!scopes.some((scope) => code.includes(scope))) return { variables: [], members: [] }
  const bare = withoutTexts(code)
  const certain = new Set(scopes.filter((scope) => !alone(scope).test(bare)))
  const find = (pattern: RegExp) =>
    [...bare.matchAll(pattern)]
      .map(([, scope, name, inner]): Mention => [scope as Scope, name!, inner])
      .filter(([scope]) => certain.has(scope))
  return { variables: find(member), members: find(memberOfMember) }
})

const undeclaredIn = (code: string, declared: Declared): Set<string> =>
  new Set(
    listMentions(code)
      .variables.filter(
        ([scope, name]) => !declared[scope].has(name) && !(name in Object.prototype),
      )
      .map(([scope, name]) => `${scope}.${name}`),
  )

/** Returns the unknown members by their paths. */
function unknownMembersIn(code: string, declared: Declared) {
  const found = new Map<string, { member: string; type: Variable['type'] }>()
  for (const [scope, name, member = ''] of listMentions(code).members) {
    const type = declared[scope].get(name)
    const members = type && membersByType[type]
    if (members && !members.has(member))
      found.set(`${scope}.${name}.${member}`, { member, type })
  }
  return found
}

/** Text before a slash that begins a regular expression rather than a division. */
const beforePattern = /(?:^|[(,=:[!&|?{};+\-*%~^<>\n]|\breturn|\btypeof|=>)\s*$/

/**
 * Returns code without the content of strings, regular expressions and comments. Keeps the code in
 * `${}`.
 */
function withoutTexts(code: string): string {
  let bare = ''
  let at = 0
  /** Open braces in the `${}` of each open template literal. */
  const templates: number[] = []
  const skipTo = (end: RegExp) => {
    end.lastIndex = at
    const found = end.exec(code)
    at = found ? found.index + found[0].length : code.length
    return found?.[0]
  }
  const inTemplate = () => {
    if (skipTo(/(?<!\\)(?:\\\\)*(?:`|\$\{)/g)?.endsWith('${')) templates.push(0)
    bare += ' '
  }
  while (at < code.length) {
    const char = code[at]!
    const next = code[at + 1]
    at += 1
    if (char === '"' || char === "'")
      skipTo(char === '"' ? /(?<!\\)(?:\\\\)*"/g : /(?<!\\)(?:\\\\)*'/g)
    else if (char === '/' && next === '/') skipTo(/(?=\n)/g)
    else if (char === '/' && next === '*') skipTo(/\*\//g)
    else if (char === '/' && beforePattern.test(bare.slice(-20)))
      skipTo(/(?<!\\)(?:\\\\)*\//g)
    else if (char === '`') inTemplate()
    else if (char === '}' && templates.at(-1) === 0) {
      templates.pop()
      inTemplate()
    } else {
      if (char === '{' && templates.length) templates[templates.length - 1]! += 1
      if (char === '}' && templates.length) templates[templates.length - 1]! -= 1
      bare += char
      continue
    }
    bare += ' '
  }
  return bare
}
