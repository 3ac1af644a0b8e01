// Logs for owners that deployed code does not load, and warnings of scripts. The flag itself is written
// with the code (bots/bot-code.ts).

import { appendBotLogs, type BotServices } from '../../../bots/index.ts'
import type { Context, Services } from '../../../http/index.ts'
import { appendIntegrationLogs } from '../../integrations/integration-logs.ts'

const toLine = (loadError: string) => ({
  at: new Date(),
  level: 'error' as const,
  message: `This version was deployed, but its code does not load. ${loadError}`,
})

export async function reportBotLoadError(
  services: Services & BotServices,
  botId: string,
  loadError: string | undefined,
) {
  if (loadError === undefined) return
  await appendBotLogs(services, botId, [toLine(loadError)])
  await services.afterCommit(async ({ issues }) =>
    issues.report(botId, { code: 'code_not_loaded', message: loadError }),
  )
}

export async function reportIntegrationFindings(
  services: Services & BotServices,
  integrationId: string,
  {
    loadError,
    scriptWarnings = [],
  }: Pick<Context<unknown>, 'loadError' | 'scriptWarnings'>,
) {
  const at = new Date()
  await appendIntegrationLogs(services, integrationId, [
    ...scriptWarnings.map((message) => ({ at, level: 'warn' as const, message })),
    ...(loadError === undefined ? [] : [toLine(loadError)]),
  ])
}
