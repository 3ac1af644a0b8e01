import type { Handlers, platform } from '@botstead/contract'
import { type Contexts, operated } from '../../../../core/http/index.ts'
import type { TableRuleServices } from '../../../../core/table-rules/index.ts'
import type { ModelServices } from '../../../models/index.ts'
import {
  checkRetention,
  countRetention,
  findRetention,
  setRetention,
  toEffectiveDays,
  toRetentionLimits,
} from '../../retention.ts'

export const retention: Handlers<
  typeof platform.retention,
  Contexts<ModelServices & TableRuleServices>
> = {
  getRetention({ services: { db, config }, caller }) {
    return findRetention(db, operated(caller), toRetentionLimits(config))
  },

  setRetention({ services, caller }, { body }) {
    const [botId, limits] = [operated(caller), toRetentionLimits(services.config)]
    return services.inTransaction(({ db }) => setRetention(db, botId, body, limits))
  },

  async countRetention({ services, caller }, { body }) {
    const limits = toRetentionLimits(services.config)
    checkRetention(body, limits)
    const effective = toEffectiveDays(body, limits)
    const botId = operated(caller)
    const { db, tableRules, models } = services
    const { recordings } = models.deps
    return {
      counts: await countRetention({ db, recordings, tableRules }, botId, effective),
    }
  },
}
