// Handoffs that the bot or a person requests, by the API or by an action of the chat.
import { type GetRedactors, redactStored } from '../../core/compute/index.ts'
import { findHandoffRules } from './handoff-rules.ts'
import {
  type HandoffDeps,
  type HandoffRow,
  type Requested,
  requestHandoff,
} from './handoffs.ts'

interface RequestDeps extends HandoffDeps {
  getRedactors: GetRedactors
}

type Request = Omit<Requested, 'botReceives'> & {
  botReceives?: Requested['botReceives'] | undefined
}

/** Redacts the texts; the rules of the bot decide what the request leaves open. */
export async function requestByRules(
  deps: RequestDeps,
  request: Request,
): Promise<HandoffRow> {
  const { botId, reason, summary, botReceives } = request
  const texts = await redactStored(deps.getRedactors, botId, { reason, summary })
  const rules = botReceives
    ? { botReceives }
    : await findHandoffRules(deps.database.db, botId)
  return requestHandoff(deps, {
    ...request,
    ...texts,
    botReceives: rules.botReceives ?? 'nothing',
  })
}
