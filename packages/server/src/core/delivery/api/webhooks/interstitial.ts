// The page at the end of a sign-in. It shows only the result: no scripts, links or redirects.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { splitTarget } from '../../../http/index.ts'

// Without indentation, which would be part of the style's hash.
const html = readFileSync(
  new URL('../../../../../page/interstitial.html', import.meta.url),
  'utf8',
).replaceAll(/\n\s*/g, '')
const style = html.slice(
  html.indexOf('<style>') + '<style>'.length,
  html.indexOf('</style>'),
)
const styleHash = createHash('sha256').update(style).digest('base64')

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${styleHash}'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
}

/**
 * Integrations build this URL from their webhook's URL by replacing the first "webhook" with "app".
 */
const places = [
  '/oauth/interstitial',
  '/webhooks/oauth/interstitial',
  '/apps/oauth/interstitial',
]

export function serveInterstitial(server: FastifyInstance) {
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const { query } = splitTarget(request.url)
    return reply
      .headers(headers)
      .send(page(query.get('success') === 'true', query.get('errorMessage') ?? ''))
  }
  for (const url of places) server.get(url, { config: { rawQuery: true } }, answer)
}

const maxMessageLength = 500

/** The page has a section per outcome, between comments with its name. */
const renderPage = (outcome: 'success' | 'failure' | 'failureWithoutReason') =>
  html
    .replaceAll(/<!-- (\w+) -->(.*?)<!-- \/\1 -->/g, (_, name, section) =>
      name === outcome ? section : '',
    )
    .replaceAll(
      '{{title}}',
      outcome === 'success' ? 'You are connected' : 'The connection failed',
    )

const successPage = renderPage('success')
const failurePage = renderPage('failure')
const failurePageWithoutReason = renderPage('failureWithoutReason')

function page(success: boolean, text: string): string {
  if (success) return successPage
  const message = text.slice(0, maxMessageLength).toWellFormed()
  return message
    ? failurePage.replace('{{message}}', () => escaped(message))
    : failurePageWithoutReason
}

const escaped = (text: string) =>
  text.replaceAll(/[&<>"'\0]/g, (sign) =>
    sign === '\0' ? '�' : `&#${sign.charCodeAt(0)};`,
  )
