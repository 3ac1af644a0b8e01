// Logs for owners that deployed code does not load. The flag itself is written with the code
// (bots/bot-code.ts).

import type { Services } from '../../http/services.ts'
import { appendBotLogs } from '../../modules/bots/bot-logs.ts'
import { appendIntegrationLogs } from '../../modules/catalog/integrations/integration-logs.ts'

const lineOf = (loadError: string) => ({
  at: new Date(),
  level: 'error' as const,
  message: `This version was deployed, but its code does not load. ${loadError}`,
})

export async function reportBotLoadError(
  services: Services,
  botId: string,
  loadError: string | undefined,
) {
  if (loadError === undefined) return
  await appendBotLogs(services, botId, [lineOf(loadError)])
  await services.afterCommit(async ({ issues }) =>
    issues.report(botId, { code: 'code_not_loaded', message: loadError }),
  )
}

export async function reportIntegrationLoadError(
  services: Services,
  integrationId: string,
  loadError: string | undefined,
) {
  if (loadError !== undefined)
    await appendIntegrationLogs(services, integrationId, [lineOf(loadError)])
}
