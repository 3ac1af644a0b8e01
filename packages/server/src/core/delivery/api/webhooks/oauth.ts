// Completes a sign-in at a third party: calls the integration and shows the result to the person.
// Redirects only to the server's own page, never to a URL from the request.

import { ApiError } from '@botstead/contract'
import type { FastifyRequest } from 'fastify'
import type { Installation } from '../../../catalog/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import type { DeliveryServices } from '../../services.ts'
import { interpreted } from './foreign-headers.ts'
import { forwardToIntegration, sendResponse, type WebhookResponse } from './forward.ts'
import type { ReceivedRequest } from './received.ts'
import type { WebhookRequest } from './request.ts'

/** Integrations send their webhook's id as `state`, which third parties return. */
export function getState({ url }: FastifyRequest): string {
  const mark = url.indexOf('?')
  return (mark < 0 ? null : new URLSearchParams(url.slice(mark)).get('state')) ?? ''
}

export async function serveSignIn(
  { services, reply, reservation }: WebhookRequest<DeliveryServices & RealtimeServices>,
  installation: Installation,
  received: ReceivedRequest,
) {
  const outcome = await forwardToIntegration(
    services,
    installation,
    received,
    reservation,
  ).catch((error) => {
    if (error instanceof ApiError) return error
    throw error
  })
  if (outcome instanceof ApiError)
    return reply.redirect(interstitialUrl(outcome.message), 303)
  if (outcome.headers[interpreted.noInterstitial]?.toLowerCase() === 'true')
    return sendResponse(reply, outcome)
  return reply.redirect(
    interstitialUrl(outcome.status < 400 ? null : reasonIn(outcome)),
    303,
  )
}

const maxReasonLength = 300

function interstitialUrl(reason: string | null) {
  if (reason === null) return '/oauth/interstitial?success=true'
  const errorMessage = reason.slice(0, maxReasonLength).toWellFormed()
  return `/oauth/interstitial?${new URLSearchParams({ success: 'false', errorMessage })}`
}

/** Errors of the SDK are `{code, type, id, message}`; others are a line of text. */
function reasonIn({ status, chunks }: WebhookResponse): string {
  const text = Buffer.concat(chunks.slice(0, 1)).toString('utf8', 0, 65_536).trim()
  try {
    const { message, error } = JSON.parse(text) as { message?: unknown; error?: unknown }
    for (const candidate of [message, error])
      if (typeof candidate === 'string' && candidate) return candidate
  } catch {
    if (text && text.length <= maxReasonLength && !text.startsWith('<')) return text
  }
  return `The integration responded with status ${status}`
}
