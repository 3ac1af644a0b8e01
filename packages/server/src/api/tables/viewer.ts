import type { BotCaller } from '../../services.ts'
import type { TableViewer } from '../../tables/tables.ts'

export const viewerOf = ({ botId, integration }: BotCaller): TableViewer => ({
  botId,
  integration: integration?.alias ?? null,
})
