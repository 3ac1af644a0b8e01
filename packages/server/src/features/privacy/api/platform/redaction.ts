import type { Handlers, platform } from '@botstead/contract'
import { compute } from '../../../../core/compute/index.ts'
import { type Contexts, operated, operatedByPerson } from '../../../../core/http/index.ts'
import { checkRules, findRedaction, setRedaction } from '../../redaction-rules.ts'

export const redaction: Handlers<typeof platform.redaction, Contexts> = {
  getRedaction({ services: { db, config }, caller }) {
    return findRedaction(db, operated(caller), config.redact)
  },

  async setRedaction({ services, caller }, { body: { rules } }) {
    const { db, config } = services
    const botId = operatedByPerson(caller)
    const bot = { botId, workspaceId: caller.workspaceId, installation: config.redact }
    const stored = await setRedaction({ db, ...bot }, rules)
    await services.invalidate({ botId })
    return stored
  },

  async tryRedaction({ services: { config }, caller }, { body: { rules, text } }) {
    operatedByPerson(caller)
    await checkRules(caller.workspaceId, [...rules, ...config.redact])
    const all = [...config.redact, ...rules]
    return compute.run(caller.workspaceId, 'tryRules', { rules: all, text })
  },
}
