// The rules of all tables. Each module states those of its tables in `table-rules.ts`. A table without rules
// does not compile here; `npm run check` reports one with several owners.
import { tables as accounts } from '../core/accounts/index.ts'
import { tables as audit } from '../core/audit/index.ts'
import { tables as bots } from '../core/bots/index.ts'
import { tables as catalog } from '../core/catalog/index.ts'
import { tables as db, type Schema } from '../core/db/index.ts'
import { tables as files } from '../core/files/index.ts'
import { tables as idempotency } from '../core/idempotency/index.ts'
import { tables as messaging } from '../core/messaging/index.ts'
import { tables as queue } from '../core/queue/index.ts'
import { tables as rates } from '../core/rates/index.ts'
import { tables as sealing } from '../core/sealing/index.ts'
import type { CompleteTables, Tables } from '../core/table-rules/index.ts'
import { tables as botTables } from '../core/tables/index.ts'
import { tables as usage } from '../core/usage/index.ts'
import { tables as workflows } from '../core/workflows/index.ts'
import { tables as archive } from '../features/archive/index.ts'
import { tables as broadcasts } from '../features/broadcasts/index.ts'
import { tables as channels } from '../features/channels/index.ts'
import { tables as copilot } from '../features/copilot/index.ts'
import { tables as handoffs } from '../features/handoffs/index.ts'
import { tables as insights } from '../features/insights/index.ts'
import { tables as knowledge } from '../features/knowledge/index.ts'
import { tables as mcp } from '../features/mcp/index.ts'
import { tables as models } from '../features/models/index.ts'
import { tables as moves } from '../features/moves/index.ts'
import { tables as persons } from '../features/persons/index.ts'
import { tables as privacy } from '../features/privacy/index.ts'
import { tables as serverSettings } from '../features/server-settings/index.ts'
import { tables as signIn } from '../features/sign-in/index.ts'
import { tables as studio } from '../features/studio/index.ts'
import { tables as versions } from '../features/versions/index.ts'
import { tables as webhookDiary } from '../features/webhook-diary/index.ts'

export const tableRules: Tables = {
  ...accounts,
  ...audit,
  ...bots,
  ...catalog,
  ...db,
  ...idempotency,
  ...files,
  ...messaging,
  ...queue,
  ...rates,
  ...sealing,
  ...botTables,
  ...usage,
  ...workflows,
  ...archive,
  ...broadcasts,
  ...channels,
  ...copilot,
  ...handoffs,
  ...insights,
  ...knowledge,
  ...mcp,
  ...models,
  ...moves,
  ...persons,
  ...privacy,
  ...serverSettings,
  ...signIn,
  ...studio,
  ...versions,
  ...webhookDiary,
} satisfies CompleteTables<keyof Schema>
