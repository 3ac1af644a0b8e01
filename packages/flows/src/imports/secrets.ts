// Finds secrets in exports, so that their values reach neither the document nor the report.

const secretName =
  /api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|token(?!s|ize)|secret|passw(?:or)?d|authorization|credential/i

/** Whether a field, a header or a parameter with this name usually has a secret. */
export const isSecretName = (name: string): boolean => secretName.test(name)

/** By name; the values have forms that no other text has. */
const forms: [string, RegExp][] = [
  ['OpenAI key', /\bsk-[A-Za-z0-9_-]{20,}/g],
  ['Slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g],
  ['GitHub token', /\bgh[oprsu]_[A-Za-z0-9]{30,}/g],
  ['Google key', /\bAIza[A-Za-z0-9_-]{35}/g],
  ['AWS key', /\bAKIA[A-Z0-9]{16}\b/g],
  ['signed token', /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g],
  ['bearer token', /(?<=\b(?:Bearer|Basic)\s)[A-Za-z0-9._~+/-]{16,}=*/g],
  ['password in a URL', /(?<=:\/\/[^\s:/@]{1,100}:)[^\s:/@]{1,200}(?=@)/g],
  [
    'private key',
    /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----/g,
  ],
]

/** A text in code that is assigned to a name of a secret. */
const assigned =
  /\b(\w*(?:password|passwd|secret|token|api_?key)\w*['"]?\s*[:=]\s*)(['"`])((?:(?!\2)[^\\\r\n]){4,500})\2/gi

const removed = 'removed-secret'

/** Replaces secrets in a text; in code, also texts that are assigned to names of secrets. */
export function withoutSecrets(
  text: string,
  { isCode = false, onFound }: { isCode?: boolean; onFound: (name: string) => void },
): string {
  let clean = text
  for (const [name, form] of forms)
    clean = clean.replace(form, () => {
      onFound(name)
      return removed
    })
  if (!isCode) return clean
  return clean.replace(assigned, (all, before: string, quote: string, value: string) => {
    if (value === removed || value.includes('{{') || value.includes('${')) return all
    onFound(before.replace(/['"]?\s*[:=]\s*$/, ''))
    return before + quote + removed + quote
  })
}
