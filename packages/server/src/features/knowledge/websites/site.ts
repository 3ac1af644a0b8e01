// Reads a website for a source: asks robots.txt before each request, and caches its rules. RFC 9309:
// a file that does not exist allows everything; one that cannot be read, nothing.
import { allowsAll, maxRobotsBytes, parseRobots, type Robots } from './robots.ts'
import {
  request,
  type Send,
  WebFailed,
  type WebRequest,
  type WebResponse,
} from './web-requests.ts'

/** The rules of robots.txt do not allow the URL. */
export class Blocked extends WebFailed {}

const robotsMs = 3_600_000
const maxCached = 500
/** Longer pauses than this between two requests are cut. */
const maxDelayMs = 60_000

export interface Site {
  /** Throws WebFailed, and Blocked, which is one. */
  read(options: Pick<WebRequest, 'url' | 'maxBytes' | 'headers'>): Promise<WebResponse>
  /** Returns the pause that the website asks for between two requests. */
  delayMs(url: URL): Promise<number>
}

/** Rules by source and origin. They outlive the turns in which a source is refreshed. */
export type RobotsCache = Map<string, { robots: Promise<Robots>; until: number }>

interface SiteDeps {
  sourceId: string
  send: Send
  signal: AbortSignal
  cache: RobotsCache
}

export function openSite({ sourceId, send, signal, cache }: SiteDeps): Site {
  const fetchRobots = async (origin: string) => {
    const url = new URL('/robots.txt', origin)
    const { status, body } = await request(send, {
      url,
      maxBytes: maxRobotsBytes,
      cuts: true,
      signal,
    }).catch((error) => {
      throw error instanceof WebFailed ? unreadable(error.message) : error
    })
    if (status === 200) return parseRobots(new TextDecoder().decode(body))
    if (status >= 400 && status < 500 && status !== 429) return allowsAll
    throw unreadable(`the website responded with status ${status}`)
  }
  const getRobots = ({ origin }: URL): Promise<Robots> => {
    const key = `${sourceId} ${origin}`
    const known = cache.get(key)
    if (known && known.until > performance.now()) return known.robots
    const robots = fetchRobots(origin)
    robots.catch(() => cache.get(key)?.robots === robots && cache.delete(key))
    cache.delete(key)
    cache.set(key, { robots, until: performance.now() + robotsMs })
    if (cache.size > maxCached) cache.delete(cache.keys().next().value!)
    return robots
  }
  const check = async (url: URL) => {
    if ((await getRobots(url)).allows(url)) return
    throw new Blocked(
      `The website's robots.txt does not allow the server to read "${url.href}"`,
    )
  }
  return {
    read: (options) => request(send, { ...options, signal, check }),
    delayMs: async (url) => Math.min((await getRobots(url)).delayMs, maxDelayMs),
  }
}

const unreadable = (reason: string) =>
  new WebFailed(`robots.txt cannot be read, so the server reads no page: ${reason}`)
