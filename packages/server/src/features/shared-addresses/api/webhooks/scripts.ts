// Runs an integration's scripts for requests to the address that all of its bots share.

import { findSecrets } from '../../../../core/catalog/index.ts'
import type {
  ReceivedRequest,
  WebhookRequest,
  WebhookResponse,
} from '../../../../core/delivery/index.ts'
import type { ScriptServices } from '../../services.ts'
import type { SharedVersion } from '../../shared-address.ts'
import { VrlFailed } from '../../vrl/vrl.ts'

export interface Scripts {
  /**
   * Returns null if the script returns no identifier or fails: such a request is not for this
   * version.
   */
  text(script: string | undefined, version: SharedVersion): Promise<string | null>
  /** Returns null if the script returns no response. */
  answer(
    script: string | undefined,
    version: SharedVersion,
  ): Promise<WebhookResponse | null>
}

type Run = (script: string, version: SharedVersion) => Promise<unknown>

const maxTextLength = 200

/** `tenant` is the unit of fair scheduling. */
export function scriptsFor(
  { services: { db, secrets, vrl, log }, request }: WebhookRequest<ScriptServices>,
  tenant: string,
  received: ReceivedRequest,
): Scripts {
  const input = { ...received, body: received.body.toString('utf8') }
  const run = onceEach(async (script, { id }) => {
    try {
      return (
        await vrl.run(tenant, script, {
          ...input,
          secrets: await findSecrets(db, secrets, id),
        })
      ).result
    } catch (error) {
      if (!(error instanceof VrlFailed) || error.reason === 'busy') throw error
      // Logged for the script's author, because nothing else reports the failure.
      const message = error.message.slice(0, 1_000)
      log.warn(
        { requestId: request.id, integrationId: id, reason: error.reason, message },
        'an integration script failed',
      )
      return null
    }
  })
  return {
    async text(script, version) {
      const result = script ? await run(script, version) : null
      const text = typeof result === 'number' ? String(result) : result
      return typeof text === 'string' && text !== '' && text.length <= maxTextLength
        ? text
        : null
    },
    answer: async (script, version) =>
      script ? answerIn(await run(script, version)) : null,
  }
}

/** Runs equal scripts once: most versions share their scripts and secrets. */
function onceEach(run: Run): Run {
  const known = new Map<string, Promise<unknown>>()
  return (script, version) => {
    const key = JSON.stringify([script, version.lineId ?? version.id])
    const outcome = known.get(key) ?? run(script, version)
    known.set(key, outcome)
    return outcome
  }
}

function answerIn(result: unknown): WebhookResponse | null {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return null
  const { status = 200, headers, body } = result as Record<string, unknown>
  const isStatus =
    typeof status === 'number' &&
    Number.isInteger(status) &&
    status >= 200 &&
    status <= 599
  const texts = Object.entries(headers ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? undefined)
  return {
    status: isStatus ? status : 200,
    headers: Object.fromEntries(texts),
    chunks: [Buffer.from(text ?? '')],
  }
}
