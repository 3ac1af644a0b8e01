// Header fields of e-mails (RFC 5322).

/** Values by names in lower case. */
export type Headers = Map<string, string>

const maxLength = 100_000

/** Of fields with the same name, the last one. */
export const readHeaders = (raw: Buffer | undefined): Headers =>
  new Map(readAllHeaders(raw))

/** Names in lower case and values, in the order of the e-mail. */
export function readAllHeaders(raw: Buffer | undefined): [name: string, value: string][] {
  const text = (raw?.toString() ?? '').slice(0, maxLength)
  const lines = text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  return lines.flatMap((line) => {
    const colon = line.indexOf(':')
    if (colon < 1) return []
    return [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]]
  })
}
