// Pages that are built while the server runs, as `npm start` does in a clone. Until they are ready, their
// addresses show a page with the state of the build, which reloads itself.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'

/** `error` is for people. `startedAt` is in milliseconds since 1970. */
type PageBuild =
  | { status: 'ready' }
  | { status: 'building'; startedAt: number }
  | { status: 'failed'; error: string }

export type FindPageBuild = () => PageBuild

/** Returns the state of a build that is complete or missing: the file `built` in the folder is written last. */
export const findBuiltIn =
  (folder: URL): FindPageBuild =>
  () =>
    existsSync(new URL('built', folder))
      ? { status: 'ready' }
      : {
          status: 'failed',
          error: 'It is not built. In a clone, `npm run build` builds it.',
        }

// Without indentation, which would be part of the hashes. A script reloads the page: `http-equiv="refresh"`
// only scrolls at an address with a fragment, such as that of the first sign-in link.
const html = readFileSync(
  new URL('../../../../page/building.html', import.meta.url),
  'utf8',
).replaceAll(/\n\s*/g, '')
/** Returns the source of the policy that permits the inline element. */
const toHashSource = (element: string) => {
  const [, content = ''] = new RegExp(`<${element}>(.*)</${element}>`).exec(html) ?? []
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src ${toHashSource('style')}; script-src ${toHashSource('script')}; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'retry-after': '1',
}

/** Opens pages as soon as they are built. Returns null until then. */
export function openWhenBuilt<T>(
  findBuild: FindPageBuild,
  open: () => T,
): () => T | null {
  let opened: T | null = null
  const find = () => {
    if (!opened && findBuild().status === 'ready') opened = open()
    return opened
  }
  find()
  return find
}

/** Sends the page for a build that is not ready, with its progress or its error. `name` begins a sentence. */
export function sendBuilding(
  reply: FastifyReply,
  { name, build }: { name: string; build: PageBuild },
) {
  const isFailed = build.status === 'failed'
  const title = isFailed ? `The build of ${name} failed` : `Building ${name} …`
  const seconds = build.status === 'building' ? secondsSince(build.startedAt) : 0
  const explanation = isFailed
    ? 'Correct the error and run the command again. The server works, also without these pages.'
    : `For ${seconds} seconds now; a first build takes some. This page reloads itself when it is ready.`
  return reply
    .code(503)
    .headers(headers)
    .send(
      html
        .replaceAll('{{title}}', () => inHtml(title))
        .replace('{{explanation}}', () => inHtml(explanation))
        .replace('{{error}}', () =>
          isFailed ? `<pre>${inHtml(build.error)}</pre>` : '',
        ),
    )
}

const secondsSince = (ms: number) => Math.max(0, Math.round((Date.now() - ms) / 1000))

const inHtml = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
