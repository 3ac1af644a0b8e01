// Gathers the pages of a sitemap, or of the sitemaps of an index. Only pages of the sitemap's own
// website count.
import { UrlRejected } from '@botstead/lib'
import type { Site } from './site.ts'
import { readSitemap, type Sitemap } from './sitemap.ts'
import { toPageUrl } from './sources.ts'
import { unpack, WebFailed } from './web-requests.ts'

const maxSitemapBytes = 10_000_000
/** As the protocol says. */
const maxLocations = 50_000
const maxSitemaps = 50

interface Gathered {
  urls: string[]
  /** The omitted pages as a sentence; null if none. */
  problem: string | null
  /** A sitemap could not be read, so missing pages may still exist. */
  isPartial: boolean
}

/** Throws WebFailed if nothing can be read. */
export async function gatherPages(
  site: Site,
  root: URL,
  maxPages: number,
): Promise<Gathered> {
  const first = await fetchSitemap(site, root)
  const isOwn = (url: URL) => isSameSite(url, root) || isSameSite(url, first.url)
  const found = new Found(isOwn, maxPages)
  if (first.sitemap.kind === 'pages') found.addPages(first.sitemap.locations)
  else await gatherIndex(site, first.sitemap.locations, found)
  if (found.urls.size === 0)
    throw new WebFailed(
      ['The sitemap lists no page of this website.', ...found.problems()].join(' '),
    )
  const problems = found.problems()
  return {
    urls: [...found.urls],
    problem: problems.length > 0 ? problems.join(' ') : null,
    isPartial: found.unread.length > 0,
  }
}

async function gatherIndex(site: Site, locations: string[], found: Found): Promise<void> {
  const sitemaps = locations.flatMap((location) => found.own(location) ?? [])
  if (sitemaps.length > maxSitemaps)
    found.unread.push(`it has ${sitemaps.length} parts, of which ${maxSitemaps} are read`)
  for (const url of sitemaps.slice(0, maxSitemaps)) {
    if (found.isFull) return
    try {
      const { sitemap } = await fetchSitemap(site, url)
      if (sitemap.kind === 'index') throw new WebFailed('it is an index itself')
      found.addPages(sitemap.locations)
    } catch (error) {
      if (!(error instanceof WebFailed)) throw error
      found.unread.push(`"${url.href}": ${error.message}`)
    }
  }
}

async function fetchSitemap(
  site: Site,
  at: URL,
): Promise<{ sitemap: Sitemap; url: URL }> {
  const { status, body, url } = await site.read({ url: at, maxBytes: maxSitemapBytes })
  if (status !== 200)
    throw new WebFailed(
      `The sitemap cannot be read: the website responded with status ${status}`,
    )
  const isPacked = body[0] === 0x1f && body[1] === 0x8b
  const bytes = isPacked ? await unpack(body, maxSitemapBytes) : body
  const sitemap = await readSitemap(bytes, maxLocations).catch((error: Error) => {
    throw new WebFailed(`The sitemap cannot be read: ${error.message}`)
  })
  if (!sitemap) throw new WebFailed(`"${at.href}" is not a sitemap`)
  return { sitemap, url }
}

/** Sites may be moving from http to https. */
const isSameSite = (one: URL, other: URL) =>
  one.origin === other.origin ||
  (one.hostname === other.hostname && one.port === '' && other.port === '')

/** Pages up to the maximum, and counts of the omitted ones. */
class Found {
  readonly urls = new Set<string>()
  /** Reasons for sitemaps that could not be read. */
  readonly unread: string[] = []
  readonly #isOwn: (url: URL) => boolean
  readonly #max: number
  #others = 0
  #invalid = 0
  #isCut = false

  constructor(isOwn: (url: URL) => boolean, max: number) {
    this.#isOwn = isOwn
    this.#max = max
  }

  get isFull() {
    return this.#isCut
  }

  addPages(locations: string[]) {
    for (const location of locations) {
      const url = this.own(location)
      if (!url || this.urls.has(url.href)) continue
      if (this.urls.size === this.#max) {
        this.#isCut = true
        return
      }
      this.urls.add(url.href)
    }
  }

  /** Returns null for a location that is not a URL of this website, and counts it. */
  own(location: string): URL | null {
    try {
      const url = toPageUrl(location)
      if (this.#isOwn(url)) return url
      this.#others += 1
    } catch (error) {
      if (!(error instanceof UrlRejected)) throw error
      this.#invalid += 1
    }
    return null
  }

  problems(): string[] {
    const left = (count: number, what: string) =>
      count === 0 ? [] : [`${count} ${what} left out.`]
    const [unread] = this.unread
    return [
      ...left(
        this.#others,
        this.#others === 1
          ? 'address of another website was'
          : 'addresses of other websites were',
      ),
      ...left(
        this.#invalid,
        this.#invalid === 1 ? 'invalid address was' : 'invalid addresses were',
      ),
      ...(this.#isCut
        ? [`The sitemap has more than ${this.#max} pages: the others were left out.`]
        : []),
      ...(unread === undefined
        ? []
        : [`A part of the sitemap was not read, so no page was removed: ${unread}.`]),
    ]
  }
}
