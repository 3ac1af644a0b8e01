import type { BotCaller } from '../../http/services.ts'
import type { TableViewer } from '../../tables/tables.ts'

export const tableViewerOf = ({ botId, integration }: BotCaller): TableViewer => ({
  botId,
  integration: integration?.alias ?? null,
})
