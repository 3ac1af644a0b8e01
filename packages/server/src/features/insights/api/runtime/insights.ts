import type { Handlers, runtime } from '@botstead/contract'
import type { BotServices } from '../../../../core/bots/index.ts'
import { type Contexts, getViewer } from '../../../../core/http/index.ts'
import { captureObservation } from '../../observations.ts'
import { observedIssues } from '../../observed-issues.ts'
import type { InsightServices } from '../../services.ts'

export const insights: Handlers<
  typeof runtime.insights,
  Contexts<BotServices & InsightServices>
> = {
  async trackAnalytics({ services, caller }, { body }) {
    await services.analytics.track(caller.botId, body.name, body.count)
    return {}
  },

  async captureObservation({ services, caller }, { body }) {
    const { logs } = await services.getRedactors(caller.botId)
    const data = logs ? await logs.value(body.data) : body.data
    const observation = { ...body, data, integration: getViewer(caller) }
    await captureObservation(services.db, caller.botId, observation)
    for (const trouble of observedIssues(observation))
      services.issues.report(caller.botId, trouble)
    return {}
  },
}
