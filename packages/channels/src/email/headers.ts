// Header fields of e-mails (RFC 5322).

/** Values by names in lower case. */
export type Headers = Map<string, string>

const maxLength = 100_000

/** Of fields with the same name, the last one. */
export function readHeaders(raw: Buffer | undefined): Headers {
  const text = (raw?.toString() ?? '').slice(0, maxLength)
  const lines = text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  return new Map(
    lines.flatMap((line) => {
      const colon = line.indexOf(':')
      if (colon < 1) return []
      return [[line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const]
    }),
  )
}
