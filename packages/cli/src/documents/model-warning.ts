// Warns of a bot that needs a language model on a server without one, as the dashboard does.
import { RequestError } from '@botstead/client'
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

/** Returns true for servers without this operation, and for roles that may not call it. */
const hasModel = (client: Admin['client']): Promise<boolean> =>
  client.platform.listExamples().then(
    (found) => found.hasModel,
    (error: unknown) => {
      if (error instanceof RequestError && [403, 404].includes(error.status)) return true
      throw error
    },
  )
