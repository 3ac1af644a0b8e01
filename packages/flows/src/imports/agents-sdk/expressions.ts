// Conditions and texts of a program as JavaScript of flows.
import { isExpression, knowsNames } from '../expressions.ts'
import type { Piece } from '../pieces.ts'
import type { Context } from './context.ts'
import { type Token, tokenize } from './tokens.ts'

export const toOutputName = ({ bot }: Context, agent: string) =>
  bot.variables.need(`output:${agent}`, `${agent} output`)

/** Words of Python in JavaScript. */
const words: Record<string, string> = {
  and: '&&',
  or: '||',
  not: '!',
  True: 'true',
  False: 'false',
  None: 'null',
}

/** Returns JavaScript, or null for what cannot run here. */
export function toCondition(context: Context, tokens: Token[]): string | null {
  const js = toJavaScript(context, tokens)
  return isExpression(js) && knowsNames(js) ? js : null
}

/** Results of agents, the state and the input become variables; their members follow. */
function toJavaScript(context: Context, tokens: Token[]): string {
  const { bot, results } = context
  const written: string[] = []
  for (let at = 0; at < tokens.length; at++) {
    const { kind, value, parts = [] } = tokens[at]!
    if (kind === 'text') {
      written.push(toText(context, parts))
      continue
    }
    const isMember =
      ['.', '?.'].includes(tokens[at - 1]?.value ?? '') && tokens[at - 1]?.kind === 'mark'
    const read = kind === 'word' && !isMember ? readMember(tokens, at + 1) : null
    const agent = results.get(value)
    if (
      read &&
      agent !== undefined &&
      ['output_parsed', 'output_text', 'finalOutput', 'final_output'].includes(read.name)
    ) {
      written.push(toOutputName(context, agent))
      at = read.end
    } else if (read && value === 'state') {
      written.push(bot.variables.need(`state:${read.name}`, read.name))
      at = read.end
    } else if (
      read &&
      /^workflow(?:_input)?$/.test(value) &&
      read.name === 'input_as_text'
    ) {
      written.push(bot.variables.need('input'))
      at = read.end
    } else written.push(Object.hasOwn(words, value) && !isMember ? words[value]! : value)
  }
  return written
    .join(' ')
    .replace(/ ?(\?\.|\.) ?/g, '$1')
    .replace(/ (?=[[\]()])|(?<=[[(]) /g, '')
}

/** Reads `.name` or `["name"]` at a position. */
export function readMember(
  tokens: Token[],
  at: number,
): { name: string; end: number } | null {
  const [first, second, third] = tokens.slice(at, at + 3)
  if (first?.kind !== 'mark') return null
  if ((first.value === '.' || first.value === '?.') && second?.kind === 'word')
    return { name: second.value, end: at + 1 }
  return first.value === '[' && second?.kind === 'text' && third?.value === ']'
    ? { name: second.value, end: at + 2 }
    : null
}

const toText = (context: Context, parts: Piece[]) => {
  const pieces = toPieces(context, parts)
  return pieces.length === 0
    ? '""'
    : pieces
        .map((piece) =>
          typeof piece === 'string' ? JSON.stringify(piece) : `String(${piece.js} ?? "")`,
        )
        .join(' + ')
}

/** Expressions in texts become variables, if they can run here. */
export const toPieces = (context: Context, parts: Piece[]): Piece[] =>
  parts.map((part) => {
    if (typeof part === 'string') return part
    const tokens = tokenize(part.js, context.program.language).filter(
      ({ kind }) => kind !== 'end',
    )
    const named = toParameter(context, tokens)
    const js = named ?? toCondition(context, tokens)
    return js === null ? `{${part.js}}` : { js }
  })

/** Instructions that are functions read the context: `workflowInputAsText`, `stateName`. */
function toParameter({ bot }: Context, tokens: Token[]): string | null {
  const [only, ...others] = tokens
  if (others.length > 0 || only?.kind !== 'word') return null
  if (/^workflow_?input_?as_?text$/i.test(only.value)) return bot.variables.need('input')
  const [, state] = /^state_?([A-Z_]\w*)$/.exec(only.value) ?? []
  if (state === undefined) return null
  const name = state
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return bot.variables.need(`state:${name}`, name)
}
