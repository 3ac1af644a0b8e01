// Turns the bytes of a body into a value that can be kept. Of two equal keys the last holds, integers past 2^53 are rounded, and -0 is kept as 0:
// that is what JSON means in JavaScript, and what the checks see is what is kept, since nobody reads the text again.
import { ApiError } from '@botstead/contract'
import { mostDepth, refuseUnstorable } from '../lib/storable.ts'
import { PartsParser } from './large-json.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Throws InvalidPayload for what is not JSON, and for JSON that cannot be kept. */
export function parseJson(bytes: Buffer): unknown {
  const text = decode(bytes)
  refuseDepth(text)
  return parseText(text, '')
}

/** The same, of a body that takes long: while it arrives, and others are answered meanwhile. */
export const largeJsonParser = () => new PartsParser(mostDepth, (part) => parseText(decode(part), '…'))

function parseText(text: string, path: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ApiError('InvalidPayload', `The body is not JSON: ${(error as Error).message}`)
  }
  if (suspicious.test(text)) refuseUnstorable(value, path, 'The body')
  return value
}

function decode(bytes: Buffer): string {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new ApiError('InvalidPayload', 'The body is not UTF-8')
  }
  if (text.charCodeAt(0) === 0xfeff)
    throw new ApiError('InvalidPayload', 'The body begins with a byte order mark')
  return text
}

/** Counted before parsing: JSON.parse would manage, JSON.stringify and PostgreSQL would not. */
function refuseDepth(text: string) {
  let depth = 0
  let inText = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (inText) {
      if (char === 92) i++
      else if (char === 34) inText = false
    } else if (char === 34) inText = true
    else if (char === 123 || char === 91) {
      if (++depth > mostDepth)
        throw new ApiError('InvalidPayload', `The body is nested deeper than ${mostDepth} levels`)
    } else if (char === 125 || char === 93) depth--
  }
}

/** Escapes (that may hide anything), prototype keys, and numbers with an exponent or of more than 300 digits. Most bodies have none of these. */
const suspicious = /\\u|__proto__|\d[eE]|\d{300}/
