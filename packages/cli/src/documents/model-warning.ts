// Warns of a bot that needs a language model on a server without one, as the dashboard does.
import { type AuthoredDocument, checkModels, isFlowDocument } from '@botstead/flows'
import type { Admin } from '../server/admin.ts'

/** Returns a function that prints the warning at most once: `dev` deploys the document after each save. */
export function openModelWarning({ client, url }: Admin) {
  let isPrinted = false
  return async (document: AuthoredDocument): Promise<void> => {
    if (isPrinted || !isFlowDocument(document)) return
    const count = checkModels(document).length
    if (count === 0 || (await hasModel(client))) return
    isPrinted = true
    const steps = count === 1 ? 'One step or card' : `${count} steps and cards`
    console.error(
      `The server has no language model. ${steps} of this bot need one, and fail until then. Add one in ` +
        `the dashboard (Server settings, Language model), or set BOTSTEAD_MODEL: ${url}/docs/models`,
    )
  }
}

/** Returns true if the server does not tell: the bot is deployed, and only the warning is left out. */
const hasModel = (client: Admin['client']): Promise<boolean> =>
  client.platform.listExamples().then(
    (found) => found.hasModel,
    () => true,
  )
