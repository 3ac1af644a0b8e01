// The parts of a program of the Agents SDK that are carried: agents, tools, and the steps of the workflow.
import { findClosing, type Language, splitAt, type Token, tokenize } from './tokens.ts'

export interface Definition {
  /** Name of the variable. */
  name: string
  /** `Agent`, `fileSearchTool`, `z.object` … */
  maker: string
  /** Tokens of the fields by name; positional arguments are `0`, `1` … */
  fields: Map<string, Token[]>
}

export type Statement =
  | { kind: 'if'; branches: { condition: Token[]; body: Statement[] }[] }
  | { kind: 'while'; condition: Token[]; body: Statement[] }
  | { kind: 'run'; agent: string; result: string }
  | { kind: 'search'; store: string; query: Token[]; result: string }
  | { kind: 'assign'; target: Token[]; value: Token[] }
  | { kind: 'return' }

export interface Program {
  language: Language
  definitions: Map<string, Definition>
  steps: Statement[]
  /** Name of the workflow in its trace. */
  name: string
}

export const isAgentsSdk = (text: string): boolean =>
  /from\s+["']@openai\/agents["']|^\s*(?:from|import)\s+agents\b/m.test(text) &&
  /\bAgent\s*[(<]/.test(text)

export function readProgram(source: string): Program {
  const language =
    /^\s*(?:from\s+[\w.]+\s+import|import\s+[\w.]+\s*$|def\s|async def\s)/m.test(source)
      ? 'python'
      : 'js'
  const tokens = tokenize(source, language)
  const traced = findCall(tokens, ['withTrace', 'trace'])
  const body = findBody(tokens, traced)
  const argument = traced < 0 ? undefined : tokens[traced + 2]
  const name = argument?.kind === 'text' ? argument.value : ''
  return {
    language,
    definitions: findDefinitions(tokens),
    steps: toStatements(body),
    name,
  }
}

const is = (token: Token | undefined, value: string) =>
  token?.kind !== 'text' && token?.value === value

function findCall(tokens: Token[], names: string[]): number {
  return tokens.findIndex(
    (token, at) =>
      token.kind === 'word' && names.includes(token.value) && is(tokens[at + 1], '('),
  )
}

/** The block of the trace, or of the function of the workflow. */
function findBody(tokens: Token[], traced: number): Token[] {
  const named = tokens.findIndex(
    ({ kind, value }) => kind === 'word' && /^run_?workflow$/i.test(value),
  )
  const from = traced >= 0 ? traced : named
  if (from < 0) return []
  for (let at = from; at < tokens.length; at++) {
    const isBlock =
      is(tokens[at], '{') &&
      (is(tokens[at - 1], '=>') ||
        is(tokens[at - 1], ':') ||
        tokens[at - 1]?.kind === 'end' ||
        is(tokens[at - 1], ')'))
    if (isBlock) return tokens.slice(at + 1, findClosing(tokens, at))
  }
  return []
}

/** `const a = new Agent({…})`, `a = Agent(…)`, `class A(BaseModel): …`. */
function findDefinitions(tokens: Token[]): Map<string, Definition> {
  const found = new Map<string, Definition>()
  for (let at = 1; at < tokens.length; at++) {
    if (is(tokens[at], 'class') && tokens[at + 1]?.kind === 'word')
      addClass(tokens, at + 1, found)
    if (!is(tokens[at], '=')) continue
    const owner = tokens
      .slice(Math.max(0, at - 12), at)
      .findLast(
        ({ kind, value }, index, all) =>
          kind === 'word' && !is(all[index - 1], ':') && value !== 'const',
      )
    let next = at + 1
    if (is(tokens[next], 'new')) next++
    const maker: string[] = []
    while (tokens[next]?.kind === 'word' || is(tokens[next], '.'))
      maker.push(tokens[next++]!.value)
    if (is(tokens[next], '<'))
      while (next < tokens.length && !is(tokens[next], '(')) next++
    if (!is(tokens[next], '(') || maker.length === 0 || !owner) continue
    const inside = tokens.slice(next + 1, findClosing(tokens, next))
    const name = is(tokens[at - 1], '}')
      ? owner.value
      : (findOwner(tokens, at) ?? owner.value)
    if (!found.has(name))
      found.set(name, { name, maker: maker.join(''), fields: toFields(inside) })
  }
  return found
}

/** `const name: Type =`: the word after `const`, or the first of the statement. */
function findOwner(tokens: Token[], at: number): string | null {
  for (let back = at - 1; back >= 0 && back > at - 12; back--) {
    const token = tokens[back]!
    if (token.kind === 'word' && ['const', 'let', 'var'].includes(token.value))
      return tokens[back + 1]?.value ?? null
    if (token.kind === 'end' || is(token, '}') || is(token, '{'))
      return tokens[back + 1]?.kind === 'word' ? tokens[back + 1]!.value : null
  }
  return null
}

/** Fields of a model of pydantic: `name: type`. */
function addClass(tokens: Token[], at: number, found: Map<string, Definition>): void {
  const start = tokens.findIndex((token, index) => index > at && is(token, '{'))
  if (start < 0 || start > at + 8) return
  const fields = new Map<string, Token[]>()
  for (const line of splitAt(tokens.slice(start + 1, findClosing(tokens, start)), [
    '\n',
    ';',
  ]))
    if (line[0]?.kind === 'word' && is(line[1], ':'))
      fields.set(line[0].value, line.slice(2))
  found.set(tokens[at]!.value, { name: tokens[at]!.value, maker: 'BaseModel', fields })
}

/** Of arguments: an object, or `name=value`; others by their position. */
export function toFields(inside: Token[]): Map<string, Token[]> {
  const isObject = is(inside[0], '{') && findClosing(inside, 0) >= inside.length - 2
  const list = splitAt(isObject ? inside.slice(1, findClosing(inside, 0)) : inside, [','])
  const fields = new Map<string, Token[]>()
  for (const [index, field] of list.entries()) {
    const [name, separator, ...value] = field.filter(({ kind }) => kind !== 'end')
    if (!name) continue
    if (is(separator, isObject ? ':' : '=')) fields.set(name.value, value)
    else if (field.length === 1 && isObject) fields.set(name.value, [name])
    else fields.set(String(index), field)
  }
  return fields
}

/** Of a list `[a, b]`. */
export const toItems = (tokens: Token[] = []): Token[][] =>
  is(tokens[0], '[')
    ? splitAt(tokens.slice(1, findClosing(tokens, 0)), [',']).filter(
        (item) => item.length > 0,
      )
    : []

const maxDepth = 60

function toStatements(tokens: Token[], depth = 0): Statement[] {
  const statements: Statement[] = []
  if (depth > maxDepth) return statements
  let at = 0
  while (at < tokens.length) {
    if (is(tokens[at], 'if') || is(tokens[at], 'while')) {
      const read = readBlock(tokens, at, depth)
      statements.push(...read.statements)
      at = read.end
      continue
    }
    const end = endOfStatement(tokens, at)
    statements.push(...toSimple(tokens.slice(at, end)))
    at = end + 1
  }
  return statements
}

/** The next statement begins after `;`, at a line of Python, or at a word after a closing bracket. */
function endOfStatement(tokens: Token[], from: number): number {
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]!
    if (token.kind === 'end') return at
    if (token.kind === 'mark' && '([{'.includes(token.value)) at = findClosing(tokens, at)
    const next = tokens[at + 1]
    if (
      next &&
      is(tokens[at], '}') &&
      (is(next, 'if') || is(next, 'const') || is(next, 'return'))
    )
      return at
  }
  return tokens.length
}

function readBlock(
  tokens: Token[],
  from: number,
  depth: number,
): { statements: Statement[]; end: number } {
  const isLoop = is(tokens[from], 'while')
  const branches: { condition: Token[]; body: Statement[] }[] = []
  let at = from
  for (;;) {
    const start = findBlockStart(tokens, at)
    if (start < 0) return { statements: toBlock(isLoop, branches), end: tokens.length }
    const condition = tokens
      .slice(at, start)
      .filter(
        ({ kind, value }) =>
          kind === 'text' || !['if', 'elif', 'else', 'while', '\n'].includes(value),
      )
    const end = findClosing(tokens, start)
    branches.push({
      condition: withoutBrackets(
        is(condition.at(-1), ':') ? condition.slice(0, -1) : condition,
      ),
      body: toStatements(tokens.slice(start + 1, end), depth + 1),
    })
    at = end + 1
    const isElse = is(tokens[at], 'else') || is(tokens[at], 'elif')
    if (isLoop || !isElse) return { statements: toBlock(isLoop, branches), end: at }
  }
}

const withoutBrackets = (tokens: Token[]) =>
  is(tokens[0], '(') && findClosing(tokens, 0) === tokens.length - 1
    ? tokens.slice(1, -1)
    : tokens

const toBlock = (
  isLoop: boolean,
  branches: { condition: Token[]; body: Statement[] }[],
): Statement[] => {
  const [first] = branches
  if (!first) return []
  return [isLoop ? { kind: 'while', ...first } : { kind: 'if', branches }]
}

/** The brace after the condition, which may have its own brackets. */
function findBlockStart(tokens: Token[], from: number): number {
  for (let at = from; at < tokens.length; at++) {
    if (is(tokens[at], '{')) return at
    if (tokens[at]!.kind === 'mark' && '(['.includes(tokens[at]!.value))
      at = findClosing(tokens, at)
  }
  return -1
}

/** `const x = await runner.run(agent, …)`, `state.a = …`, `x = (await client.vectorStores.search(…))`. */
function toSimple(tokens: Token[]): Statement[] {
  if (is(tokens[0], 'return')) return [{ kind: 'return' }]
  const equals = tokens.findIndex((token) => is(token, '='))
  const target = tokens
    .slice(0, Math.max(0, equals))
    .filter(
      ({ kind, value }) =>
        kind === 'text' || !['const', 'let', 'var', '\n'].includes(value),
    )
  const result = target.find(({ kind }) => kind === 'word')?.value ?? ''
  const run = tokens.findIndex(
    (token, at) => is(token, 'run') && is(tokens[at - 1], '.') && is(tokens[at + 1], '('),
  )
  if (run >= 0) return [{ kind: 'run', agent: tokens[run + 2]?.value ?? '', result }]
  const search = tokens.findIndex(
    (token, at) =>
      is(token, 'search') && is(tokens[at - 1], '.') && is(tokens[at + 1], '('),
  )
  if (search >= 0) {
    const fields = toFields(tokens.slice(search + 2, findClosing(tokens, search + 1)))
    const options = toFields(fields.get('1') ?? [])
    const query = fields.get('query') ?? options.get('query') ?? []
    return [
      {
        kind: 'search',
        store: (fields.get('vector_store_id') ?? fields.get('0'))?.[0]?.value ?? '',
        query,
        result,
      },
    ]
  }
  return equals > 0 ? [{ kind: 'assign', target, value: tokens.slice(equals + 1) }] : []
}
