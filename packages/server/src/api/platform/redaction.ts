import type { Handlers, platform } from '@botstead/contract'
import type { Contexts } from '../../http/services.ts'
import { checkRules, tryRules } from '../../infra/lib/redaction.ts'
import { findRedaction, setRedaction } from '../../modules/privacy/redaction-rules.ts'
import { operated } from './operator.ts'

export const redaction: Handlers<typeof platform.redaction, Contexts> = {
  getRedaction({ services: { db, config }, caller }) {
    return findRedaction(db, operated(caller), config.redact)
  },

  async setRedaction({ services, caller }, { body: { rules } }) {
    const botId = operated(caller)
    const stored = await setRedaction(services.db, botId, rules, services.config.redact)
    await services.invalidate({ botId })
    return stored
  },

  async tryRedaction({ services: { config }, caller }, { body: { rules, text } }) {
    operated(caller)
    const all = [...rules, ...config.redact]
    checkRules(all)
    return tryRules([...config.redact, ...rules], text)
  },
}
