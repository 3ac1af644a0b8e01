// Removes secrets from requests before people see them. Names decide: of headers, of query
// parameters, and of fields in JSON and forms.
import { isUtf8 } from 'node:buffer'
import { storableText } from '@botstead/lib'
import type { Redactor } from '../../core/compute/index.ts'

const redacted = '[redacted]'

const secretName =
  /auth|bearer|code|cookie|credential|hmac|jwt|key|nonce|passw|private|secret|session|sig|token|x-hub/i

const maxDepth = 20
/** Header fields, and characters of one. */
const maxHeaders = 100
const maxValueLength = 2_000

export function redactHeaders(headers: Record<string, string>): Record<string, string> {
  const shown = Object.entries(headers).slice(0, maxHeaders)
  return Object.fromEntries(
    shown.map(([name, value]) => [
      storableText(name, 200),
      secretName.test(name) ? redacted : storableText(value, maxValueLength),
    ]),
  )
}

/** Also for forms: `name=value&…`. */
export const redactQuery = (query: string): string =>
  storableText(query, 8_000).split('&').map(redactPair).join('&')

function redactPair(pair: string): string {
  const end = pair.indexOf('=')
  const name = pair.slice(0, end)
  return end >= 0 && secretName.test(decoded(name)) ? `${name}=${redacted}` : pair
}

/** Redacts the decoded values of `name=value&…`; other text stays. */
export async function redactForm(text: string, redactor: Redactor): Promise<string> {
  const pairs = text.split('&').map((pair) => {
    const at = pair.indexOf('=') + 1
    return { pair, at, value: at > 0 ? decoded(pair.slice(at).replaceAll('+', ' ')) : '' }
  })
  const values = await redactor.value(pairs.map(({ value }) => value))
  const shown = pairs.map(({ pair, at, value }, i) =>
    values[i] === value ? pair : pair.slice(0, at) + encodeURIComponent(values[i]!),
  )
  return shown.join('&')
}

const decoded = (name: string) => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Returns the text of a body, or null for binary content. `bytes` may be only its beginning. */
export function redactBody(
  bytes: Buffer,
  isComplete: boolean,
  type: string,
): string | null {
  if (!isUtf8(isComplete ? bytes : withoutPartialCharacter(bytes))) return null
  const text = bytes.toString('utf8')
  if (/x-www-form-urlencoded/i.test(type)) return redactQuery(text)
  const json = isComplete ? parsed(text) : undefined
  if (json !== undefined)
    return storableText(JSON.stringify(redactJson(json, 0)), text.length * 2)
  return storableText(redactFragments(text), text.length * 2)
}

/** A body that was cut may end within a character of up to four bytes. */
function withoutPartialCharacter(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && bytes.length - end < 4 && (bytes[end - 1]! & 0xc0) === 0x80) end--
  return bytes.subarray(0, Math.max(0, end - 1))
}

const parsed = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function redactJson(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) return redacted
  if (Array.isArray(value)) return value.map((item) => redactJson(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      secretName.test(name) ? redacted : redactJson(item, depth + 1),
    ]),
  )
}

/** In JSON that was cut, values of secret fields are found by their form. */
const redactFragments = (text: string) =>
  text.replaceAll(
    /"((?:[^"\\]|\\.){1,200})"(\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|[^\s,}\]]+)/g,
    (field, name: string, colon: string) =>
      secretName.test(name) ? `"${name}"${colon}"${redacted}"` : field,
  )
