// Whether the variables that expressions, texts and code name are declared. Code in files has a type check of its own, which knows its lines. Code is scanned and not parsed: a scope whose name also occurs alone, as a local variable
// of that name would, is left out, so that nothing is reported that could be right.
import type { Card } from './card-shapes.ts'
import { CodeError } from './code-error.ts'
import type { Flow, FlowDocument } from './document.ts'
import { escapePointer } from './json-places.ts'
import type { Problem } from './problems.ts'
import { codePlaces } from './scripts.ts'
import { expressionsIn, wholeExpression } from './template.ts'
import { variablesOf } from './variables.ts'

const scopes = ['workflow', 'conversation', 'user', 'bot', 'env'] as const
type Scope = (typeof scopes)[number]
type Declared = Record<Scope, ReadonlySet<string>>

export function checkVariableNames(document: FlowDocument): Problem[] {
  const found: Problem[] = []
  const anywhere = declaredIn(document, Object.values(document.flows))
  const check = (pointer: string, code: string, declared: Declared) => {
    for (const name of undeclaredIn(code, declared))
      found.push({ pointer, message: `the document declares no variable "${name}"` })
  }
  for (const [name, flow] of Object.entries(document.flows)) {
    const declared = declaredIn(document, [flow])
    for (const [node, { cards = [] }] of Object.entries(flow.nodes))
      for (const [index, card] of cards.entries())
        for (const [pointer, code] of codeOf(`/flows/${name}/nodes/${node}/cards/${index}`, card))
          check(pointer, code, declared)
  }
  for (const [name, { when }] of Object.entries(document.triggers ?? {}))
    if (when !== undefined)
      for (const code of compiled(() => [wholeExpression(when)]))
        check(`/triggers/${escapePointer(name)}/when`, code, anywhere)
  for (const { pointer, text } of codePlaces(document)) {
    if (text === undefined) continue
    const flow = /^\/flows\/([^/]+)\//.exec(pointer)?.[1]
    check(pointer, text, flow ? declaredIn(document, [document.flows[flow]!]) : anywhere)
  }
  return found
}

const declaredIn = ({ variables = {} }: FlowDocument, flows: Flow[]): Declared => ({
  workflow: new Set(flows.flatMap((flow) => Object.keys(variablesOf(flow)))),
  conversation: namesOf(variables.conversation),
  user: namesOf(variables.user),
  bot: namesOf(variables.bot),
  env: namesOf(variables.configuration),
})
const namesOf = (declared: object | undefined) => new Set(Object.keys(declared ?? {}))

/** Of a card, the expressions with their pointers; its `code` is looked at with all other code. */
function codeOf(pointer: string, card: Card): [string, string][] {
  return Object.entries(card).flatMap(([name, value]): [string, string][] => {
    if (['type', 'name', 'code', 'pattern'].includes(name)) return []
    const at = `${pointer}/${name}`
    if (name === 'when' || name === 'validate')
      return compiled(() => [wholeExpression(String(value))]).map((code) => [at, code])
    return textsIn(at, value).flatMap(([place, text]) =>
      compiled(() => expressionsIn(text)).map((code): [string, string] => [place, code]),
    )
  })
}

function textsIn(pointer: string, value: unknown): [string, string][] {
  if (typeof value === 'string') return [[pointer, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inside]) =>
    textsIn(`${pointer}/${escapePointer(name)}`, inside),
  )
}

/** What does not compile is reported elsewhere. */
function compiled(find: () => string[]): string[] {
  try {
    return find()
  } catch (error) {
    if (error instanceof CodeError) return []
    throw error
  }
}

const member = /(?<![\w$.])(workflow|conversation|user|bot|env)\s*\??\.\s*([A-Za-z_$][\w$]*)/g
const alone = (scope: Scope) => new RegExp(`(?<![\\w$.])${scope}(?![\\w$]|\\s*\\??\\.\\s*[A-Za-z_$])`)

function undeclaredIn(code: string, declared: Declared): Set<string> {
  if (!scopes.some((scope) => code.includes(scope))) return new Set()
  const bare = withoutTexts(code)
  const certain = new Set(scopes.filter((scope) => !alone(scope).test(bare)))
  const named = [...bare.matchAll(member)].map(([, scope, name]) => [scope as Scope, name!] as const)
  return new Set(
    named
      .filter(
        ([scope, name]) => certain.has(scope) && !declared[scope].has(name) && !(name in Object.prototype),
      )
      .map(([scope, name]) => `${scope}.${name}`),
  )
}

/** Before these, a slash begins a pattern, and is no division. */
const beforePattern = /(?:^|[(,=:[!&|?{};+\-*%~^<>\n]|\breturn|\btypeof|=>)\s*$/

/** Code with nothing in its strings, patterns and comments. What stands in `${}` stays. */
function withoutTexts(code: string): string {
  let bare = ''
  let at = 0
  /** Of each template that is open, how many braces are open in its `${}`. */
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
    if (char === '"' || char === "'") skipTo(char === '"' ? /(?<!\\)(?:\\\\)*"/g : /(?<!\\)(?:\\\\)*'/g)
    else if (char === '/' && next === '/') skipTo(/(?=\n)/g)
    else if (char === '/' && next === '*') skipTo(/\*\//g)
    else if (char === '/' && beforePattern.test(bare.slice(-20))) skipTo(/(?<!\\)(?:\\\\)*\//g)
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
