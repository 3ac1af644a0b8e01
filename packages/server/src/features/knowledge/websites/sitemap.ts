// The locations in a sitemap (sitemaps.org): XML, or text with a URL per line. Documents are
// untrusted: entities that they declare are not expanded, and parsing pauses between parts.

import { decodeText, depthGuard } from '@botstead/extraction'
import { nextSlice } from '@botstead/lib'
import { Parser } from 'htmlparser2'

export interface Sitemap {
  /** `index`: the locations are those of sitemaps. */
  kind: 'index' | 'pages'
  locations: string[]
}

const partLength = 65_536
const maxLocationLength = 4_096

/** Reads at most `max` locations. Returns null for another kind of document. */
export async function readSitemap(
  bytes: Uint8Array,
  max: number,
): Promise<Sitemap | null> {
  const text = decodeText(bytes)
  return /^\s*</.test(text) ? readXml(text, max) : readLines(text, max)
}

function readLines(text: string, max: number): Sitemap | null {
  const locations = text
    .split(/\r?\n/, max + 1)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return locations.every((line) => /^https?:\/\//i.test(line))
    ? { kind: 'pages', locations: locations.slice(0, max) }
    : null
}

async function readXml(text: string, max: number): Promise<Sitemap | null> {
  const reader = new LocationReader()
  for (
    let from = 0;
    from < text.length && reader.locations.length < max;
    from += partLength
  ) {
    reader.read(text.slice(from, from + partLength))
    await nextSlice()
  }
  const { kind, locations } = reader
  return kind && { kind, locations: locations.slice(0, max) }
}

class LocationReader {
  /** Null until the root element is known, and for another one. */
  kind: Sitemap['kind'] | null = null
  readonly locations: string[] = []
  readonly #path: string[] = []
  readonly #depth = depthGuard()
  #text = ''
  readonly #parser = new Parser(
    {
      onopentag: (name) => this.#open(name.slice(name.indexOf(':') + 1)),
      ontext: (text) => {
        if (this.#text.length < maxLocationLength) this.#text += text
      },
      onclosetag: () => this.#close(),
    },
    { xmlMode: true, decodeEntities: true },
  )

  read(part: string) {
    this.#parser.write(part)
  }

  #open(name: string) {
    this.#depth.opened()
    this.#path.push(name)
    this.#text = ''
    if (this.#path.length > 1) return
    if (name === 'urlset') this.kind = 'pages'
    if (name === 'sitemapindex') this.kind = 'index'
  }

  /** Extensions, such as those for images, have locations in separate elements. */
  #close() {
    this.#depth.closed()
    const path = this.#path.join(' ')
    this.#path.pop()
    if (path === 'urlset url loc' || path === 'sitemapindex sitemap loc')
      this.locations.push(this.#text.trim())
    this.#text = ''
  }
}
