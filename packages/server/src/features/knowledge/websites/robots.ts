// The rules of a robots.txt file for this server (RFC 9309). Hosts write the file, so matching takes
// linear time for any pattern.

export const productToken = 'botstead'
export const userAgent = 'Botstead'
/** Crawlers need not read more (RFC 9309, 2.5). */
export const maxRobotsBytes = 512_000

interface Rule {
  allows: boolean
  pattern: string
}

export interface Robots {
  allows(url: URL): boolean
  /** Pause between two requests, in milliseconds; 0 if the file has none. */
  delayMs: number
}

interface Group {
  agents: string[]
  rules: Rule[]
  delaySeconds: number
}

export const allowsAll: Robots = { allows: () => true, delayMs: 0 }

export function parseRobots(text: string): Robots {
  const groups = parseGroups(text)
  const named = groups.filter(({ agents }) => agents.includes(productToken))
  const ours =
    named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'))
  const rules = ours.flatMap((group) => group.rules)
  return {
    allows: (url) => url.pathname === '/robots.txt' || isAllowed(rules, toPath(url)),
    delayMs: Math.max(0, ...ours.map(({ delaySeconds }) => delaySeconds)) * 1000,
  }
}

/** Lines `user-agent` in a row begin a group. */
function parseGroups(text: string): Group[] {
  const groups: Group[] = []
  let isNaming = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    const { field, value } = parseField(line)
    const current = groups.at(-1)
    if (field === 'user-agent') {
      const agent =
        value === '*' ? '*' : (/^[a-z_-]*/i.exec(value)?.[0] ?? '').toLowerCase()
      if (isNaming) current!.agents.push(agent)
      else groups.push({ agents: [agent], rules: [], delaySeconds: 0 })
      isNaming = true
    } else if (current && field !== '') {
      // Sitemaps and unknown fields belong to no group.
      if (/^(?:allow|disallow|crawl-delay)$/.test(field)) isNaming = false
      addField(current, field, value)
    }
  }
  return groups
}

function parseField(line: string): { field: string; value: string } {
  const content = line.split('#', 1)[0]!
  const colon = content.indexOf(':')
  if (colon === -1) return { field: '', value: '' }
  return {
    field: content.slice(0, colon).trim().toLowerCase(),
    value: content.slice(colon + 1).trim(),
  }
}

function addField(group: Group, field: string, value: string): void {
  if (field === 'allow' || field === 'disallow') {
    if (value !== '')
      group.rules.push({ allows: field === 'allow', pattern: normalized(value) })
  } else if (field === 'crawl-delay') {
    const seconds = Number(value)
    if (seconds > 0 && Number.isFinite(seconds)) group.delaySeconds = seconds
  }
}

const toPath = ({ pathname, search }: URL) => normalized(pathname + search)

/** Percent-encodes as URLs do, and decodes unreserved characters, so that both sides compare. */
const normalized = (text: string) =>
  text
    .toWellFormed()
    .replace(/[^\x21-\x7e]+/g, encodeURIComponent)
    .replace(/%([0-9a-f]{2})/gi, (escaped, digits: string) => {
      const character = String.fromCharCode(Number.parseInt(digits, 16))
      return /[\w.~-]/.test(character) ? character : escaped.toUpperCase()
    })

/** The longest matching pattern decides; of equal ones, the one that allows. */
function isAllowed(rules: Rule[], path: string): boolean {
  let best: Rule | null = null
  for (const rule of rules) {
    const isBetter =
      !best ||
      rule.pattern.length > best.pattern.length ||
      (rule.pattern.length === best.pattern.length && rule.allows)
    if (isBetter && matches(rule.pattern, path)) best = rule
  }
  return best?.allows ?? true
}

/** `*` stands for any characters, `$` at the end for the end of the path. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...others] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  const last = isWhole ? others.pop() : undefined
  let at = first.length
  for (const part of others) {
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  if (!isWhole) return true
  if (last === undefined) return path.length === at
  return path.length - last.length >= at && path.endsWith(last)
}
