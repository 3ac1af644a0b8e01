// Parses body bytes to a value that can be stored. As in JavaScript, the last of two equal keys
// wins, integers past 2^53 are rounded, and -0 becomes 0; bodies with cells of tables may have exact
// numbers only. The checks see the same value that is stored.
import { ApiError } from '@botstead/contract'
import { findInexactNumber, maxJsonDepth } from '@botstead/lib'
import { rejectUnstorable } from '../../lib/index.ts'
import { PartsParser, part } from './large-json.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

interface JsonOptions {
  /** Rejects numbers that would lose digits. */
  isExact?: boolean
  /** Large bodies of tenants are parsed in turns. */
  tenant?: string
}

/** Throws InvalidPayload for invalid JSON, and for JSON that cannot be stored. */
export function parseJson(bytes: Buffer, options: JsonOptions = {}): unknown {
  const text = decode(bytes)
  checkDepth(text)
  return parseText(text, '', options)
}

/**
 * Returns a parser for large bodies, which parses while the body arrives and lets other requests
 * run.
 */
export const largeJsonParser = (options: JsonOptions = {}) =>
  new PartsParser(
    maxJsonDepth,
    (part) => parseText(decode(part), '…', options),
    options.tenant,
  )

/** Parses JSON of this server. */
export async function parseJsonInSlices(bytes: Buffer, tenant: string): Promise<unknown> {
  const parser = new PartsParser(
    maxJsonDepth,
    (piece) => JSON.parse(piece.toString()),
    tenant,
  )
  for (let at = 0; at < bytes.length; at += part)
    await parser.take([bytes.subarray(at, at + part)])
  return parser.end()
}

function parseText(text: string, path: string, { isExact }: JsonOptions): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ApiError(
      'InvalidPayload',
      `The body is not JSON: ${(error as Error).message}`,
    )
  }
  if (suspicious.test(text)) rejectUnstorable(value, path, 'The body')
  if (isExact) rejectInexact(text)
  return value
}

function rejectInexact(text: string): void {
  const number = findInexactNumber(text)
  if (number !== null)
    throw new ApiError(
      'InvalidPayload',
      `The number ${number.slice(0, 50)} would lose digits: send it as a string`,
    )
}

function decode(bytes: Buffer): string {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new ApiError('InvalidPayload', 'The body is not UTF-8')
  }
  if (text.charCodeAt(0) === 0xfeff)
    throw new ApiError(
      'InvalidPayload',
      'The body begins with a byte order mark: remove it',
    )
  return text
}

/**
 * Counts levels before parsing: JSON.parse accepts any depth, JSON.stringify and PostgreSQL do not.
 */
function checkDepth(text: string) {
  let depth = 0
  let inText = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (inText) {
      if (char === 92) i++
      else if (char === 34) inText = false
    } else if (char === 34) inText = true
    else if (char === 123 || char === 91) {
      if (++depth > maxJsonDepth)
        throw new ApiError(
          'InvalidPayload',
          `The body is nested deeper than ${maxJsonDepth} levels`,
        )
    } else if (char === 125 || char === 93) depth--
  }
}

/**
 * Escapes (which may encode any character), prototype keys, and numbers with an exponent or more
 * than 300 digits. Most bodies contain none of these.
 */
const suspicious = /\\u|__proto__|\d[eE]|\d{300}/
