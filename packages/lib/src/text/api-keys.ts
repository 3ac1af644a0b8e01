// Keys of APIs that the server calls. They are sent in headers of HTTP, which carry no other
// characters.

export const isApiKey = (text: string) => /^[\x21-\x7e]+$/.test(text)

const looksLikeKey = /[\w-]*(?:sk|key|AIza|Bearer)[\w-]*[-_ ][\w*.-]{6,}|[\w*-]{24,}/gi

/** The pattern above takes quadratic time, so further characters are left out. */
const maxLength = 2_000

/** Removes the key, and everything else that looks like one, from a message of a provider. */
export const withoutKeys = (message: string, key: string | null): string =>
  withoutSecrets(message, key === null ? [] : [key], maxLength).replaceAll(
    looksLikeKey,
    '…',
  )

/** The shortest part of a secret that is removed. */
const partLength = 8

/**
 * Returns the beginning of a text of a remote server without secrets that the server may quote: whole,
 * in parts of eight characters or more, in any case, and encoded for URLs, JSON, base64 or as
 * hexadecimal digits. Shorter secrets are removed as whole words only.
 */
export function withoutSecrets(
  text: string,
  secrets: string[],
  maxLength: number,
): string {
  const kept = text.slice(0, maxLength)
  const lower = kept.toLowerCase()
  const isSecret = new Uint8Array(kept.length)
  for (const form of new Set(secrets.flatMap(toForms))) markParts(lower, form, isSecret)
  return withoutMarked(kept, isSecret)
}

function toForms(secret: string): string[] {
  if (secret === '') return []
  const bytes = Buffer.from(secret)
  const encoded = [
    bytes.toString('hex'),
    ...[0, 1, 2].flatMap((offset) => base64At(bytes, offset)),
  ]
  const forms = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    ...encoded.filter((form) => form.length >= partLength),
  ]
  return forms.map((form) => form.toLowerCase())
}

/** Base64 of the bytes behind `offset` others: without the characters that also depend on their neighbours. */
function base64At(bytes: Buffer, offset: number): string[] {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes])
  return (['base64', 'base64url'] as const).map((encoding) =>
    whole
      .toString(encoding)
      .slice(Math.ceil((offset * 4) / 3), Math.floor((whole.length * 4) / 3)),
  )
}

function markParts(text: string, form: string, isSecret: Uint8Array) {
  const length = Math.min(partLength, form.length)
  const parts = new Set<string>()
  for (let i = 0; i + length <= form.length; i++) parts.add(form.slice(i, i + length))
  for (let i = 0; i + length <= text.length; i++)
    if (
      parts.has(text.slice(i, i + length)) &&
      (length === partLength || isWord(text, i, length))
    )
      isSecret.fill(1, i, i + length)
}

/** Short keys, such as the placeholder "x" of a local server, are also parts of other words. */
const isWord = (text: string, at: number, length: number) =>
  !/\w/.test(`${text[at - 1] ?? ''}${text[at + length] ?? ''}`)

function withoutMarked(text: string, isMarked: Uint8Array): string {
  let out = ''
  for (let i = 0; i < text.length; i++)
    if (!isMarked[i]) out += text[i]
    else if (!isMarked[i - 1]) out += '…'
  return out
}

/** Completes "<the setting> must …". */
export const apiKeyForm = 'consist of visible ASCII characters, without spaces'
