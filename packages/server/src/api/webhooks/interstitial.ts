// The page at the end of a sign-in. It shows only the result: no scripts, links or redirects.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const style = `:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;font:1.125rem/1.5 system-ui,sans-serif}main{max-width:32rem;padding:2rem}h1{font-size:1.5rem;margin:0 0 1rem}blockquote{margin:0 0 1rem;padding-left:1rem;border-left:.25rem solid;overflow-wrap:anywhere;white-space:pre-wrap}p{margin:0 0 1rem}`

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
}

/** Integrations build this URL from their webhook's URL by replacing the first "webhook" with "app". */
const places = ['/oauth/interstitial', '/webhooks/oauth/interstitial', '/apps/oauth/interstitial']

export function serveInterstitial(server: FastifyInstance) {
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const mark = request.url.indexOf('?')
    const query = new URLSearchParams(mark < 0 ? '' : request.url.slice(mark))
    return reply.headers(headers).send(page(query.get('success') === 'true', query.get('errorMessage') ?? ''))
  }
  for (const url of places) server.get(url, { config: { rawQuery: true } }, answer)
}

const maxMessageLength = 500

function page(success: boolean, text: string): string {
  const message = text.slice(0, maxMessageLength).toWellFormed()
  const title = success ? 'You are connected' : 'The connection failed'
  const reason = message
    ? `<p>The integration reported:</p><blockquote>${escaped(message)}</blockquote>`
    : '<p>The integration gave no reason.</p>'
  const about = success
    ? '<p role="status">The integration is set up.</p>'
    : `<div role="alert">${reason}</div>`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${style}</style></head><body><main><h1>${title}</h1>${about}<p>You can close this window and go back to where you came from.</p></main></body></html>`
}

const escaped = (text: string) =>
  text.replaceAll(/[&<>"'\0]/g, (sign) => (sign === '\0' ? '�' : `&#${sign.charCodeAt(0)};`))
