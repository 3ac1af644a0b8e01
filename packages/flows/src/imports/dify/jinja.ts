// Templates of Jinja2 with variables and simple filters as pieces of a text. Statements are not converted.
import type { Piece } from '../pieces.ts'

const filters: Record<string, (js: string, argument: string) => string> = {
  upper: (js) => `String(${js} ?? "").toUpperCase()`,
  lower: (js) => `String(${js} ?? "").toLowerCase()`,
  trim: (js) => `String(${js} ?? "").trim()`,
  length: (js) => `(${js} ?? []).length`,
  count: (js) => `(${js} ?? []).length`,
  join: (js, argument) => `[].concat(${js} ?? []).join(${argument || '""'})`,
  default: (js, argument) => `(${js} ?? ${argument || '""'})`,
  tojson: (js) => `JSON.stringify(${js} ?? null)`,
  first: (js) => `(${js} ?? [])[0]`,
  last: (js) => `(${js} ?? []).at(-1)`,
  int: (js) => `Math.trunc(Number(${js}) || 0)`,
  float: (js) => `(Number(${js}) || 0)`,
  round: (js) => `Math.round(Number(${js}) || 0)`,
  string: (js) => `String(${js} ?? "")`,
  safe: (js) => js,
}

const filled = /\{\{-?([^{}]{0,1000}?)-?\}\}/g
const expression =
  /^([A-Za-z_]\w*)((?:\.[A-Za-z_]\w*|\[\d+\]|\[(?:'[^'\]]*'|"[^"\]]*")\])*)((?:\s*\|\s*\w+(?:\([^()|]*\))?)*)$/

/** Returns null for a template with more than variables and known filters. */
export function jinjaToPieces(
  source: string,
  inputs: [string, string][],
): Piece[] | null {
  const template = source.replace(/\{#[\s\S]*?#\}/g, '')
  if (template.includes('{%')) return null
  const byName = new Map(inputs)
  const pieces: Piece[] = []
  let from = 0
  for (const match of template.matchAll(filled)) {
    const js = toJavaScript(match[1]!.trim(), byName)
    if (js === null) return null
    pieces.push(template.slice(from, match.index), { js })
    from = match.index + match[0].length
  }
  return [...pieces, template.slice(from)].filter((piece) => piece !== '')
}

function toJavaScript(source: string, inputs: Map<string, string>): string | null {
  const [, name = '', members = '', piped = ''] = expression.exec(source) ?? []
  const input = inputs.get(name)
  if (input === undefined) return null
  let js =
    input +
    members.replace(/\.(\w+)|\[/g, (all, member) => (member ? `?.${member}` : `?.${all}`))
  for (const [, filter = '', argument = ''] of piped.matchAll(
    /\|\s*(\w+)(?:\(([^()|]*)\))?/g,
  )) {
    const isPlain = /^(?:'[^'\\]*'|"[^"\\]*"|-?\d+(?:\.\d+)?)?$/.test(argument.trim())
    if (!Object.hasOwn(filters, filter) || !isPlain) return null
    js = filters[filter]!(js, argument.trim())
  }
  return js
}
