// Links at which a person connects an integration to an account of a third party: the integration's
// script makes them from the address of the installation, as the original's studio does.
import { ApiError } from '@botstead/contract'
import type { Db } from '../../core/db/index.ts'
import { type Vrl, VrlFailed } from './vrl/vrl.ts'

interface LinkTarget {
  integrationId: string
  configurationType: string | null
  webhookId: string
}

interface Links {
  identifier?: { linkTemplateScript?: string | null }
}

/**
 * Returns null for a configuration without a link. Throws Runtime if the script fails or makes no
 * URL of HTTP, Unavailable while the queue of scripts is full.
 */
export async function findSetupLink(
  { db, vrl, webhooks }: { db: Db; vrl: Pick<Vrl, 'run'>; webhooks: string },
  workspaceId: string,
  { integrationId, configurationType, webhookId }: LinkTarget,
): Promise<string | null> {
  const row = await db
    .selectFrom('integration')
    .select('definition')
    .where('id', '=', integrationId)
    .executeTakeFirst()
  const { configuration, configurations } = (row?.definition ?? {}) as {
    configuration?: Links
    configurations?: Record<string, Links>
  }
  const named = configurations ?? {}
  const chosen =
    configurationType === null ? configuration : pickOwn(named, configurationType)
  const script = chosen?.identifier?.linkTemplateScript
  if (!script) return null
  const data = { webhookId, webhookUrl: webhooks, env: 'production' }
  const { result } = await vrl
    .run(`members of ${workspaceId}`, script, data)
    .catch(explain)
  return toLink(result)
}

const pickOwn = (named: Record<string, Links>, name: string) =>
  Object.hasOwn(named, name) ? named[name] : undefined

const maxLength = 4_096

/** Other schemes, such as `javascript:`, would run in the page that shows the link. */
function toLink(result: unknown): string {
  const text =
    typeof result === 'string' && result.length <= maxLength ? result.trim() : ''
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && /^https?:$/.test(url.protocol)) return url.href
  throw new ApiError(
    'Runtime',
    "The integration's script `linkTemplateScript` must return a URL that begins with https:// or http://",
  )
}

function explain(error: unknown): never {
  if (!(error instanceof VrlFailed)) throw error
  throw error.reason === 'busy'
    ? new ApiError('Unavailable', error.message)
    : new ApiError(
        'Runtime',
        `The integration's script \`linkTemplateScript\` failed: ${error.message}`,
      )
}
