// A request of the source as code with axios. Values of headers and parameters that look like secrets become
// values of the bot's configuration.
import type { Assembly } from './assembly.ts'
import { isLiteral, type Piece, toJs, toLiteral } from './pieces.ts'
import { isSecretName } from './secrets.ts'

interface HttpRequest {
  method: string
  url: Piece[]
  headers?: [string, Piece[]][]
  params?: [string, Piece[]][]
  /** `json` also for texts that are JSON. */
  body?: { kind: 'json' | 'text' | 'form'; pieces: Piece[]; fields?: [string, Piece[]][] }
  /** Assignments after the request; `response` is that of axios. */
  results: string[]
  timeoutSeconds?: number | undefined
}

export function toRequestCode(bot: Assembly, request: HttpRequest): string {
  const {
    method,
    url,
    headers = [],
    params = [],
    body,
    results,
    timeoutSeconds,
  } = request
  const options = [
    `method: ${toLiteral(method.toLowerCase())}`,
    `url: ${toJs(url)}`,
    ...(headers.length > 0 ? [`headers: ${toObjectJs(bot, headers)}`] : []),
    ...(params.length > 0 ? [`params: ${toObjectJs(bot, params)}`] : []),
    ...(body ? [`data: ${toBodyJs(bot, body)}`] : []),
    ...(timeoutSeconds ? [`timeout: ${Math.round(timeoutSeconds * 1000)}`] : []),
    'validateStatus: () => true',
  ]
  return `const response = await axios.request({\n  ${options.join(',\n  ')},\n})\n${results.join('\n')}`
}

const toObjectJs = (bot: Assembly, fields: [string, Piece[]][]) =>
  `{ ${fields.map(([name, pieces]) => `${toLiteral(name)}: ${toValueJs(bot, name, pieces)}`).join(', ')} }`

function toValueJs(bot: Assembly, name: string, pieces: Piece[]): string {
  const text = pieces.join('')
  if (!isLiteral(pieces) || text === '' || !isSecretName(name)) return toJs(pieces)
  bot.addSecret(name)
  const [scheme = ''] = /^(?:Bearer|Basic|Token)\s+/i.exec(text) ?? []
  const path = bot.variables.configuration(name, { secret: true })
  return scheme ? `${toLiteral(scheme)} + ${path}` : path
}

function toBodyJs(
  bot: Assembly,
  { kind, pieces, fields = [] }: NonNullable<HttpRequest['body']>,
) {
  if (kind === 'form') return `new URLSearchParams(${toObjectJs(bot, fields)}).toString()`
  return (kind === 'json' ? toJsonJs(pieces) : null) ?? toJs(pieces)
}

const marker = /\uE000(\d+)\uE000/g

/** Returns JavaScript for JSON with variables, so that their values are escaped. Null if it is no JSON. */
function toJsonJs(pieces: Piece[]): string | null {
  const expressions: string[] = []
  let isInside = false
  const text = pieces
    .map((piece) => {
      if (typeof piece === 'string') {
        isInside = endsInside(piece, isInside)
        return piece.replaceAll('\uE000', '')
      }
      const mark = `\uE000${expressions.push(piece.js) - 1}\uE000`
      return isInside ? mark : `"${mark}"`
    })
    .join('')
  try {
    return toValue(JSON.parse(text), expressions)
  } catch {
    return null
  }
}

/** Whether a text ends inside of a string of JSON. */
function endsInside(text: string, wasInside: boolean): boolean {
  let isInside = wasInside
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\' && isInside) at++
    else if (text[at] === '"') isInside = !isInside
  }
  return isInside
}

function toValue(value: unknown, expressions: string[]): string {
  if (Array.isArray(value))
    return `[${value.map((one) => toValue(one, expressions)).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(
        ([name, one]) => `[${toValue(name, expressions)}]: ${toValue(one, expressions)}`,
      )
      .join(', ')} }`.replace(/\[("(?:[^"\\]|\\.)*")\]:/g, '$1:')
  if (typeof value !== 'string') return toLiteral(value)
  const pieces: Piece[] = []
  let from = 0
  for (const match of value.matchAll(marker)) {
    pieces.push(value.slice(from, match.index), {
      js: expressions[Number(match[1])] ?? '""',
    })
    from = match.index + match[0].length
  }
  pieces.push(value.slice(from))
  return toJs(pieces.filter((piece) => piece !== ''))
}
