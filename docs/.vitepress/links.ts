// Maps files of the repository to addresses of the site, so that links of the Markdown files work on
// both: beside the sources, and in the site.
import { posix } from 'node:path'

/** Pages outside of docs, and the page of contents. */
export const rewrites: Record<string, string> = {
  'docs/README.md': 'index.md',
  'README.md': 'overview.md',
  'ARCHITECTURE.md': 'architecture.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security-policy.md',
  'conformance/report.md': 'conformance-report.md',
}

/** Returns the address below the site's base; null if the site has no such page. */
export function toUrl(source: string): string | null {
  if (source === 'packages/contract/openapi') return '/api/'
  if (source === 'examples') return '/examples/'
  const [, example] = /^examples\/([\w-]+)\/bot\.json$/.exec(source) ?? []
  if (example) return `/examples/${example}`
  const page = rewrites[source] ?? /^docs\/(.+\.md)$/.exec(source)?.[1]
  return page ? `/${page.replace(/(^|\/)index\.md$|\.md$/, '$1')}` : null
}

/** Returns the target of a link in a file: `inside` the site, or elsewhere on the server. */
export function resolveLink(
  href: string,
  from: string,
): { url: string; inside: boolean } | null {
  if (/^(?:[a-z]+:|#|\/\/)/i.test(href)) return null
  if (href.startsWith('/')) return { url: href, inside: !href.startsWith('/v1/') }
  const [path, hash] = href.split('#') as [string, string?]
  const source = posix.join(posix.dirname(from), path).replace(/\/$/, '')
  const document = /^packages\/contract\/openapi\/(\w+\.json)$/.exec(source)
  if (document) return { url: `/v1/openapi/${document[1]}`, inside: false }
  if (source === 'LICENSE') return { url: '/docs/license.txt', inside: false }
  const url = toUrl(source)
  return url && { url: url + (hash ? `#${hash}` : ''), inside: true }
}
