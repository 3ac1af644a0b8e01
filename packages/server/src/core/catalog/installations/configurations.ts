// Opens configurations of installations, which are stored encrypted.

import type { Secrets } from '../../sealing/index.ts'

export const openConfiguration = async (
  secrets: Secrets,
  row: { bot_id: string; alias: string; configuration: Buffer },
): Promise<Record<string, unknown>> =>
  JSON.parse(await secrets.open(row.configuration, sealPath(row.bot_id, row.alias)))

export const sealPath = (botId: string, alias: string) =>
  `installation.configuration/${botId}/${alias}`
