import type { Handlers, runtime } from '@botstead/contract'
import { captureObservation } from '../../insights/observations.ts'
import type { Contexts } from '../../services.ts'
import { viewerOf } from './viewer.ts'

export const insights: Handlers<typeof runtime.insights, Contexts> = {
  async trackAnalytics({ services, caller }, { body }) {
    await services.analytics.track(caller.botId, body.name, body.count)
    return {}
  },

  async captureObservation({ services, caller }, { body }) {
    await captureObservation(services.db, caller.botId, { ...body, integration: viewerOf(caller) })
    return {}
  },
}
