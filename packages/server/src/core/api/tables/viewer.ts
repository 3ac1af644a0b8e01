import type { BotCaller } from '../../http/index.ts'
import type { TableViewer } from '../../tables/index.ts'

export const tableViewerOf = ({ botId, integration }: BotCaller): TableViewer => ({
  botId,
  integration: integration?.alias ?? null,
})
