// Whether the receiving mail server has verified the domain of a sender, by its header
// Authentication-Results (RFC 8601). Everything else in an e-mail is a claim of its sender.

interface Result {
  method: string
  result: string
  properties: Map<string, string>
}

interface Sender {
  address?: string | undefined
}

/**
 * `server` is the one that the mailbox trusts: headers of others may be forged. Every result of it counts, so
 * one that did not pass is decisive. SPF alone proves nothing: many senders share a server.
 */
export function isAuthenticated(
  headers: [name: string, value: string][],
  from: Sender[] | undefined,
  server: unknown,
): boolean {
  if (typeof server !== 'string' || server === '') return false
  const domain = from?.[0]?.address?.split('@')[1]?.trim().toLowerCase()
  // Programs differ in which of several senders they show.
  const senders = headers.filter(([name]) => name === 'from')
  if (!domain || from?.length !== 1 || senders.length !== 1) return false
  const results = headers
    .filter(([name]) => name === 'authentication-results')
    .flatMap(([, value]) => readResults(value, server))
  const dmarc = results.filter(({ method }) => method === 'dmarc')
  if (dmarc.length > 0)
    return dmarc.every(
      ({ result, properties }) =>
        result === 'pass' && properties.get('header.from') === domain,
    )
  return results.some(
    ({ method, result, properties }) =>
      method === 'dkim' && result === 'pass' && properties.get('header.d') === domain,
  )
}

/** Not read: quoted text, and text that ends inside of a comment, may contain what looks like a result. */
const unreadable: Result = {
  method: 'dmarc',
  result: 'unreadable',
  properties: new Map(),
}

/** Returns nothing for the header of another server. */
function readResults(header: string, server: string): Result[] {
  const plain = withoutComments(header)
  const [identity = '', ...parts] = (plain ?? header).split(';')
  if (
    identity
      .trim()
      .split(/[\s(]+/)[0]
      ?.toLowerCase() !== server.toLowerCase()
  )
    return []
  if (plain === null || plain.includes('"')) return [unreadable]
  return parts.flatMap((part) => {
    const [first = '', ...rest] = part.trim().toLowerCase().split(/\s+/)
    const [method = '', result = ''] = first.split('=')
    const pairs = rest.map((pair) => pair.split('=') as [string, string?])
    const properties = new Map(pairs.map(([name, value = '']) => [name, value]))
    // A property that occurs twice may be a forged one beside that of the server.
    return properties.size === pairs.length
      ? [{ method, result, properties }]
      : [unreadable]
  })
}

/** Comments are in parentheses, also nested. Returns null for text that ends inside of one. */
function withoutComments(text: string): string | null {
  let depth = 0
  let plain = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '\\') at++
    else if (character === '(') depth++
    else if (character === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0) plain += character
  }
  return depth === 0 ? plain : null
}
