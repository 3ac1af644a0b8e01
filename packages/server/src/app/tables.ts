// The rules of all tables. Each module states those of its tables in `table-rules.ts`. A table without rules
// does not compile here; `npm run check` reports one with several owners.
import { accountsModule } from '../core/accounts/index.ts'
import { auditModule } from '../core/audit/index.ts'
import { botsModule } from '../core/bots/index.ts'
import { catalogModule } from '../core/catalog/index.ts'
import { dbModule, type Schema } from '../core/db/index.ts'
import { filesModule } from '../core/files/index.ts'
import { httpModule } from '../core/http/index.ts'
import { idempotencyModule } from '../core/idempotency/index.ts'
import { messagingModule } from '../core/messaging/index.ts'
import { queueModule } from '../core/queue/index.ts'
import { sealingModule } from '../core/sealing/index.ts'
import type { TableRules, Tables } from '../core/table-rules/index.ts'
import { tablesModule } from '../core/tables/index.ts'
import { usageModule } from '../core/usage/index.ts'
import { workflowsModule } from '../core/workflows/index.ts'
import { archive } from '../features/archive/index.ts'
import { authoring } from '../features/authoring/index.ts'
import { broadcasts } from '../features/broadcasts/index.ts'
import { channels } from '../features/channels/index.ts'
import { handoffs } from '../features/handoffs/index.ts'
import { insights } from '../features/insights/index.ts'
import { knowledge } from '../features/knowledge/index.ts'
import { mcp } from '../features/mcp/index.ts'
import { models } from '../features/models/index.ts'
import { persons } from '../features/persons/index.ts'
import { privacy } from '../features/privacy/index.ts'
import { serverSettings } from '../features/server-settings/index.ts'
import { sharedAddresses } from '../features/shared-addresses/index.ts'
import { signIn } from '../features/sign-in/index.ts'
import { studio } from '../features/studio/index.ts'
import { versions } from '../features/versions/index.ts'
import { webhookDiary } from '../features/webhook-diary/index.ts'

export const tableRules: Tables = {
  ...accountsModule.tables,
  ...auditModule.tables,
  ...botsModule.tables,
  ...catalogModule.tables,
  ...dbModule.tables,
  ...idempotencyModule.tables,
  ...filesModule.tables,
  ...httpModule.tables,
  ...messagingModule.tables,
  ...queueModule.tables,
  ...sealingModule.tables,
  ...tablesModule.tables,
  ...usageModule.tables,
  ...workflowsModule.tables,
  ...archive.tables,
  ...authoring.tables,
  ...broadcasts.tables,
  ...channels.tables,
  ...handoffs.tables,
  ...insights.tables,
  ...knowledge.tables,
  ...mcp.tables,
  ...models.tables,
  ...persons.tables,
  ...privacy.tables,
  ...serverSettings.tables,
  ...sharedAddresses.tables,
  ...signIn.tables,
  ...studio.tables,
  ...versions.tables,
  ...webhookDiary.tables,
} satisfies Record<keyof Schema, TableRules>
