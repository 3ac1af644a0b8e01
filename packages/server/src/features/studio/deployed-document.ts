// The deployed document of a bot as the text of a draft.
import { ApiError } from '@botstead/contract'
import { documentVersion } from '@botstead/flows'
import { toJsonInSlices } from '@botstead/lib'
import { type Bot, botCode } from '../../core/bots/index.ts'
import { compute, type DraftText } from '../../core/compute/index.ts'
import type { Db } from '../../core/db/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'
import { readDeployed } from '../versions/index.ts'
import { deadlineMs, maxCharacters } from './limits.ts'

/** A conversation with it begins and ends without a message. */
const emptyDocument = {
  kind: 'bot',
  version: documentVersion,
  flows: { main: { nodes: { start: { type: 'start', cards: [] } } } },
}

/**
 * With `now`, keeps the layout and comments of this text. Throws ReferenceConstraint for a bot that is not
 * made of flows.
 */
export async function writeDeployed(
  { db, secrets }: { db: Db; secrets: Secrets },
  bot: Bot,
  now: { text: string; format: 'JSON' | 'YAML' } | null,
): Promise<{ draft: DraftText; code: string | null }> {
  const code = await botCode.findVersion(db, bot.id)
  const deployed = await readDeployed(db, secrets, bot)
  const isEmpty = code === null && !bot.url
  if (!deployed && !isEmpty) throw notFlows()
  const json = await toJsonInSlices(deployed ?? emptyDocument, {
    tenant: bot.workspace_id,
    max: maxCharacters,
  })
  if (json === null)
    throw new ApiError(
      'LimitExceeded',
      `The deployed document has more than ${maxCharacters} characters. Edit it with the command line`,
    )
  const { workspace_id: tenant } = bot
  return {
    draft: await compute.run(tenant, 'writeDraft', { json, now }, { deadlineMs }),
    code,
  }
}

export const isNotFlows = (error: unknown): boolean =>
  error instanceof ApiError && error.metadata?.reason === 'notFlows'

const notFlows = () =>
  new ApiError(
    'ReferenceConstraint',
    'The bot is made of code, so it has no draft: edit its code, or create a bot of flows',
    { metadata: { reason: 'notFlows' } },
  )
